/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folds that move elements without changing them. */
#include <string.h>

#include "formats/onnx/rules/rules.h"

/* The distance, in elements, between neighbours along each axis. */
static void strides_of(const struct onnx_shape *shape, int64_t strides[ONNX_MAX_RANK]) {
  int64_t stride = 1;
  for (size_t d = shape->rank; d-- > 0;) {
    strides[d] = stride;
    stride *= shape->dims[d] > 0 ? shape->dims[d] : 1;
  }
}

/* Fills `to`, which has `shape`: its element (i, j, ...) is from[at + i * steps[0] + ...]. */
static void walk(const struct onnx_shape *shape, const int64_t *steps, int64_t at,
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

bool onnx_fold_copy(struct onnx_infer *infer) {
  const struct onnx_values *from = infer->values[0];
  struct onnx_values *to = infer->made[0];
  if (from->count != to->count || from->is_real != to->is_real) return false;
  memcpy(to->items, from->items, to->count * sizeof to->items[0]);
  return true;
}

bool onnx_fold_transpose(struct onnx_infer *infer) {
  const struct onnx_shape *data = infer->shapes[0];
  size_t order[ONNX_MAX_RANK];
  int64_t strides[ONNX_MAX_RANK], steps[ONNX_MAX_RANK];
  if (!onnx_transpose_order(infer, data->rank, order)) return false;
  strides_of(data, strides);
  for (size_t d = 0; d < data->rank; d++)
    steps[d] = strides[order[d]];
  walk(&infer->outputs[0], steps, 0, infer->values[0], infer->made[0]);
  return true;
}

bool onnx_fold_expand(struct onnx_infer *infer) {
  const struct onnx_shape *data = infer->shapes[0], *output = &infer->outputs[0];
  int64_t strides[ONNX_MAX_RANK], steps[ONNX_MAX_RANK] = {0};
  size_t shift = output->rank - data->rank;
  strides_of(data, strides);
  for (size_t d = 0; d < data->rank; d++)
    if (data->dims[d] != 1) steps[d + shift] = strides[d];
  walk(output, steps, 0, infer->values[0], infer->made[0]);
  return true;
}

bool onnx_fold_slice(struct onnx_infer *infer) {
  const struct onnx_shape *data = infer->shapes[0];
  struct onnx_part parts[ONNX_MAX_RANK];
  int64_t steps[ONNX_MAX_RANK], at = 0;
  if (!onnx_slice_parts(infer, data, parts)) return false;
  strides_of(data, steps);
  for (size_t d = 0; d < data->rank; d++) {
    if (parts[d].count < 2) parts[d].step = 0; /* never taken, and it may be huge */
    at += parts[d].start * steps[d];
    steps[d] *= parts[d].step;
  }
  walk(&infer->outputs[0], steps, at, infer->values[0], infer->made[0]);
  return true;
}

/* The axis, which the shape rule has checked. */
static size_t axis_of(struct onnx_infer *infer, int64_t otherwise) {
  size_t axis = 0;
  onnx_axis(infer, onnx_attribute_integer(infer, "axis", otherwise), infer->shapes[0]->rank,
            &axis);
  return axis;
}

bool onnx_fold_split(struct onnx_infer *infer) {
  size_t axis = axis_of(infer, 0);
  int64_t strides[ONNX_MAX_RANK], at = 0;
  strides_of(infer->shapes[0], strides);
  for (size_t i = 0; i < infer->output_count; i++) {
    if (infer->made[i]) walk(&infer->outputs[i], strides, at, infer->values[0], infer->made[i]);
    at += infer->outputs[i].dims[axis] * strides[axis];
  }
  return true;
}

/* Each input has one run of elements per index before the axis. */
bool onnx_fold_concat(struct onnx_infer *infer) {
  size_t axis = axis_of(infer, 1);
  int64_t runs = 1;
  struct onnx_values *to = infer->made[0];
  for (size_t d = 0; d < axis; d++)
    runs *= infer->outputs[0].dims[d];
  for (size_t i = 0; i < infer->input_count; i++)
    if (infer->values[i]->is_real != to->is_real) return false;
  if (to->count == 0) return true;
  for (size_t i = 0, begin = 0, whole = to->count / (size_t)runs; i < infer->input_count; i++) {
    const struct onnx_values *from = infer->values[i];
    size_t length = from->count / (size_t)runs;
    for (size_t r = 0; r < (size_t)runs && length > 0; r++)
      memcpy(to->items + r * whole + begin, from->items + r * length,
             length * sizeof to->items[0]);
    begin += length;
  }
  return true;
}

bool onnx_fold_gather(struct onnx_infer *infer) {
  const struct onnx_shape *data = infer->shapes[0];
  const struct onnx_values *from = infer->values[0], *indices = infer->values[1];
  struct onnx_values *to = infer->made[0];
  size_t axis = axis_of(infer, 0);
  int64_t strides[ONNX_MAX_RANK];
  if (indices->is_real || to->count == 0) return !indices->is_real;
  strides_of(data, strides);
  size_t length = (size_t)strides[axis], extent = (size_t)data->dims[axis];
  for (size_t i = 0; i < to->count; i++) {
    size_t run = i / length, which = run % indices->count, outer = run / indices->count;
    size_t index;
    if (!onnx_axis(infer, indices->items[which].integer, extent, &index)) return false;
    to->items[i] = from->items[(outer * extent + index) * length + i % length];
  }
  return true;
}
