/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "formats/json/blocks.h"
#include "formats/json/packed.h"

enum form { FORM_NUMBERS, FORM_VALUES, FORM_TEXTS, FORM_RANGES };

struct column {
  const char *key;
  enum form form;
  uint64_t *numbers;    /* numbers; the index of values; shared characters; counts of ranges */
  const json_t *values; /* an array */
  const char *texts;    /* the rest of the next string and of those after it */
  size_t texts_length;
  char between;
  struct row text;              /* the last string */
  uint64_t *starts, *durations; /* of ranges */
  size_t range;                 /* the next one */
};

struct json_block {
  json_t *source;
  size_t count, column_count;
  struct column *columns;
};

/* ---------------------------------------------------------------- numbers */

/* Reads a member that is a packed list. */
static neap_status read_packed(const struct json_at *at, size_t count, uint64_t **numbers,
                               neap_error *error) {
  const char *text;
  neap_status status = json_read_string(at, &text, error);
  if (status != NEAP_OK) return status;
  if (count > json_string_length(at->value)) /* each takes at least a byte, and may not exist */
    return json_blame(at, error, "expected %zu packed numbers", count);
  free(*numbers);
  *numbers = memory_array(count, sizeof **numbers);
  if (!*numbers) return error_memory(error);
  if (packed_read(text, strlen(text), *numbers, count)) return NEAP_OK;
  return json_blame(at, error, "expected %zu packed numbers", count);
}

/* Makes numbers of differences; false if one is negative or too large. */
static bool add_up(uint64_t *numbers, size_t count) {
  int64_t sum = 0;
  for (size_t i = 0; i < count; i++) {
    if (!checked_add(sum, packed_unfold(numbers[i]), &sum) || sum < 0) return false;
    numbers[i] = (uint64_t)sum;
  }
  return true;
}

static bool are_whole(const uint64_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (numbers[i] > INT64_MAX) return false;
  return true;
}

/* Reads an object with `numbers` or `deltas`. */
static neap_status read_numbers(const struct json_at *at, size_t count, uint64_t **numbers,
                                neap_error *error) {
  static const char *const keys[] = {"numbers", "deltas", NULL};
  neap_status status = json_read_object(at, keys, error);
  if (status != NEAP_OK) return status;
  struct json_at plain = json_member(at, "numbers"), deltas = json_member(at, "deltas");
  status = read_packed(deltas.value ? &deltas : &plain, count, numbers, error);
  if (status != NEAP_OK) return status;
  bool good = deltas.value ? add_up(*numbers, count) : are_whole(*numbers, count);
  return good ? NEAP_OK : json_blame(at, error, "expected numbers in 0 .. 2^63 - 1");
}

/* ---------------------------------------------------------------- the forms */

static neap_status read_values(const struct json_at *at, size_t count, struct column *column,
                               neap_error *error) {
  static const char *const keys[] = {"values", "index", NULL};
  struct json_at values = json_member(at, "values"), index = json_member(at, "index");
  size_t value_count;
  column->form = FORM_VALUES;
  column->values = values.value;
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = json_read_array(&values, &value_count, error);
  if (status != NEAP_OK) return status;
  if (!index.value)
    return value_count == 1
               ? NEAP_OK
               : json_blame(&values, error,
                            "expected one value, as there is no index, found %zu", value_count);
  status = read_packed(&index, count, &column->numbers, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++)
    if (column->numbers[i] > value_count)
      status =
          json_blame(&index, error, "expected at most %zu, the number of values", value_count);
  return status;
}

static neap_status read_texts(const struct json_at *at, size_t count, struct column *column,
                              neap_error *error) {
  static const char *const keys[] = {"texts", "between", "shared", NULL};
  struct json_at texts = json_member(at, "texts"), between = json_member(at, "between"),
                 shared = json_member(at, "shared");
  const char *separator;
  column->form = FORM_TEXTS;
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = json_read_string(&texts, &column->texts, error);
  if (status == NEAP_OK) status = json_read_string(&between, &separator, error);
  if (status == NEAP_OK) status = read_packed(&shared, count, &column->numbers, error);
  if (status != NEAP_OK) return status;
  column->texts_length = strlen(column->texts);
  column->between = separator[0];
  if (strlen(separator) != 1)
    return json_blame(&between, error, "expected a string of one byte");
  size_t found = 1;
  for (size_t i = 0; i < column->texts_length; i++)
    found += column->texts[i] == column->between;
  return found == count
             ? NEAP_OK
             : json_blame(&texts, error, "expected %zu strings, found %zu", count, found);
}

/* How many ranges all objects have. */
static neap_status count_ranges(const struct json_at *counts, size_t count,
                                struct column *column, size_t *total, neap_error *error) {
  *total = count;
  if (!counts->value) return NEAP_OK;
  neap_status status = read_packed(counts, count, &column->numbers, error);
  *total = 0;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    if (column->numbers[i] > SIZE_MAX - *total)
      return json_blame(counts, error, "expected numbers of ranges, found too large a one");
    *total += (size_t)column->numbers[i];
  }
  return status;
}

static neap_status read_ranges(const struct json_at *at, size_t count, struct column *column,
                               neap_error *error) {
  static const char *const keys[] = {"starts", "durations", "counts", NULL};
  struct json_at starts = json_member(at, "starts"), durations = json_member(at, "durations"),
                 counts = json_member(at, "counts");
  size_t total = 0;
  column->form = FORM_RANGES;
  neap_status status = json_read_object(at, keys, error);
  if (status == NEAP_OK) status = count_ranges(&counts, count, column, &total, error);
  if (status == NEAP_OK) status = read_numbers(&starts, total, &column->starts, error);
  if (status == NEAP_OK) status = read_numbers(&durations, total, &column->durations, error);
  for (size_t i = 0; i < total && status == NEAP_OK; i++)
    if (column->durations[i] > INT64_MAX - column->starts[i])
      status = json_blame(at, error, "expected ranges that end before 2^63");
  return status;
}

static neap_status read_column(const struct json_at *at, size_t count, struct column *column,
                               neap_error *error) {
  column->key = at->key;
  if (json_object_get(at->value, "values")) return read_values(at, count, column, error);
  if (json_object_get(at->value, "texts")) return read_texts(at, count, column, error);
  if (json_object_get(at->value, "starts")) return read_ranges(at, count, column, error);
  column->form = FORM_NUMBERS;
  return read_numbers(at, count, &column->numbers, error);
}

/* ---------------------------------------------------------------- a block */

static void block_free(struct json_block *block) {
  if (!block) return;
  for (size_t i = 0; i < block->column_count; i++) {
    struct column *column = &block->columns[i];
    free(column->numbers);
    free(column->starts);
    free(column->durations);
    row_clear(&column->text);
  }
  free(block->columns);
  json_decref(block->source);
  free(block);
}

static neap_status read_count(const struct json_at *at, size_t *count, neap_error *error) {
  int64_t number = 0;
  neap_status status = json_read_number(at, 1, &number, error);
  *count = (size_t)number;
  if (status != NEAP_OK || number <= JSON_BLOCK) return status;
  return json_blame(at, error, "expected at most %d", JSON_BLOCK);
}

static neap_status read_columns(const struct json_at *at, struct json_block *block,
                                neap_error *error) {
  if (!json_is_object(at->value)) return json_blame(at, error, "expected an object");
  block->columns = memory_array(json_object_size(at->value), sizeof *block->columns);
  if (!block->columns) return error_memory(error);
  const char *key;
  json_t *value;
  json_object_foreach(at->value, key, value) {
    struct json_at column = {.value = value, .parent = at, .key = key};
    neap_status status =
        read_column(&column, block->count, &block->columns[block->column_count++], error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

/* The block refers to strings of its source, which it keeps. */
static neap_status block_read(json_t *source, struct json_block **block, neap_error *error) {
  static const char *const keys[] = {"count", "columns", NULL};
  struct json_at root = json_root(NULL), at = {source, &root, "block", 0, NULL},
                 count = json_member(&at, "count"), columns = json_member(&at, "columns");
  struct json_block *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->source = json_incref(source);
  neap_status status = json_read_object(&at, keys, error);
  if (status == NEAP_OK) status = read_count(&count, &made->count, error);
  if (status == NEAP_OK) status = read_columns(&columns, made, error);
  if (status == NEAP_OK) *block = made;
  else block_free(made);
  return status;
}

/* ---------------------------------------------------------------- objects */

static json_t *next_text(struct column *column, size_t shared) {
  const char *rest = column->texts, *end = memchr(rest, column->between, column->texts_length);
  size_t length = end ? (size_t)(end - rest) : column->texts_length,
         used = length + (end != NULL);
  column->text.length = shared;
  row_append(&column->text, rest, length);
  column->texts += used;
  column->texts_length -= used;
  return column->text.failed ? NULL : json_stringn(column->text.text, column->text.length);
}

static json_t *next_lifetimes(struct column *column, size_t count) {
  json_t *list = json_array();
  for (size_t k = 0; k < count && list; k++) {
    int64_t start = (int64_t)column->starts[column->range],
            duration = (int64_t)column->durations[column->range];
    column->range++;
    json_t *range = json_array();
    if (json_array_append_new(list, range) != 0) {
      json_decref(list);
      return NULL;
    }
    if (json_array_append_new(range, json_integer(start)) != 0 ||
        json_array_append_new(range, json_integer(start + duration)) != 0) {
      json_decref(list);
      return NULL;
    }
  }
  return list;
}

/* The value of a column for object i, if it has one: those of all objects in turn. */
static json_t *next_value(struct column *column, size_t i) {
  uint64_t number = column->numbers ? column->numbers[i] : 1;
  switch (column->form) {
  case FORM_NUMBERS:
    return json_integer((json_int_t)number);
  case FORM_VALUES:
    return json_incref(json_array_get(column->values, (size_t)number - 1));
  case FORM_TEXTS:
    return next_text(column, (size_t)number);
  default:
    return next_lifetimes(column, (size_t)number);
  }
}

static bool lacks(const struct column *column, size_t i) {
  return column->form == FORM_VALUES && column->numbers && column->numbers[i] == 0;
}

/* A text that begins with more characters than may be shared, or than there are. */
static bool is_torn(const struct column *column, size_t i) {
  return column->form == FORM_TEXTS &&
         (column->numbers[i] > column->text.length || column->numbers[i] > JSON_BLOCK_SHARED);
}

static neap_status block_next(struct json_block *block, size_t i, json_t **element,
                              neap_error *error) {
  json_t *object = json_object();
  if (!object) return error_memory(error);
  for (size_t k = 0; k < block->column_count; k++) {
    struct column *column = &block->columns[k];
    if (lacks(column, i)) continue;
    if (is_torn(column, i)) {
      json_decref(object);
      return error_set(error, NEAP_ERROR_INPUT,
                       "block.columns.%s: text %zu shares %" PRIu64
                       " bytes with the one before, which has %zu; at most %d may be shared",
                       column->key, i, column->numbers[i], column->text.length,
                       JSON_BLOCK_SHARED);
    }
    json_t *value = next_value(column, i);
    if (!value || json_object_set_new(object, column->key, value) != 0) {
      json_decref(object);
      return error_memory(error);
    }
  }
  *element = object;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- lists */

void json_rows_clear(struct json_rows *rows) {
  block_free(rows->block);
  rows->block = NULL;
  json_decref(rows->element);
  rows->element = NULL;
  json_cursor_clear(&rows->cursor);
}

/* Goes to the next block; without one, rows->block is NULL. */
static neap_status next_block(struct json_rows *rows, neap_error *error) {
  block_free(rows->block);
  rows->block = NULL;
  rows->next = 0;
  neap_status status = json_cursor_next(&rows->cursor, error);
  if (status != NEAP_OK || !rows->cursor.element) return status;
  return json_cursor_place(&rows->cursor, block_read(rows->cursor.element, &rows->block, error),
                           error);
}

neap_status json_rows_next(struct json_rows *rows, neap_error *error) {
  neap_status status = NEAP_OK;
  json_decref(rows->element);
  rows->element = NULL;
  if (!rows->cursor.document->in_blocks) {
    status = json_cursor_next(&rows->cursor, error);
    rows->element = json_incref(rows->cursor.element);
    return status;
  }
  if (!rows->block || rows->next == rows->block->count) status = next_block(rows, error);
  if (status != NEAP_OK || !rows->block) return status;
  status = block_next(rows->block, rows->next++, &rows->element, error);
  return json_cursor_place(&rows->cursor, status, error);
}
