/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Transpose. */
#include "models/onnx/infer.h"
#include "models/onnx/rules/move.h"
#include "models/onnx/rules/rules.h"

/* Without `perm`, the axes are reversed. */
static bool order_of(struct onnx_infer *infer, size_t rank, size_t order[ONNX_MAX_RANK]) {
  struct onnx_list list = onnx_attribute_list(infer, "perm");
  bool marked[ONNX_MAX_RANK];
  for (size_t d = 0; d < rank; d++)
    order[d] = rank - 1 - d;
  if (!list.is_given) return true;
  if (list.count != rank)
    return onnx_fail(infer, "expected a perm of %zu axes, found %zu", rank, list.count);
  if (!onnx_axes(infer, &list, rank, marked)) return false;
  for (size_t d = 0; d < rank; d++)
    if (!onnx_axis(infer, list.integers[d], rank, &order[d])) return false;
  return true;
}

static bool transpose(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  size_t order[ONNX_MAX_RANK];
  if (!data || !order_of(infer, data->rank, order)) return false;
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t d = 0; d < data->rank; d++)
    output->dims[d] = data->dims[order[d]];
  return true;
}

static bool fold_transpose(struct onnx_infer *infer) {
  const struct onnx_shape *data = infer->shapes[0];
  size_t order[ONNX_MAX_RANK];
  int64_t strides[ONNX_MAX_RANK], steps[ONNX_MAX_RANK];
  if (!order_of(infer, data->rank, order)) return false;
  onnx_move_strides(data, strides);
  for (size_t d = 0; d < data->rank; d++)
    steps[d] = strides[order[d]];
  onnx_move_walk(&infer->outputs[0], steps, 0, infer->values[0], infer->made[0]);
  return true;
}

const struct onnx_rule onnx_rules_transpose[] = {
    {.name = "Transpose", .shape = transpose, .fold = fold_transpose},
    {.name = NULL},
};
