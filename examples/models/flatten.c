/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/flatten.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(struct flatten *flatten, size_t size) {
  if (size <= flatten->capacity) return true;
  size_t capacity = 2 * size + 1024;
  unsigned char *bytes = flatten->failed ? NULL : realloc(flatten->bytes, capacity);
  if (!bytes) {
    flatten->failed = true;
    return false;
  }
  flatten->bytes = bytes;
  flatten->capacity = capacity;
  return true;
}

size_t flatten_take(struct flatten *flatten, size_t size, size_t alignment) {
  size_t at = (flatten->size + alignment - 1) / alignment * alignment;
  if (!reserve(flatten, at + size)) return 0;
  memset(flatten->bytes + flatten->size, 0, at + size - flatten->size);
  flatten->size = at + size;
  return at;
}

void flatten_put(struct flatten *flatten, size_t at, uint64_t number, size_t width) {
  if (flatten->failed) return;
  for (size_t i = 0; i < width; i++)
    flatten->bytes[at + i] = (unsigned char)(number >> (8 * i));
}

void flatten_lead(struct flatten *flatten, size_t at, size_t to) {
  flatten_put(flatten, at, to - at, 4);
}

/* The vtable, then the table: how far back the former lies, and fields, each aligned to itself. */
struct flatten_table flatten_table(struct flatten *flatten, const char *widths) {
  struct flatten_table table = {0};
  size_t count = strlen(widths), own[FLATTEN_FIELDS] = {0}, end = 4;
  for (size_t i = 0; i < count; i++) {
    size_t width = (size_t)(widths[i] - '0');
    if (width == 0) continue;
    own[i] = (end + width - 1) / width * width;
    end = own[i] + width;
  }
  size_t vtable = flatten_take(flatten, 4 + 2 * count, 4);
  table.at = flatten_take(flatten, end, 8);
  flatten_put(flatten, vtable, 4 + 2 * count, 2);
  flatten_put(flatten, vtable + 2, end, 2);
  flatten_put(flatten, table.at, table.at - vtable, 4);
  for (size_t i = 0; i < count; i++) {
    flatten_put(flatten, vtable + 4 + 2 * i, own[i], 2);
    table.field[i] = own[i] ? table.at + own[i] : 0;
  }
  return table;
}

/* Aligns the elements, right before which their count stands. */
size_t flatten_vector(struct flatten *flatten, size_t at, size_t count, size_t width,
                      size_t alignment) {
  while ((flatten->size + 4) % alignment != 0 || flatten->size % 4 != 0)
    if (!reserve(flatten, flatten->size + 1)) return 0;
    else flatten->bytes[flatten->size++] = 0;
  size_t vector = flatten_take(flatten, 4 + count * width, 4);
  flatten_put(flatten, vector, count, 4);
  flatten_lead(flatten, at, vector);
  return vector + 4;
}

void flatten_text(struct flatten *flatten, size_t at, const char *text) {
  size_t length = strlen(text), elements = flatten_vector(flatten, at, length, 1, 4);
  flatten_take(flatten, 1, 1);
  if (!flatten->failed) memcpy(flatten->bytes + elements, text, length);
}
