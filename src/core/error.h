/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Filling the error that a caller may have handed in. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include "neap/neap.h"

/*
 * Each sets *error (unless NULL) and returns `status`, so that a failure is one line:
 * `return error_set(error, NEAP_ERROR_INPUT, "...")`.
 */
__attribute__((format(printf, 3, 4))) neap_status error_set(neap_error *error,
                                                            neap_status status,
                                                            const char *format, ...);

/* The same with a place; line and column count from 1, 0 is none. */
__attribute__((format(printf, 5, 6))) neap_status error_at(neap_error *error,
                                                           neap_status status, size_t line,
                                                           size_t column, const char *format,
                                                           ...);

neap_status error_memory(neap_error *error);

/*
 * Names the file of an error that has none yet; returns `status` and does nothing on NEAP_OK.
 */
neap_status error_in_file(neap_error *error, neap_status status, const char *source);

/* A system error with errno's text: "cannot open: No such file or directory". */
neap_status error_system(neap_error *error, const char *source, const char *what);

#endif
