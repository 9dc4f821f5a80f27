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
 *     pool, pools                   optional: the pools that it may be in, the preferred one first,
 *                                   separated by spaces or semicolons; in a plan, its pool
 *     window_low, window_high       optional: its bytes lie in [window_low, window_high)
 *     bank                          optional: it does not cross a multiple of this
 *     near                          optional: its offset in an earlier plan
 *     move_cost                     optional: what it costs to move it from there
 *     hint                          optional: free text, carried along
 *
 * Other columns are ignored.  A problem keeps its columns, their order and the spelling above, and
 * is written with them; columns that it needs besides are added at the end.
 *
 * Pools are those that the table names, in the order in which they appear, without capacities.
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

/* A plan's offsets, objects and pools of the buffers; all may be NULL. */
struct csv_placements {
  neap_offset *offsets;
  size_t *objects, *pools;
};

/*
 * Also reads an offset for every buffer into *placements, and a pool if the table has any; they are
 * released with free(), and the problem does not keep them.
 */
neap_status csv_problem_read_placed(char *text, size_t size, const neap_reading *reading,
                                    neap_problem **problem, struct csv_placements *placements,
                                    neap_error *error);

/* Writes a problem with a plan's placements instead of its fixed offsets and its pools. */
neap_status csv_problem_write_placed(const struct neap_problem *problem,
                                     const struct csv_placements *placements, FILE *stream,
                                     neap_error *error);

#endif
