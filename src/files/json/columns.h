/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Many buffers by column, which is quicker to parse and smaller when compressed.  A page with
 * at least JSON_COLUMNS_FROM buffers has `columns` instead of `buffers`: a list of objects,
 * each with the values of up to JSON_CHUNK buffers, for each key that any of them has; null
 * where a buffer lacks it.
 *
 *     "columns": [
 *       {
 *         "name": ["conv1", "conv2", ...],
 *         "size": [4096, 1024, ...],
 *         "start": [0, 3, ...], "end": [4, 5, ...],
 *         "offset": [0, 4096, ...],
 *         "hint": [null, "ADD", ...]
 *       }, ...
 *     ]
 *
 * A buffer with one lifetime has its `start` and its `end` instead of `lifetimes`.  Keys that
 * follow from others (end_offset, start_address, end_address) are omitted.
 *
 * The writer takes columns from the text of the buffers, and the reader makes buffers of
 * columns again, so neither needs to know which keys there are.
 */
#ifndef FILES_JSON_COLUMNS_H
#define FILES_JSON_COLUMNS_H

#include "files/json/document.h"
#include "files/text_builder.h"

enum { JSON_COLUMNS_FROM = 20000, JSON_CHUNK = 4096 };

/* Initialise with {.stream = ...}. */
struct json_columns {
  FILE *stream;
  struct json_column *list; /* the keys seen so far */
  size_t count, capacity;
  size_t filled; /* objects in this chunk */
  bool has_written;
};

/* Adds an object, given as text without its braces.  Writes a chunk when it is full. */
neap_status json_columns_add(struct json_columns *columns, const struct row *object,
                             neap_error *error);

/* Writes the last chunk. */
neap_status json_columns_end(struct json_columns *columns, neap_error *error);
void json_columns_clear(struct json_columns *columns);

/*
 * Visits the objects of a list, by column or not.  Initialise with the document and the list of
 * the cursor.
 */
struct json_rows {
  struct json_cursor cursor;
  size_t next, count; /* in the chunk */
  json_t *element;    /* NULL after the last */
};

neap_status json_rows_next(struct json_rows *rows, neap_error *error);
void json_rows_clear(struct json_rows *rows);

#endif
