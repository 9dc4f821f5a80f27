/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/shapes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"

#define UNKNOWN SIZE_MAX

static const struct shapes_entry entry_none = {UNKNOWN, 0, 0};

void shapes_clear(struct shapes *shapes) {
  free(shapes->entries);
  free(shapes->dimensions);
  names_clear(&shapes->types);
  *shapes = (struct shapes){0};
}

neap_status shapes_check(const struct tensor_shape *shape, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  size_t length = shape->type ? strlen(shape->type) : 0;
  if (shape->rank > NEAP_RANK_MAX)
    return error_set(error, NEAP_ERROR_INPUT, "expected at most %d dimensions, found %zu",
                     NEAP_RANK_MAX, shape->rank);
  if (shape->rank > 0 && !shape->dimensions)
    return error_set(error, NEAP_ERROR_INPUT, "expected %zu dimensions, found NULL",
                     shape->rank);
  for (size_t d = 0; d < shape->rank; d++)
    if (shape->dimensions[d] < -1)
      return error_set(error, NEAP_ERROR_INPUT,
                       "expected a dimension of 0 or more, or -1 if it is unknown, found "
                       "%" PRId64,
                       shape->dimensions[d]);
  if (length > 0 && text_utf8_prefix(shape->type, length) != length)
    return error_set(error, NEAP_ERROR_INPUT, "element type %s is not valid UTF-8",
                     text_excerpt(excerpt, shape->type, length));
  return NEAP_OK;
}

/* Sets *number to that of a type + 1; false if memory is short. */
static bool number_type(struct names *types, const char *type, uint32_t *number) {
  size_t length = strlen(type), found = names_find(types, type, length);
  if (found == NAMES_NONE) {
    found = types->count;
    if (!names_add(types, type, length)) return false;
  }
  *number = (uint32_t)(found + 1);
  return true;
}

bool shapes_add(struct shapes *shapes, size_t item, const struct tensor_shape *shape) {
  bool has_type = shape->type && shape->type[0];
  struct shapes_entry entry = {UNKNOWN, (uint32_t)shape->rank, 0};
  assert(item >= shapes->count && shape->rank <= NEAP_RANK_MAX);
  if (!shape->dimensions && !has_type) return true;
  if (!memory_reserve(&shapes->entries, &shapes->capacity, item + 1, sizeof *shapes->entries) ||
      !memory_reserve(&shapes->dimensions, &shapes->dimension_capacity,
                      shapes->dimension_count + shape->rank, sizeof *shapes->dimensions) ||
      (has_type && !number_type(&shapes->types, shape->type, &entry.type)))
    return false;
  if (shape->dimensions) {
    entry.begin = shapes->dimension_count;
    if (shape->rank > 0)
      memcpy(shapes->dimensions + entry.begin, shape->dimensions,
             shape->rank * sizeof *shape->dimensions);
    shapes->dimension_count += shape->rank;
  }
  while (shapes->count < item)
    shapes->entries[shapes->count++] = entry_none;
  shapes->entries[shapes->count++] = entry;
  return true;
}

void shapes_drop(struct shapes *shapes, size_t item) {
  if (item >= shapes->count) return;
  assert(item + 1 == shapes->count);
  shapes->dimension_count -= shapes->entries[item].rank;
  shapes->count = item;
}

struct tensor_shape shapes_of(const struct shapes *shapes, size_t item) {
  static const neap_size scalar = 0; /* a shape of rank 0 is known, so it is not NULL */
  if (item >= shapes->count) return (struct tensor_shape){0};
  const struct shapes_entry *entry = &shapes->entries[item];
  struct tensor_shape shape = {
      .rank = entry->rank,
      .type = entry->type > 0 ? names_text(&shapes->types, entry->type - 1) : NULL};
  if (entry->begin == UNKNOWN) return shape;
  shape.dimensions = entry->rank > 0 ? shapes->dimensions + entry->begin : &scalar;
  return shape;
}
