/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Split. */
#include <inttypes.h>

#include "core/checked.h"
#include "models/onnx/infer.h"
#include "models/onnx/rules/move.h"
#include "models/onnx/rules/rules.h"

/* Without lengths: equal parts, the last of which may be shorter. */
static bool split_evenly(struct onnx_infer *infer, const struct onnx_shape *data, size_t axis) {
  int64_t parts = (int64_t)infer->output_count, extent = data->dims[axis];
  int64_t part = parts ? extent / parts + (extent % parts != 0) : 0;
  for (int64_t i = 0; i < parts; i++) {
    int64_t left = extent - i * part;
    struct onnx_shape *output = onnx_output_like(infer, (size_t)i, data->type, data);
    output->dims[axis] = left < 0 ? 0 : left < part ? left : part;
  }
  return true;
}

static bool split(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 1);
  struct onnx_list lengths;
  size_t axis;
  if (!data || !onnx_list(infer, 1, "split", &lengths) ||
      !onnx_axis(infer, onnx_attribute_integer(infer, "axis", 0), data->rank, &axis))
    return false;
  if (!lengths.is_given) return split_evenly(infer, data, axis);
  if (lengths.count != infer->output_count)
    return onnx_fail(infer, "expected %zu split lengths, found %zu", infer->output_count,
                     lengths.count);
  int64_t sum = 0;
  for (size_t i = 0; i < lengths.count; i++) {
    struct onnx_shape *output = onnx_output_like(infer, i, data->type, data);
    output->dims[axis] = onnx_list_at(&lengths, i);
    if (output->dims[axis] < 0 || !checked_add(sum, output->dims[axis], &sum))
      return onnx_fail(infer, "split lengths out of range");
  }
  return sum == data->dims[axis] ||
         onnx_fail(infer,
                   "split lengths sum to %" PRId64 ", but the axis has %" PRId64 " elements",
                   sum, data->dims[axis]);
}

static bool fold_split(struct onnx_infer *infer) {
  size_t axis = onnx_move_axis(infer, 0);
  int64_t strides[ONNX_MAX_RANK], at = 0;
  onnx_move_strides(infer->shapes[0], strides);
  for (size_t i = 0; i < infer->output_count; i++) {
    if (infer->made[i])
      onnx_move_walk(&infer->outputs[i], strides, at, infer->values[0], infer->made[i]);
    at += infer->outputs[i].dims[axis] * strides[axis];
  }
  return true;
}

const struct onnx_rule onnx_rules_split[] = {
    {.name = "Split", .shape = split, .fold = fold_split},
    {.name = NULL},
};
