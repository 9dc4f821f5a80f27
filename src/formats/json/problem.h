/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A problem as JSON, and what it shares with a plan as JSON.
 *
 *     {
 *       "format": "neap-problem",
 *       "version": 1,
 *       "horizon": 12,                      total time, if later than the last end
 *       "buffers": [
 *         {
 *           "name": "conv1",                unique
 *           "size": 4096,                   bytes
 *           "lifetimes": [[0, 3], [5, 7]],  half-open ranges, ascending, not overlapping
 *           "alignment": 64,                optional; 1 without it
 *           "fixed_offset": 128,            optional
 *           "hint": "text",                 optional; "" is none
 *           "shape": [1, 32, 32, -1],       optional; -1: an unknown dimension
 *           "dtype": "int8"                 optional; any text, "" is none
 *         }, ...
 *       ]
 *     }
 *
 * operators.h describes the key of operators.  Relations between buffers, pools and other constraints have keys that relations.h describes.
 *
 * Other keys are errors.  Numbers are whole, up to 2^63 - 1.  A problem that came from a table
 * loses its columns.
 */
#ifndef FORMATS_JSON_PROBLEM_H
#define FORMATS_JSON_PROBLEM_H

#include "formats/json/document.h"
#include "formats/row.h"
#include "model/problem.h"
#include "neap/neap-io.h"

/* Reads a problem, or the problem of a plan or of a graph. */
neap_status json_problem_read(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error);

/* The same of a text that had `stored` bytes in the file. */
neap_status json_problem_unpacked(const char *text, size_t size, size_t stored,
                                  const neap_reading *reading, neap_problem **problem,
                                  neap_error *error);

neap_status json_problem_write(const struct neap_problem *problem, FILE *stream,
                               neap_error *error);

/* ---------------------------------------------------------------- for plans */

/* Parses a document without the elements of `buffers`, and finds out what it is. */
neap_status json_problem_open(struct json_document *document, const char *text, size_t size,
                              size_t stored, bool *is_plan, neap_error *error);

/* A plan's offsets, objects and pools; released with free(). */
struct json_placements {
  neap_offset *offsets;
  size_t *objects; /* NULL unless every buffer has one */
  size_t *pools;   /* NULL without pools */
};

/*
 * Reads the buffers, and the horizon.  In a plan each has an offset; these go to *placements,
 * unless it is NULL.
 */
neap_status json_problem_read_buffers(const struct json_document *document, bool is_plan,
                                      bool fixed, neap_problem **problem,
                                      struct json_placements *placements, neap_error *error);

/* Appends the lines before those of a plan: "version", "horizon", relations and so on. */
void json_problem_append_head(const struct neap_problem *problem, const char *format,
                              struct row *row);

/* Appends the keys of a buffer, without braces. */
void json_problem_append_buffer(const struct neap_problem *problem, size_t index,
                                struct row *row);

/* NEAP_ERROR_FORMAT: a hint, a reason or a type is not valid UTF-8, which JSON must be. */
neap_status json_problem_check_texts(const struct neap_problem *problem, neap_error *error);

#endif
