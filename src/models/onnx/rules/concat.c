/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Concat. */
#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "models/onnx/infer.h"
#include "models/onnx/rules/move.h"
#include "models/onnx/rules/rules.h"

static bool concat(struct onnx_infer *infer) {
  const struct onnx_shape *first = onnx_input_of_rank(infer, 0, 1);
  size_t axis;
  if (!first || !onnx_axis(infer, onnx_attribute_integer(infer, "axis", 1), first->rank, &axis))
    return false;
  struct onnx_shape *output = onnx_output_like(infer, 0, first->type, first);
  for (size_t i = 1; i < infer->input_count; i++) {
    const struct onnx_shape *next = onnx_input_of_rank(infer, i, 1);
    if (!next) return false;
    if (next->rank != first->rank)
      return onnx_fail(infer, "expected %zu dimensions of input %zu, found %zu", first->rank, i,
                       next->rank);
    for (size_t d = 0; d < first->rank; d++)
      if (d != axis && next->dims[d] != first->dims[d])
        return onnx_fail(infer, "dimension %zu of input %zu is %" PRId64 ", not %" PRId64, d, i,
                         next->dims[d], first->dims[d]);
    if (!checked_add(output->dims[axis], next->dims[axis], &output->dims[axis]))
      return onnx_fail(infer, "too many elements");
  }
  return true;
}

/* Each input has one run of elements for each index of the axes before the one it joins. */
static bool fold_concat(struct onnx_infer *infer) {
  size_t axis = onnx_move_axis(infer, 1);
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

/* Works row by row unless it concatenates rows; likewise for channels below. */
static bool concat_rows(struct onnx_infer *infer, struct band_rule *rule) {
  rule->kind = SPLIT_POINTWISE;
  return onnx_move_axis(infer, 1) != ONNX_ROWS;
}

static bool concat_channels(struct onnx_infer *infer, struct band_rule *rule) {
  rule->kind = SPLIT_POINTWISE;
  return onnx_move_axis(infer, 1) != ONNX_CHANNELS;
}

const struct onnx_rule onnx_rules_concat[] = {
    {.name = "Concat",
     .shape = concat,
     .fold = fold_concat,
     .rows = concat_rows,
     .channels = concat_channels},
    {.name = NULL},
};
