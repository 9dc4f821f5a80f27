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
 * operators.h describes the key of operators.  Relations between buffers, pools and other
 * constraints have keys that relations.h describes.
 *
 * Other keys are errors.  Numbers are whole, up to 2^63 - 1.  A problem that came from a table
 * loses its columns.
 */
#ifndef FILES_JSON_PROBLEM_H
#define FILES_JSON_PROBLEM_H

#include "files/json/document.h"
#include "files/json/json.h"
#include "files/text_builder.h"
#include "model/problem.h"
#include "neap/neap-io.h"

/* Reads a problem, or the problem of a plan or of a graph. */
neap_status json_problem_read(char *text, size_t size, const neap_reading *reading,
                              neap_problem **problem, neap_error *error);

/* Like json_problem_read, for a text that had `stored` bytes in the file. */
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

/* ---------------------------------------------------------------- relations */

/*
 * The constraints of a problem beyond sizes and lifetimes, as JSON.  At the root, all optional:
 *
 *     "pools": [{"name": "sram", "capacity": 262144, "alignment": 16, "base": "0x20000000",
 *                "cost": 1}, ...]                       capacity null or missing: unlimited
 *     "reserved": [{"pool": "sram", "bytes": [0, 1024], "when": [0, 5]}, ...]
 *                          pool: not needed with one pool or none; when missing: always
 *     "objective": ["peak", "spill", "reuse", "moved"]  missing terms follow in this default order:
 *                                                       spill, peak, reuse, moved
 *     "separations": [{"buffers": ["a", "b"]}, ...]     never share a byte
 *     "exclusions": [{"buffers": ["a", "b"]}, ...]      may share bytes though alive together
 *     "overlaps": [{"first": "out", "second": "in", "bytes": 64}, ...]
 *                          `in` may begin 64 bytes above the beginning of `out`, or higher
 *     "colocations": [{"first": "a", "second": "b", "offset": -64}, ...]
 *                          offset of b = offset of a - 64; without "offset": the same offset
 *     "bank_separations": [{"buffers": ["a", "b"], "bank": 4096}, ...]
 *     "reuse_penalties": [{"buffers": ["a", "b"], "cost": 7}, ...]
 *     "conflicts": [["a", "b"], ...]                    without lifetimes: separations
 *     "conflict_matrix": [[0, 1], [1, 0]]               the same, by the order of the buffers
 *
 * A list "buffers" with more than two names relates all pairs of them.  Every relation may have a
 * "reason", any text.  With "conflicts" or "conflict_matrix", buffers have no lifetimes: each is
 * alive at a moment of its own.  In a buffer:
 *
 *     "window": [1024, 8192]      its bytes lie in [1024, 8192); null instead of 8192: no end
 *     "bank": 4096                it does not cross a multiple of this
 *     "pools": ["sram", "dram"]   where it may be, the preferred pool first
 *     "near": 512                 where an earlier plan has it
 *     "move_cost": 3              what it costs to move it from there; missing: its size
 */

/* The keys of the root and of a buffer, separated by commas, for lists of keys. */
#define JSON_RELATIONS_KEYS                                                                 \
  "pools", "reserved", "objective", "separations", "exclusions", "overlaps", "colocations", \
      "bank_separations", "reuse_penalties"
#define JSON_RELATIONS_CONFLICT_KEYS "conflicts", "conflict_matrix"
#define JSON_RELATIONS_BUFFER_KEYS "window", "bank", "pools", "near", "move_cost"

/* Reads the pools, which buffers may then name. */
neap_status json_relations_read_pools(const struct json_at *root, neap_problem *problem,
                                      neap_error *error);

/* The pools of the current buffer; release `pools` with free(). */
struct json_pool_list {
  size_t *pools;
  size_t capacity;
};

/* Reads the limits of a buffer, whose size is set.  It uses `list` until the next call. */
neap_status json_relations_read_buffer(const struct json_at *at, const neap_problem *problem,
                                       struct json_pool_list *list, neap_buffer *buffer,
                                       neap_error *error);

/* Reads the name of a pool. */
neap_status json_relations_read_pool(const struct json_at *at, const neap_problem *problem,
                                     size_t *pool, neap_error *error);

/* Whether conflicts replace lifetimes. */
bool json_relations_replace_lifetimes(const struct json_at *root);

/* Reads what is left at the root, once all buffers are known. */
neap_status json_relations_read(const struct json_at *root, neap_problem *problem,
                                neap_error *error);

/* Adds the place of a contradiction to the error of neap_problem_check; returns `status`. */
neap_status json_relations_place(const struct json_at *root, const neap_problem *problem,
                                 neap_status status, neap_error *error);

/* Append lines of the root, and members of a buffer. */
void json_relations_append(const neap_problem *problem, struct row *row);
void json_relations_append_buffer(const neap_problem *problem, size_t index, struct row *row);

#endif
