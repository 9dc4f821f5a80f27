/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which options of a neap_reading apply to which input. */
#ifndef IO_READING_H
#define IO_READING_H

#include "io/format.h"
#include "neap/neap-io.h"

/*
 * NEAP_ERROR_ARGUMENT names an option that does not apply to `format`, or whose value is wrong.
 * Options for graphs are not checked with `any_graph`, for a caller that ignores them.
 */
neap_status reading_check(const neap_reading *reading, const struct format *format,
                          bool any_graph, neap_error *error);

/* The error of an input without operators, if `reading` has an option that needs them. */
neap_status reading_check_graph(const neap_reading *reading, const struct format *format,
                                neap_error *error);

#endif
