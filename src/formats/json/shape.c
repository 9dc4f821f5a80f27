/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/json/shape.h"

#include "core/error.h"
#include "core/memory.h"

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
