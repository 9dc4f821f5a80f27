/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Range. */
#include <math.h>

#include "models/onnx/rules/rules.h"

static bool range_known(struct onnx_infer *infer) {
  for (size_t i = 0; i < 3; i++)
    if (!onnx_input(infer, i)) return false;
    else if (!infer->values[i] || infer->values[i]->count != 1 ||
             infer->values[i]->is_real != infer->values[0]->is_real)
      return onnx_fail(infer, "the elements of input %zu are unknown", i);
  return true;
}

static bool count_integers(struct onnx_infer *infer, int64_t *count) {
  int64_t start = infer->values[0]->items[0].integer, end = infer->values[1]->items[0].integer;
  int64_t step = infer->values[2]->items[0].integer, span;
  if (step == 0 || step == INT64_MIN || __builtin_sub_overflow(end, start, &span) ||
      span == INT64_MIN)
    return onnx_fail(infer, "limits out of range");
  if (step < 0) {
    span = -span;
    step = -step;
  }
  *count = span <= 0 ? 0 : (span - 1) / step + 1;
  return true;
}

static bool count_reals(struct onnx_infer *infer, int64_t *count) {
  double start = infer->values[0]->items[0].real, end = infer->values[1]->items[0].real;
  double steps = ceil((end - start) / infer->values[2]->items[0].real);
  if (!(steps < (double)ONNX_LARGE)) return onnx_fail(infer, "limits out of range");
  *count = steps > 0 ? (int64_t)steps : 0;
  return true;
}

static bool range(struct onnx_infer *infer) {
  int64_t count;
  if (!range_known(infer)) return false;
  if (!(infer->values[0]->is_real ? count_reals : count_integers)(infer, &count)) return false;
  return onnx_push(infer, onnx_output(infer, 0, onnx_input_type(infer, 0)), count);
}

/* All elements are between the limits, so nothing overflows. */
static bool fold_range(struct onnx_infer *infer) {
  struct onnx_values *made = infer->made[0];
  if (made->is_real) return false;
  int64_t start = infer->values[0]->items[0].integer, step = infer->values[2]->items[0].integer;
  for (size_t i = 0; i < made->count; i++)
    made->items[i].integer = start + (int64_t)i * step;
  return true;
}

const struct onnx_rule onnx_rules_range[] = {
    {.name = "Range", .shape = range, .fold = fold_range},
    {.name = NULL},
};
