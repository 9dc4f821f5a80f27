/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/json/json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"

bool json_is(const char *text, size_t size, const neap_reading *reading) {
  size_t at = 0;
  (void)reading;
  while (at < size && strchr(" \t\r\n", text[at]) && text[at])
    at++;
  return at < size && (text[at] == '{' || text[at] == '[');
}

/* ---------------------------------------------------------------- paths of values */

struct json_at json_member(const struct json_at *object, const char *key) {
  return (struct json_at){json_object_get(object->value, key), object, key, 0, NULL};
}

struct json_at json_element(const struct json_at *array, size_t index) {
  return (struct json_at){json_array_get(array->value, index), array, NULL, index, NULL};
}

/*
 * A key may come from the file, so the path shows it escaped like any other text, without
 * quotes.
 */
static const char *shown_key(char excerpt[TEXT_EXCERPT], const char *key) {
  text_excerpt(excerpt, key, strlen(key));
  excerpt[strlen(excerpt) - 1] = '\0';
  return excerpt + 1;
}

/* Writes "buffers[3].size" into `path`, truncated to fit; returns its length. */
static size_t write_path(const struct json_at *at, char *path, size_t size) {
  if (!at->parent) {
    path[0] = '\0';
    return 0;
  }
  char key[TEXT_EXCERPT];
  size_t length = write_path(at->parent, path, size);
  int written = at->key ? snprintf(path + length, size - length, "%s%s", length ? "." : "",
                                   shown_key(key, at->key))
                        : snprintf(path + length, size - length, "[%zu]", at->index);
  length += written > 0 ? (size_t)written : 0;
  return text_utf8_prefix(path, length < size ? length : size - 1);
}

neap_status json_place(const struct json_at *at, neap_status status, neap_error *error) {
  if (status == NEAP_OK || !error) return status;
  error->status = status;
  json_document_place(at, error);
  if (!at->parent) return status;
  char path[128], text[sizeof error->text];
  path[write_path(at, path, sizeof path)] = '\0';
  memcpy(text, error->text, sizeof text);
  snprintf(error->text, sizeof error->text, "%s: %.*s", path,
           (int)(sizeof error->text - sizeof path - 3), text);
  return status;
}

neap_status json_blame(const struct json_at *at, neap_error *error, const char *format, ...) {
  if (!error) return NEAP_ERROR_INPUT;
  char text[sizeof error->text];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return json_place(at, error_set(error, NEAP_ERROR_INPUT, "%s", text), error);
}

/* ---------------------------------------------------------------- types of values */

static const char *kind_of(const json_t *value) {
  switch (json_typeof(value)) {
  case JSON_OBJECT:
    return "an object";
  case JSON_ARRAY:
    return "an array";
  case JSON_STRING:
    return "a string";
  case JSON_INTEGER:
    return "a whole number";
  case JSON_REAL:
    return "a number with a fraction or an exponent";
  case JSON_TRUE:
    return "true";
  case JSON_FALSE:
    return "false";
  case JSON_NULL:
    return "null";
  }
  return "another type";
}

static neap_status refuse(const struct json_at *at, const char *expected, neap_error *error) {
  neap_status status = json_blame(at, error, "expected %s, found %s", expected,
                                  at->value ? kind_of(at->value) : "no such key");
  json_document_show_example(at, error);
  return status;
}

static neap_status refuse_key(const struct json_at *at, const char *key,
                              const char *const *keys, neap_error *error) {
  struct json_at member = {.parent = at, .key = key};
  neap_status status = json_blame(&member, error, "unknown key; expected one of");
  for (size_t i = 0; keys[i]; i++)
    error_append(error, i > 0 ? ", " : " ", keys[i]);
  json_document_show_example(at, error);
  return status;
}

neap_status json_read_object(const struct json_at *at, const char *const *keys,
                             neap_error *error) {
  if (!json_is_object(at->value)) return refuse(at, "an object", error);
  if (!keys) return NEAP_OK;
  for (void *entry = json_object_iter(at->value); entry;
       entry = json_object_iter_next(at->value, entry)) {
    const char *key = json_object_iter_key(entry);
    size_t known = 0;
    while (keys[known] && strcmp(keys[known], key) != 0)
      known++;
    if (!keys[known]) return refuse_key(at, key, keys, error);
  }
  return NEAP_OK;
}

neap_status json_read_array(const struct json_at *at, size_t *count, neap_error *error) {
  if (!json_is_array(at->value)) return refuse(at, "an array", error);
  *count = json_array_size(at->value);
  return NEAP_OK;
}

/* Whether a number such as 1e6 or 4096.0 has an exact value of digits only. */
static bool is_whole(const json_t *value) {
  double real = json_is_real(value) ? json_real_value(value) : -1;
  return real >= 0 && real <= 9007199254740992.0 && real == (double)(int64_t)real;
}

neap_status json_read_number(const struct json_at *at, int64_t low, int64_t *number,
                             neap_error *error) {
  if (is_whole(at->value))
    return json_blame(at, error,
                      "expected a whole number without a point or an exponent; write %.0f",
                      json_real_value(at->value));
  if (!json_is_integer(at->value)) return refuse(at, "a whole number", error);
  *number = json_integer_value(at->value);
  if (*number >= low) return NEAP_OK;
  return json_blame(at, error, "expected a whole number of %" PRId64 " or more, found %" PRId64,
                    low, *number);
}

neap_status json_read_string(const struct json_at *at, const char **string, neap_error *error) {
  if (!json_is_string(at->value)) return refuse(at, "a string", error);
  *string = json_string_value(at->value);
  return NEAP_OK;
}

neap_status json_read_boolean(const struct json_at *at, bool *boolean, neap_error *error) {
  if (!json_is_boolean(at->value)) return refuse(at, "true or false", error);
  *boolean = json_is_true(at->value);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- addresses */

static bool parse_address(const char *text, uint64_t *address) {
  static const char digits[] = "0123456789abcdef0123456789ABCDEF";
  size_t length = strlen(text);
  if (strncmp(text, "0x", 2) != 0 || length < 3 || length > 18) return false;
  *address = 0;
  for (const char *at = text + 2; *at; at++) {
    const char *digit = strchr(digits, *at);
    if (!digit) return false;
    *address = *address << 4 | (uint64_t)(digit - digits) % 16;
  }
  return true;
}

neap_status json_address_read(const struct json_at *at, uint64_t *address, neap_error *error) {
  const char *text = NULL;
  neap_status status = json_read_string(at, &text, error);
  if (status != NEAP_OK || parse_address(text, address)) return status;
  char excerpt[TEXT_EXCERPT];
  return json_blame(at, error, "expected an address such as \"0x20000000\", found %s",
                    text_excerpt(excerpt, text, strlen(text)));
}

void json_address_append(uint64_t address, struct row *row) {
  row_char(row, '"');
  row_hex(row, address);
  row_char(row, '"');
}

/* ---------------------------------------------------------------- shapes */

static neap_status read_dimensions(const struct json_at *list, struct json_dimensions *room,
                                   struct tensor_shape *shape, neap_error *error) {
  neap_status status = json_read_array(list, &shape->rank, error);
  if (status != NEAP_OK) return status;
  if (shape->rank > NEAP_RANK_MAX)
    return json_blame(list, error, "expected at most %d dimensions, found %zu", NEAP_RANK_MAX,
                      shape->rank);
  if (!memory_reserve(&room->items, &room->capacity, shape->rank + 1, sizeof *room->items))
    return error_memory(error);
  for (size_t d = 0; d < shape->rank && status == NEAP_OK; d++) {
    struct json_at at = json_element(list, d);
    status = json_read_number(&at, -1, &room->items[d], error);
  }
  shape->dimensions = room->items;
  return status;
}

neap_status json_shape_read(const struct json_at *object, struct json_dimensions *room,
                            struct tensor_shape *shape, neap_error *error) {
  struct json_at list = json_member(object, "shape"), type = json_member(object, "dtype");
  neap_status status = NEAP_OK;
  *shape = (struct tensor_shape){0};
  if (list.value) status = read_dimensions(&list, room, shape, error);
  if (status == NEAP_OK && type.value) status = json_read_string(&type, &shape->type, error);
  return status;
}

void json_shape_append(const struct shapes *shapes, size_t item, struct row *row) {
  const struct tensor_shape shape = shapes_of(shapes, item);
  if (shape.dimensions) {
    row_string(row, ", \"shape\": [");
    for (size_t d = 0; d < shape.rank; d++) {
      if (d > 0) row_string(row, ", ");
      row_number(row, shape.dimensions[d]);
    }
    row_char(row, ']');
  }
  if (!shape.type) return;
  row_string(row, ", \"dtype\": ");
  row_json(row, shape.type);
}

/* ---------------------------------------------------------------- missing parts */

static neap_status add_missing(const struct json_at *at, struct names *missing,
                               neap_error *error) {
  const char *text = NULL;
  neap_status status = json_read_string(at, &text, error);
  if (status != NEAP_OK) return status;
  return names_include(missing, text, strlen(text)) ? NEAP_OK : error_memory(error);
}

neap_status json_missing_read(const struct json_at *root, struct names *missing,
                              neap_error *error) {
  struct json_at list = json_member(root, "missing");
  size_t count = 0;
  if (!list.value) return NEAP_OK;
  neap_status status = json_read_array(&list, &count, error);
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    struct json_at at = json_element(&list, i);
    status = add_missing(&at, missing, error);
  }
  return status;
}

void json_texts_append(const struct names *texts, struct row *row) {
  row_char(row, '[');
  for (size_t i = 0; i < texts->count; i++) {
    if (i > 0) row_string(row, ", ");
    row_json(row, names_text(texts, i));
  }
  row_char(row, ']');
}
