/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a plan for C99 and C++.  A header defines the size and alignment of the arena, and the
 * offset and size of every buffer, as macros, with assertions that the compiler checks.  A source
 * file defines the arena, and a table of the buffers for programs that iterate over them.
 */
#ifndef FILES_C_SOURCE_H
#define FILES_C_SOURCE_H

#include "neap/neap-io.h"

/* Sets *prefix to writing->prefix or the default.  NEAP_ERROR_ARGUMENT: not an identifier. */
neap_status c_source_prefix(const neap_writing *writing, const char **prefix,
                            neap_error *error);

/* NEAP_ERROR_ARGUMENT: writing->prefix is not an identifier. */
neap_status c_source_write_header(const neap_plan *plan, const neap_writing *writing,
                                  FILE *stream, neap_error *error);

/* Also NEAP_ERROR_ARGUMENT: there is no writing->header; NEAP_ERROR_FORMAT: see neap-io.h. */
neap_status c_source_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                           neap_error *error);

#endif
