/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shapes and element types of buffers or tensors, by number.  Most problems have none, and then
 * this takes no memory per item: items from `count` on have neither.
 */
#ifndef MODEL_SHAPES_H
#define MODEL_SHAPES_H

#include "core/names.h"
#include "neap/neap.h"

struct tensor_shape {
  const neap_size *dimensions; /* -1: unknown; NULL: the whole shape is unknown */
  size_t rank;
  const char *type; /* NULL: unknown */
};

struct shapes_entry {
  size_t begin; /* in dimensions; SIZE_MAX: the shape is unknown */
  uint32_t rank;
  uint32_t type; /* its number + 1; 0: unknown */
};

struct shapes {
  struct shapes_entry *entries;
  size_t count, capacity;
  neap_size *dimensions;
  size_t dimension_count, dimension_capacity;
  struct names types;
};

/* Begin with zeroes. */
void shapes_clear(struct shapes *shapes);

/* NEAP_ERROR_INPUT: a dimension is below -1, there are too many, or the type is not valid UTF-8. */
neap_status shapes_check(const struct tensor_shape *shape, neap_error *error);

/*
 * Copies what shapes_check accepted; items are added in ascending order.  An empty type is unknown.
 * False, with nothing changed, if memory is short.
 */
bool shapes_add(struct shapes *shapes, size_t item, const struct tensor_shape *shape);

/* Forgets an item that was added last, if it was added. */
void shapes_drop(struct shapes *shapes, size_t item);

/* Valid until the next shapes_add. */
struct tensor_shape shapes_of(const struct shapes *shapes, size_t item);

#endif
