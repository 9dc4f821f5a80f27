/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/columns.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "files/json/json.h"
#include "files/json/scan.h"

/* ---------------------------------------------------------------- writing */

struct json_column {
  char *key; /* with its quotes */
  size_t length;
  struct row values; /* of the first `filled` objects of the chunk, with commas between them */
  size_t filled;
};

void json_columns_clear(struct json_columns *columns) {
  for (size_t i = 0; i < columns->count; i++) {
    free(columns->list[i].key);
    row_clear(&columns->list[i].values);
  }
  free(columns->list);
}

static struct json_column *add_column(struct json_columns *columns, const char *key,
                                      size_t length) {
  if (!memory_reserve(&columns->list, &columns->capacity, columns->count + 1,
                      sizeof *columns->list))
    return NULL;
  struct json_column *column = &columns->list[columns->count];
  *column = (struct json_column){.key = memory_text(key, length), .length = length};
  if (!column->key) return NULL;
  columns->count++;
  return column;
}

/*
 * The column of a key.  Objects have their keys in the same order, so the search begins at
 * `hint`.
 */
static struct json_column *column_of(struct json_columns *columns, const char *key,
                                     size_t length, size_t hint) {
  for (size_t i = 0; i < columns->count; i++) {
    struct json_column *column = &columns->list[(hint + i) % columns->count];
    if (column->length == length && memcmp(column->key, key, length) == 0) return column;
  }
  return add_column(columns, key, length);
}

/* Appends nulls for the objects before `count` that lack the key. */
static void fill(struct json_column *column, size_t count) {
  for (; column->filled < count; column->filled++)
    row_string(&column->values, column->filled > 0 ? ",null" : "null");
}

/* Adds a value of the last object; the search for its column begins at *hint. */
static bool add_value(struct json_columns *columns, const char *key, size_t key_length,
                      const char *value, size_t length, size_t *hint) {
  struct json_column *column = column_of(columns, key, key_length, *hint);
  if (!column) return false;
  fill(column, columns->filled);
  if (column->filled++ > 0) row_char(&column->values, ',');
  row_append(&column->values, value, length);
  *hint = (size_t)(column - columns->list) + 1;
  return !column->values.failed;
}

/* Lifetimes such as [[0, 3]] become a start and an end. */
static bool add_lifetimes(struct json_columns *columns, const char *value, size_t length,
                          size_t *hint) {
  static const char all[] = "\"lifetimes\"", start[] = "\"start\"", end[] = "\"end\"";
  const char *comma = memchr(value, ',', length), *close = memchr(value, ']', length);
  if (!comma || close != value + length - 2)
    return add_value(columns, all, sizeof all - 1, value, length, hint);
  return add_value(columns, start, sizeof start - 1, value + 2, (size_t)(comma - value - 2),
                   hint) &&
         add_value(columns, end, sizeof end - 1, comma + 2, (size_t)(close - comma - 2), hint);
}

static bool add_object(struct json_columns *columns, const char *text, size_t size) {
  size_t at = 0, hint = 0;
  while ((at = scan_blank(text, size, at)) < size) {
    size_t key_end = scan_string(text, size, at);
    size_t value = scan_blank(text, size, scan_blank(text, size, key_end) + 1);
    size_t stop = scan_element(text, size, value);
    const char *key = text + at;
    size_t length = key_end - at;
    bool is_lifetimes = length == 11 && memcmp(key, "\"lifetimes\"", 11) == 0;
    if (is_lifetimes ? !add_lifetimes(columns, text + value, stop - value, &hint)
                     : !add_value(columns, key, length, text + value, stop - value, &hint))
      return false;
    at = stop + 1;
  }
  return true;
}

static neap_status write_column(const struct json_columns *columns, struct json_column *column,
                                const char *before, neap_error *error) {
  struct row row = {0};
  fill(column, columns->filled);
  row_string(&row, before);
  row_append(&row, column->key, column->length);
  row_string(&row, ": [");
  neap_status status = row_write(&row, columns->stream, error);
  row_char(&column->values, ']');
  if (status == NEAP_OK) status = row_write(&column->values, columns->stream, error);
  row_clear(&row);
  column->filled = 0;
  return status;
}

neap_status json_columns_end(struct json_columns *columns, neap_error *error) {
  const char *before = columns->has_written ? ",\n    {" : "\n    {";
  neap_status status = NEAP_OK;
  if (columns->filled == 0) return NEAP_OK;
  for (size_t i = 0; i < columns->count && status == NEAP_OK; i++) {
    if (columns->list[i].filled == 0) continue;
    status = write_column(columns, &columns->list[i], before, error);
    before = ",\n     ";
  }
  if (status == NEAP_OK && fputc('}', columns->stream) == EOF)
    status = error_system(error, "", "cannot write");
  columns->filled = 0;
  columns->has_written = true;
  return status;
}

neap_status json_columns_add(struct json_columns *columns, const struct row *object,
                             neap_error *error) {
  if (object->failed || !add_object(columns, object->text, object->length))
    return error_memory(error);
  columns->filled++;
  return columns->filled < JSON_CHUNK ? NEAP_OK : json_columns_end(columns, error);
}

/* ---------------------------------------------------------------- reading */

void json_rows_clear(struct json_rows *rows) {
  json_decref(rows->element);
  rows->element = NULL;
  json_cursor_clear(&rows->cursor);
}

/* Checks that a chunk has arrays of equal lengths, and sets their length. */
static neap_status check_chunk(json_t *chunk, size_t *count, neap_error *error) {
  struct json_at root = json_root(NULL), at = {chunk, &root, "columns", 0, NULL};
  const char *key;
  json_t *values;
  *count = 0;
  if (!json_is_object(chunk)) return json_blame(&at, error, "expected an object");
  json_object_foreach(chunk, key, values) {
    struct json_at column = {.value = values, .parent = &at, .key = key};
    size_t length;
    neap_status status = json_read_array(&column, &length, error);
    if (status != NEAP_OK) return status;
    if (*count > 0 && length != *count)
      return json_blame(&column, error, "expected %zu values, found %zu", *count, length);
    *count = length;
  }
  return *count > 0 ? NEAP_OK : json_blame(&at, error, "expected a value, found none");
}

static json_t *pair(json_t *first, json_t *second) {
  json_t *pair = json_array(), *list = json_array();
  bool good = json_array_append(pair, first) == 0 && json_array_append(pair, second) == 0 &&
              json_array_append(list, pair) == 0;
  json_decref(pair);
  if (good) return list;
  json_decref(list);
  return NULL;
}

/* The object in a row of a chunk; NULL if memory is short. */
static json_t *make_object(json_t *chunk, size_t row) {
  json_t *object = json_object(), *values;
  const char *key;
  bool good = object;
  json_object_foreach(chunk, key, values) {
    json_t *value = json_array_get(values, row);
    if (!json_is_null(value)) good = good && json_object_set(object, key, value) == 0;
  }
  json_t *start = json_object_get(object, "start"), *end = json_object_get(object, "end");
  if (good && start && end) {
    good = json_object_set_new(object, "lifetimes", pair(start, end)) == 0;
    json_object_del(object, "start");
    json_object_del(object, "end");
  }
  if (good) return object;
  json_decref(object);
  return NULL;
}

neap_status json_rows_next(struct json_rows *rows, neap_error *error) {
  struct json_cursor *cursor = &rows->cursor;
  neap_status status = NEAP_OK;
  json_decref(rows->element);
  rows->element = NULL;
  if (!cursor->document->in_columns) {
    status = json_cursor_next(cursor, error);
    rows->element = json_incref(cursor->element);
    return status;
  }
  if (rows->next == rows->count) {
    rows->next = 0;
    status = json_cursor_next(cursor, error);
    if (status != NEAP_OK || !cursor->element) return status;
    status =
        json_cursor_place(cursor, check_chunk(cursor->element, &rows->count, error), error);
    if (status != NEAP_OK) return status;
  }
  rows->element = make_object(cursor->element, rows->next++);
  return rows->element ? NEAP_OK : error_memory(error);
}
