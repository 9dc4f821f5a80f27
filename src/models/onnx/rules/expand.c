/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that repeat elements. */
#include <inttypes.h>

#include "core/checked.h"
#include "models/onnx/rules/move.h"
#include "models/onnx/rules/rules.h"

static bool expand(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  const struct onnx_values *wanted = data ? onnx_integers(infer, 1) : NULL;
  if (!wanted) return false;
  struct onnx_shape other = {.is_known = true};
  for (size_t d = 0; d < wanted->count; d++) {
    if (wanted->items[d].integer < 0) return onnx_fail(infer, "dimension %zu is negative", d);
    if (!onnx_push(infer, &other, wanted->items[d].integer)) return false;
  }
  return onnx_broadcast(infer, data, &other, onnx_output(infer, 0, data->type));
}

static bool fold_expand(struct onnx_infer *infer) {
  const struct onnx_shape *data = infer->shapes[0], *output = &infer->outputs[0];
  int64_t strides[ONNX_MAX_RANK], steps[ONNX_MAX_RANK] = {0};
  size_t shift = output->rank - data->rank;
  onnx_move_strides(data, strides);
  for (size_t d = 0; d < data->rank; d++)
    if (data->dims[d] != 1) steps[d + shift] = strides[d];
  onnx_move_walk(output, steps, 0, infer->values[0], infer->made[0]);
  return true;
}

static bool tile(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  const struct onnx_values *times = data ? onnx_integers(infer, 1) : NULL;
  if (!times) return false;
  if (times->count != data->rank)
    return onnx_fail(infer, "expected %zu repeats, found %zu", data->rank, times->count);
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t d = 0; d < data->rank; d++)
    if (!checked_mul(data->dims[d], times->items[d].integer, &output->dims[d]))
      return onnx_fail(infer, "dimension %zu is too large", d);
  return true;
}

const struct onnx_rule onnx_rules_expand[] = {
    {.name = "Expand", .shape = expand, .fold = fold_expand},
    {.name = "Tile", .shape = tile},
    {.name = NULL},
};
