/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dsa/canonical.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

/* ---------------------------------------------------------------- strings */

/*
 * Escapes only what JSON requires, in lower-case hexadecimal.  row_json writes upper case, which
 * would change the fingerprint.
 */
static void append_string(struct row *row, const char *text) {
  static const char letters[] = "btn\vfr"; /* from \b (8) on; there is none for \v */
  row_char(row, '"');
  for (const char *at = text; *at; at++) {
    unsigned char byte = (unsigned char)*at;
    if (byte == '"' || byte == '\\') row_char(row, '\\');
    if (byte >= 0x20) {
      row_char(row, *at);
    } else if (byte >= '\b' && byte <= '\r' && byte != '\v') {
      row_char(row, '\\');
      row_char(row, letters[byte - '\b']);
    } else {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)byte);
      row_string(row, escape);
    }
  }
  row_char(row, '"');
}

/* ---------------------------------------------------------------- values */

static void append_value(const json_t *value, size_t depth, struct row *row);

static void append_line(size_t depth, struct row *row) {
  row_char(row, '\n');
  for (size_t i = 0; i < depth; i++)
    row_string(row, "  ");
}

static int by_bytes(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The keys of an object in byte order; NULL if memory is short. */
static const char **sorted_keys(json_t *object) {
  const char **keys = memory_array(json_object_size(object), sizeof *keys);
  size_t count = 0;
  for (void *entry = json_object_iter(object); entry && keys;
       entry = json_object_iter_next(object, entry))
    keys[count++] = json_object_iter_key(entry);
  if (keys) qsort(keys, count, sizeof *keys, by_bytes);
  return keys;
}

static void append_object(const json_t *object, size_t depth, struct row *row) {
  size_t count = json_object_size(object);
  const char **keys = sorted_keys((json_t *)object);
  if (!keys) row->failed = true;
  row_char(row, '{');
  for (size_t i = 0; i < count && !row->failed; i++) {
    if (i > 0) row_char(row, ',');
    append_line(depth + 1, row);
    append_string(row, keys[i]);
    row_string(row, ": ");
    append_value(json_object_get(object, keys[i]), depth + 1, row);
  }
  if (count > 0) append_line(depth, row);
  row_char(row, '}');
  free(keys);
}

static void append_array(const json_t *array, size_t depth, struct row *row) {
  size_t count = json_array_size(array);
  row_char(row, '[');
  for (size_t i = 0; i < count && !row->failed; i++) {
    if (i > 0) row_char(row, ',');
    append_line(depth + 1, row);
    append_value(json_array_get(array, i), depth + 1, row);
  }
  if (count > 0) append_line(depth, row);
  row_char(row, ']');
}

static void append_value(const json_t *value, size_t depth, struct row *row) {
  if (json_is_object(value)) append_object(value, depth, row);
  else if (json_is_array(value)) append_array(value, depth, row);
  else if (json_is_string(value)) append_string(row, json_string_value(value));
  else if (json_is_integer(value)) row_number(row, json_integer_value(value));
  else row_string(row, json_is_null(value) ? "null" : json_is_true(value) ? "true" : "false");
}

void canonical_append(const json_t *root, struct row *row) {
  append_value(root, 0, row);
  row_char(row, '\n');
}

/* ---------------------------------------------------------------- fingerprints */

const char *canonical_fingerprint(const char *text, size_t size,
                                  char fingerprint[CANONICAL_FINGERPRINT]) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < size; i++)
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
  snprintf(fingerprint, CANONICAL_FINGERPRINT, "%016" PRIx64, hash);
  return fingerprint;
}
