/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many buffers in little space.  A page with more than JSON_BLOCKS_FROM buffers has `blocks` instead of
 * `buffers`: a list of objects, each with the columns of up to JSON_BLOCK buffers.
 *
 *     "blocks": [
 *       {
 *         "count": 4096,
 *         "columns": {
 *           "name": {"texts": "conv1,2,3/out", "between": ",", "shared": "AAQE"},
 *           "size": {"numbers": "gBCAIA..."},
 *           "lifetimes": {"starts": {"deltas": "AAIC..."}, "durations": {"numbers": "AwEB..."}},
 *           "offset": {"deltas": "AIAg..."},
 *           "hint": {"values": ["conv", "add"], "index": "AQEC..."},
 *           "alignment": {"values": [64]}
 *         }
 *       }, ...
 *     ]
 *
 * There is a column for each key that any of these buffers has:
 *
 *     numbers         a whole number for each buffer, packed (formats/json/packed.h)
 *     deltas          differences to the number before, the first to 0; folded, then packed
 *     values, index   for each buffer, packed: 0 if it has no such key, else k for the k-th of the
 *                     values, which may be any JSON; without an index all buffers have the first
 *     texts           strings with `between` after all but the last; each begins with the first
 *                     characters of the string before, as many as `shared` says for it, packed, at
 *                     most JSON_BLOCK_SHARED
 *     starts,         lifetimes: columns of numbers or deltas for the ranges of all buffers, and
 *     durations,      packed for each buffer how many ranges it has; without `counts` each has one
 *     counts
 *
 * Keys that follow from others (end_offset, start_address, end_address) are omitted.
 *
 * The page decodes columns into typed arrays, and names when they are needed.  The writer makes columns
 * from the text of the buffers, and the reader makes buffers from columns again, so neither needs to know
 * which keys there are.
 */
#ifndef FORMATS_JSON_BLOCKS_H
#define FORMATS_JSON_BLOCKS_H

#include <stdio.h>

#include "formats/json/document.h"
#include "formats/row.h"

enum { JSON_BLOCKS_FROM = 20000, JSON_BLOCK = 4096, JSON_BLOCK_SHARED = 255 };

/* ---------------------------------------------------------------- writing */

/* Initialise with {.stream = ...}. */
struct json_packer {
  FILE *stream;
  struct row rows;             /* the text of the block's objects */
  struct json_column *columns; /* the keys seen so far */
  size_t column_count, column_capacity;
  size_t count; /* objects in this block */
  bool has_written;
};

/* Adds an object, given as text without its braces.  Writes a block when it is full. */
neap_status json_packer_add(struct json_packer *packer, const struct row *object,
                            neap_error *error);

/* Writes the last block. */
neap_status json_packer_end(struct json_packer *packer, neap_error *error);
void json_packer_clear(struct json_packer *packer);

/* ---------------------------------------------------------------- reading */

struct json_block;

/* Visits the objects of a list, whether it is written in blocks or not.  Initialise with {.cursor =
 * {.document = ..., .list = ...}}. */
struct json_rows {
  struct json_cursor cursor;
  struct json_block *block; /* NULL: the list is not in blocks */
  size_t next;              /* in the block */
  json_t *element;          /* NULL after the last */
};

neap_status json_rows_next(struct json_rows *rows, neap_error *error);
void json_rows_clear(struct json_rows *rows);

#endif
