/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Slice. */
#include <inttypes.h>

#include "models/onnx/infer.h"
#include "models/onnx/rules/move.h"
#include "models/onnx/rules/rules.h"

/* The part of an axis that Slice takes. */
struct part {
  int64_t start, step, count;
};

/* Clamps an index, which may count from the end, to low .. high. */
static int64_t clamp(int64_t index, int64_t extent, int64_t low, int64_t high) {
  if (index < 0) index += extent; /* extents are not negative: no overflow */
  return index < low ? low : index > high ? high : index;
}

/* The part of an axis of `extent` elements from `start` to `end`. */
static bool cut(struct onnx_infer *infer, int64_t extent, int64_t start, int64_t end,
                int64_t step, struct part *part) {
  if (step == 0 || step == INT64_MIN)
    return onnx_fail(infer, "expected a nonzero step, found %" PRId64, step);
  if (extent == 0) {
    *part = (struct part){0, 1, 0};
    return true;
  }
  bool forward = step > 0;
  start = clamp(start, extent, 0, forward ? extent : extent - 1);
  end = clamp(end, extent, forward ? 0 : -1, forward ? extent : extent - 1);
  int64_t length = forward ? end - start : start - end, pace = forward ? step : -step;
  int64_t count = length <= 0 ? 0 : (length - 1) / pace + 1;
  *part = (struct part){start, step, count};
  return true;
}

static bool slice_parts(struct onnx_infer *infer, const struct onnx_shape *data,
                        struct part parts[ONNX_MAX_RANK]) {
  struct onnx_list starts, ends, axes, steps;
  bool seen[ONNX_MAX_RANK] = {false};
  if (!onnx_list(infer, 1, "starts", &starts) || !onnx_list(infer, 2, "ends", &ends) ||
      !onnx_list(infer, 3, "axes", &axes) || !onnx_list(infer, 4, "steps", &steps))
    return false;
  if (!starts.is_given || starts.count != ends.count ||
      (axes.is_given && axes.count != starts.count) ||
      (steps.is_given && steps.count != starts.count))
    return onnx_fail(infer, "starts, ends, axes and steps differ in length");
  for (size_t d = 0; d < data->rank; d++)
    parts[d] = (struct part){0, 1, data->dims[d]};
  for (size_t i = 0; i < starts.count; i++) {
    size_t axis;
    int64_t wanted = axes.is_given ? onnx_list_at(&axes, i) : (int64_t)i;
    if (!onnx_axis(infer, wanted, data->rank, &axis)) return false;
    if (seen[axis]) return onnx_fail(infer, "duplicate axis %zu", axis);
    seen[axis] = true;
    if (!cut(infer, data->dims[axis], onnx_list_at(&starts, i), onnx_list_at(&ends, i),
             steps.is_given ? onnx_list_at(&steps, i) : 1, &parts[axis]))
      return false;
  }
  return true;
}

static bool slice(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  struct part parts[ONNX_MAX_RANK];
  if (!data || !slice_parts(infer, data, parts)) return false;
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t d = 0; d < data->rank; d++)
    output->dims[d] = parts[d].count;
  return true;
}

static bool fold_slice(struct onnx_infer *infer) {
  const struct onnx_shape *data = infer->shapes[0];
  struct part parts[ONNX_MAX_RANK];
  int64_t steps[ONNX_MAX_RANK], at = 0;
  if (!slice_parts(infer, data, parts)) return false;
  onnx_move_strides(data, steps);
  for (size_t d = 0; d < data->rank; d++) {
    if (parts[d].count < 2) parts[d].step = 0; /* never taken, and it may be huge */
    at += parts[d].start * steps[d];
    steps[d] *= parts[d].step;
  }
  onnx_move_walk(&infer->outputs[0], steps, at, infer->values[0], infer->made[0]);
  return true;
}

const struct onnx_rule onnx_rules_slice[] = {
    {.name = "Slice", .shape = slice, .fold = fold_slice},
    {.name = NULL},
};
