/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers as CSV, the way google/minimalloc reads and writes them: a header row that names the
 * columns, which may come in any order, then a row for each buffer.
 *
 *     id, buffer, buffer_id   its name
 *     lower, start, begin     the first moment alive
 *     upper, or end           the first moment no longer alive, or the last moment alive
 *     size                    in bytes
 *     alignment               optional; a field that is empty means 1
 *     gaps                    optional; see formats/gaps.h
 *     offset                  optional: the fixed offset; in a plan, the offset of every buffer
 *     hint                    optional: free text, carried along
 *
 * The columns of a problem that was read so, their spelling and their order are kept for
 * writing.  Where they cannot say all, columns are added at the end.
 */
#ifndef FORMATS_CSV_PROBLEM_H
#define FORMATS_CSV_PROBLEM_H

#include "model/problem.h"

/* What the column `offset` is to a reader. */
enum csv_offsets {
  CSV_OFFSETS_FIXED,   /* offsets that buffers must get; may be empty; none collide */
  CSV_OFFSETS_IGNORED, /* nothing */
  CSV_OFFSETS_PLAN     /* a plan, of every buffer: kept apart from the problem */
};

/*
 * `text` is terminated by a NUL at text[size], and is rewritten.  *offsets, of a plan only, is
 * to be released with free().
 */
neap_status csv_problem_read(char *text, size_t size, enum csv_offsets use,
                             neap_problem **problem, neap_offset **offsets, neap_error *error);

/*
 * Writes a problem with a plan's `offsets` or, where that is NULL, with its fixed ones; and with
 * the plan's `objects` unless NULL.
 */
neap_status csv_problem_write(const struct neap_problem *problem, const neap_offset *offsets,
                              const size_t *objects, FILE *stream, neap_error *error);

#endif
