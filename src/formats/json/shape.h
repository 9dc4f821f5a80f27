/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The optional keys "shape" and "dtype" of a buffer or a tensor. */
#ifndef FORMATS_JSON_SHAPE_H
#define FORMATS_JSON_SHAPE_H

#include "formats/json/json.h"
#include "formats/row.h"
#include "model/shapes.h"

#define JSON_SHAPE_KEYS "shape", "dtype"

/* Room for the dimensions of one shape.  Begin with zeroes; released with free(). */
struct json_dimensions {
  neap_size *items;
  size_t capacity;
};

/*
 * Reads the keys of an object; what is missing is unknown.  *shape is valid as long as the document,
 * and until *room is used again.
 */
neap_status json_shape_read(const struct json_at *object, struct json_dimensions *room,
                            struct tensor_shape *shape, neap_error *error);

/* Appends what is known, after other keys. */
void json_shape_append(const struct shapes *shapes, size_t item, struct row *row);

#endif
