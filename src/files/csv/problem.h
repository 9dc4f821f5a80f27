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
 *     gaps                          optional; see below
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
 * is written with them; further columns that it needs are added at the end.
 *
 * Pools are those that the table names, in the order in which they appear, without capacities.
 */
#ifndef FILES_CSV_PROBLEM_H
#define FILES_CSV_PROBLEM_H

#include "files/csv/csv.h"
#include "files/text_builder.h"
#include "model/problem.h"
#include "neap/neap-io.h"

/* Always true: any text that no other format recognises may be a table. */
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
 * Also reads into *placements an offset for every buffer, and a pool if the table has pools.  The
 * problem does not keep these; release the arrays with free().
 */
neap_status csv_problem_read_placed(char *text, size_t size, const neap_reading *reading,
                                    neap_problem **problem, struct csv_placements *placements,
                                    neap_error *error);

/* Writes a problem with a plan's placements instead of its fixed offsets and its pools. */
neap_status csv_problem_write_placed(const struct neap_problem *problem,
                                     const struct csv_placements *placements, FILE *stream,
                                     neap_error *error);

/* ---------------------------------------------------------------- gaps */

/*
 * The column `gaps`: when, within its lifetime, a buffer is not alive.  "3-5 8-9" are two gaps,
 * ascending, [3, 5) and [8, 9); if the end of the lifetime is inclusive, so are theirs: [3, 6) and
 * [8, 10).
 */

/*
 * The ranges that remain of a lifetime.  Begin with a zeroed struct; ranges are released with
 * free().
 */
struct gaps {
  neap_range *ranges;
  size_t count, capacity;
};

/* Replaces the ranges in `gaps` by `life` without the gaps in field `field`. */
neap_status gaps_read(struct gaps *gaps, const struct csv *csv, size_t field, neap_range life,
                      bool inclusive, neap_error *error);

/* Appends the gaps between the ranges. */
void gaps_write(struct row *row, const neap_range *ranges, size_t count, bool inclusive);

/* ---------------------------------------------------------------- pools */

/*
 * Names of pools in a field of a table, separated by spaces or semicolons, the preferred one first.
 * A name that has not appeared before adds a pool to the problem.
 */

/* Release `indices` with free(). */
struct csv_pools {
  size_t *indices;
  size_t count, capacity;
};

/* Reads the names in a field into *pools. */
neap_status csv_pools_read(struct csv_pools *pools, const struct csv *csv, size_t field,
                           neap_problem *problem, neap_error *error);

/*
 * Appends the one pool in a field of a plan to *pools.  If no buffer of a plan has a pool,
 * there are none; otherwise all must have one.
 */
neap_status csv_pools_read_placed(struct csv_pools *pools, const struct csv *csv, size_t field,
                                  neap_problem *problem, neap_error *error);

void csv_pools_append(const neap_problem *problem, const size_t *indices, size_t count,
                      struct row *row);

/*
 * NEAP_ERROR_FORMAT: a pool's name contains a separator; or, unless `is_plan`, a reader would find
 * other pools, because no buffer names one or buffers name them in another order.
 */
neap_status csv_pools_check(const neap_problem *problem, bool is_plan, neap_error *error);

#endif
