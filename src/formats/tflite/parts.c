/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The axis need not be read: it is the one in which shapes differ.  Concatenations of uint8 may convert
 * inputs with other scales, so they are left out.
 */
#include "formats/tflite/parts.h"

#include "formats/parts.h"
#include "formats/tflite/schema.h"

#define RANK_MAX 8

struct shaped {
  size_t tensor;
  uint64_t type;
  int64_t dims[RANK_MAX];
  struct parts_shape shape; /* of these dimensions */
};

static bool read_shaped(const struct tflite_call *call, const struct flat_vector *list,
                        size_t index, struct shaped *shaped) {
  struct flat_table table;
  struct flat_vector shape;
  int32_t element = index < list->count ? flat_int32(list, index) : -1;
  if (element < 0 || !flat_element(&call->subgraph->tensors, (size_t)element, &table) ||
      !flat_vector(&table, TFLITE_TENSOR_SHAPE, 4, &shape) || shape.count > RANK_MAX ||
      !flat_unsigned(&table, TFLITE_TENSOR_TYPE, 1, 0, &shaped->type))
    return false;
  shaped->tensor = call->subgraph->first + (size_t)element;
  shaped->shape = (struct parts_shape){shape.count, shaped->dims};
  for (size_t d = 0; d < shape.count; d++)
    shaped->dims[d] = flat_int32(&shape, d);
  return true;
}

neap_status tflite_add_parts(const struct tflite_call *call, neap_graph *graph,
                             neap_error *error) {
  bool is_concat = call->code == TFLITE_CONCATENATION;
  const struct flat_vector *list = is_concat ? call->inputs : call->outputs;
  struct shaped whole, part;
  struct parts parts;
  neap_status status = NEAP_OK;
  if (!is_concat && call->code != TFLITE_SPLIT && call->code != TFLITE_SPLIT_V) return status;
  if (!read_shaped(call, is_concat ? call->outputs : call->inputs, call->code == TFLITE_SPLIT,
                   &whole) ||
      (is_concat && whole.type == TFLITE_UINT8) ||
      !parts_begin(&parts, graph, is_concat ? NEAP_ALIAS_CONCAT : NEAP_ALIAS_SPLIT,
                   whole.tensor, &whole.shape))
    return status;
  for (size_t i = 0; i < list->count && status == NEAP_OK; i++) {
    if (!read_shaped(call, list, i, &part) || part.type != whole.type) return NEAP_OK;
    status = parts_add(&parts, part.tensor, &part.shape, error);
  }
  return status;
}
