/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/flatbuffer.h"

static bool holds(const struct flat *file, size_t at, size_t width) {
  return at <= file->size && width <= file->size - at;
}

static uint64_t get(const struct flat *file, size_t at, size_t width) {
  uint64_t number = 0;
  for (size_t i = width; i-- > 0;)
    number = number << 8 | file->bytes[at + i];
  return number;
}

uint32_t flat_get32(const struct flat *file, size_t at) { return (uint32_t)get(file, at, 4); }

bool flat_follow(const struct flat *file, size_t at, size_t *to) {
  if (!holds(file, at, 4)) return false;
  uint32_t offset = flat_get32(file, at);
  *to = at + offset;
  return offset > 0 && holds(file, at, offset) && holds(file, *to, 4);
}

static bool table_at(const struct flat *file, size_t at, struct flat_table *table) {
  if (!holds(file, at, 4)) return false;
  int64_t vtable = (int64_t)at - (int32_t)flat_get32(file, at);
  if (vtable < 0 || !holds(file, (size_t)vtable, 4)) return false;
  size_t size = (size_t)get(file, (size_t)vtable, 2);
  size_t own = (size_t)get(file, (size_t)vtable + 2, 2);
  if (size < 4 || size % 2 != 0 || !holds(file, (size_t)vtable, size) || !holds(file, at, own))
    return false;
  *table = (struct flat_table){file, at, (size_t)vtable, (size - 4) / 2};
  return true;
}

bool flat_root(const struct flat *file, struct flat_table *table) {
  size_t at;
  return flat_follow(file, 0, &at) && table_at(file, at, table);
}

bool flat_field(const struct flat_table *table, size_t field, size_t width, size_t *at) {
  *at = 0;
  if (field >= table->field_count) return true;
  size_t offset = (size_t)get(table->file, table->vtable + 4 + 2 * field, 2);
  if (offset == 0) return true;
  *at = table->at + offset;
  return holds(table->file, *at, width);
}

bool flat_unsigned(const struct flat_table *table, size_t field, size_t width,
                   uint64_t otherwise, uint64_t *number) {
  size_t at;
  if (!flat_field(table, field, width, &at)) return false;
  *number = at ? get(table->file, at, width) : otherwise;
  return true;
}

bool flat_vector(const struct flat_table *table, size_t field, size_t width,
                 struct flat_vector *vector) {
  size_t at, to;
  *vector = (struct flat_vector){table->file, 0, 0};
  if (!flat_field(table, field, 4, &at)) return false;
  if (!at) return true;
  if (!flat_follow(table->file, at, &to)) return false;
  size_t count = flat_get32(table->file, to);
  if (count > (table->file->size - to - 4) / width) return false;
  *vector = (struct flat_vector){table->file, to + 4, count};
  return true;
}

bool flat_text(const struct flat_table *table, size_t field, const char **text,
               size_t *length) {
  struct flat_vector vector;
  if (!flat_vector(table, field, 1, &vector)) return false;
  *text = vector.at ? (const char *)table->file->bytes + vector.at : NULL;
  *length = vector.count;
  return true;
}

bool flat_child(const struct flat_table *table, size_t field, struct flat_table *child,
                bool *found) {
  size_t at, to;
  *found = false;
  if (!flat_field(table, field, 4, &at)) return false;
  if (!at) return true;
  *found = flat_follow(table->file, at, &to) && table_at(table->file, to, child);
  return *found;
}

bool flat_element(const struct flat_vector *vector, size_t index, struct flat_table *table) {
  size_t at;
  return index < vector->count && flat_follow(vector->file, vector->at + 4 * index, &at) &&
         table_at(vector->file, at, table);
}

int32_t flat_int32(const struct flat_vector *vector, size_t index) {
  return (int32_t)flat_get32(vector->file, vector->at + 4 * index);
}
