/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NonZero. */
#include "models/onnx/rules/rules.h"

/* The output has a column of indices per nonzero element. */
static bool non_zero(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  const struct onnx_values *values = data ? onnx_integers(infer, 0) : NULL;
  int64_t count = 0;
  if (!values) return false;
  for (size_t i = 0; i < values->count; i++)
    count += values->items[i].integer != 0;
  struct onnx_shape *output = onnx_output(infer, 0, ONNX_INT64);
  return onnx_push(infer, output, data->rank ? (int64_t)data->rank : 1) &&
         onnx_push(infer, output, count);
}

static bool fold_non_zero(struct onnx_infer *infer) {
  const struct onnx_values *values = infer->values[0];
  struct onnx_values *made = infer->made[0];
  if (infer->shapes[0]->rank != 1) return false;
  for (size_t i = 0, at = 0; i < values->count; i++)
    if (values->items[i].integer != 0) made->items[at++].integer = (int64_t)i;
  return true;
}

const struct onnx_rule onnx_rules_nonzero[] = {
    {.name = "NonZero", .shape = non_zero, .fold = fold_non_zero},
    {.name = NULL},
};
