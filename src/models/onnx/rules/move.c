/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/rules/move.h"

#include <string.h>

#include "models/onnx/infer.h"

void onnx_move_strides(const struct onnx_shape *shape, int64_t strides[ONNX_MAX_RANK]) {
  int64_t stride = 1;
  for (size_t d = shape->rank; d-- > 0;) {
    strides[d] = stride;
    stride *= shape->dims[d] > 0 ? shape->dims[d] : 1;
  }
}

void onnx_move_walk(const struct onnx_shape *shape, const int64_t *steps, int64_t at,
                    const struct onnx_values *from, struct onnx_values *to) {
  int64_t place[ONNX_MAX_RANK] = {0};
  for (size_t i = 0; i < to->count; i++) {
    to->items[i] = from->items[at];
    for (size_t d = shape->rank; d-- > 0;) {
      at += steps[d];
      if (++place[d] < shape->dims[d]) break;
      at -= place[d] * steps[d];
      place[d] = 0;
    }
  }
}

bool onnx_move_copy(struct onnx_infer *infer) {
  const struct onnx_values *from = infer->values[0];
  struct onnx_values *to = infer->made[0];
  if (from->count != to->count || from->is_real != to->is_real) return false;
  memcpy(to->items, from->items, to->count * sizeof to->items[0]);
  return true;
}

size_t onnx_move_axis(struct onnx_infer *infer, int64_t otherwise) {
  size_t axis = 0;
  onnx_axis(infer, onnx_attribute_integer(infer, "axis", otherwise), infer->shapes[0]->rank,
            &axis);
  return axis;
}
