/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fills the error that a caller may have passed. */
#ifndef CORE_ERROR_H
#define CORE_ERROR_H

#include "neap/neap.h"

/*
 * Sets *error (unless NULL) and returns `status`, so that a failure is one line:
 * `return error_set(error, NEAP_ERROR_INPUT, "...")`.  Line and column count from 1; 0: unknown.
 */
__attribute__((format(printf, 5, 6))) neap_status error_at(neap_error *error,
                                                           neap_status status, size_t line,
                                                           size_t column, const char *format,
                                                           ...);
#define error_set(error, status, ...) error_at(error, status, 0, 0, __VA_ARGS__)

/* Copies an error, and returns its status. */
neap_status error_copy(neap_error *error, const neap_error *from);

neap_status error_memory(neap_error *error);

/*
 * Appends `between` and `name` to the list at the end of the text of *error (unless NULL).  A name
 * that does not fit is omitted, not cut: the list then ends in "..." and ignores further names.
 */
void error_append(neap_error *error, const char *between, const char *name);

/*
 * Sets the source of an error, unless it has one or `status` is NEAP_OK.  Returns `status`.
 */
neap_status error_in_file(neap_error *error, neap_status status, const char *source);

/* Sets a system error with the text of errno: "cannot open: No such file or directory". */
neap_status error_system(neap_error *error, const char *source, const char *what);

#endif
