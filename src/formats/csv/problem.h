/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers as CSV, as google/minimalloc reads and writes them: a header row that names the columns,
 * in any order, then a row for each buffer.
 *
 *     id, buffer, buffer_id, name   its name
 *     lower, start, begin, first    the first moment alive
 *     upper                         the first moment no longer alive
 *     or end, last                  the last moment alive
 *     size, bytes                   in bytes
 *     alignment, align              optional; an empty field means 1
 *     gaps                          optional; see formats/csv/gaps.h
 *     offset                        optional: the fixed offset; in a plan, that of every buffer
 *     hint                          optional: free text, carried along
 *
 * Other columns are ignored.  A problem keeps its columns, their order and the spelling above, and
 * is written with them; columns that it needs besides are added at the end.
 */
#ifndef FORMATS_CSV_PROBLEM_H
#define FORMATS_CSV_PROBLEM_H

#include "model/problem.h"
#include "neap/neap-io.h"

/* Whether a text may be a table: what no other format recognises. */
bool csv_problem_is(const char *text, size_t size, const neap_reading *reading);

/*
 * Reads a problem.  Given offsets are fixed, unless `reading` asks to replan.  `text` is
 * terminated by a NUL at text[size], and is rewritten.
 */
neap_status csv_problem_read(char *text, size_t size, const neap_reading *reading,
                             neap_problem **problem, neap_error *error);

neap_status csv_problem_write(const struct neap_problem *problem, FILE *stream,
                              neap_error *error);

/* ---------------------------------------------------------------- for plans */

/*
 * Also reads an offset for every buffer into *offsets, which is released with free(), and does not
 * keep it in the problem.
 */
neap_status csv_problem_read_placed(char *text, size_t size, const neap_reading *reading,
                                    neap_problem **problem, neap_offset **offsets,
                                    neap_error *error);

/*
 * Writes a problem with a plan's `offsets` instead of its fixed ones, and with the plan's `objects`
 * unless NULL.
 */
neap_status csv_problem_write_placed(const struct neap_problem *problem,
                                     const neap_offset *offsets, const size_t *objects,
                                     FILE *stream, neap_error *error);

#endif
