/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A problem as JSON, and what a plan as JSON shares with it.
 *
 *     {
 *       "format": "neap-problem",
 *       "version": 1,
 *       "horizon": 12,                      total time, where it is later than the last end
 *       "buffers": [
 *         {
 *           "name": "conv1",                unique
 *           "size": 4096,                   bytes
 *           "lifetimes": [[0, 3], [5, 7]],  half-open ranges, ascending, not overlapping
 *           "alignment": 64,                optional; 1 without it
 *           "fixed_offset": 128,            optional
 *           "hint": "text"                  optional; "" is none
 *         }, ...
 *       ]
 *     }
 *
 * Other keys are errors.  Numbers are whole, up to 2^63 - 1.  The columns of a table that a
 * problem came from are not kept.
 */
#ifndef FORMATS_JSON_PROBLEM_H
#define FORMATS_JSON_PROBLEM_H

#include "formats/json_document.h"
#include "formats/row.h"
#include "model/problem.h"

/* Reads a problem, or the problem of a plan or of a graph. */
neap_status json_problem_read(const char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error);

neap_status json_problem_write(const struct neap_problem *problem, FILE *stream,
                               neap_error *error);

/* ---------------------------------------------------------------- for plans */

/*
 * Parses a document, of whose buffers only the brackets are parsed yet, and finds out what it
 * is.
 */
neap_status json_problem_open(struct json_document *document, const char *text, size_t size,
                              bool *is_plan, neap_error *error);

/* Where a plan puts buffers; released with free(). */
struct json_placements {
  neap_offset *offsets;
  size_t *objects; /* NULL unless every buffer has one */
};

/*
 * Reads the buffers, and the horizon.  In a plan each has an offset; these go to *placements,
 * unless it is NULL.
 */
neap_status json_problem_read_buffers(const struct json_document *document, bool is_plan,
                                      bool fixed, neap_problem **problem,
                                      struct json_placements *placements, neap_error *error);

/* Appends the lines up to "version", "horizon" or "schedule". */
void json_problem_append_head(const struct neap_problem *problem, const char *format,
                              struct row *row);

/* Appends the keys of a buffer, without braces. */
void json_problem_append_buffer(const struct neap_problem *problem, size_t index,
                                struct row *row);

/* NEAP_ERROR_FORMAT when a hint is not valid UTF-8, which JSON is. */
neap_status json_problem_check_hints(const struct neap_problem *problem, neap_error *error);

#endif
