/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that cut parts out of a tensor, or pad it. */
#include <inttypes.h>

#include "core/checked.h"
#include "formats/onnx/rules/rules.h"

/* ---------------------------------------------------------------- Slice */

/* Clamps an index, which may count from the end, to low .. high. */
static int64_t clamp(int64_t index, int64_t extent, int64_t low, int64_t high) {
  if (index < 0) index += extent; /* extents are not negative: no overflow */
  return index < low ? low : index > high ? high : index;
}

static bool cut(struct onnx_infer *infer, int64_t extent, int64_t start, int64_t end,
                int64_t step, struct onnx_part *part) {
  if (step == 0 || step == INT64_MIN)
    return onnx_fail(infer, "expected a nonzero step, found %" PRId64, step);
  if (extent == 0) {
    *part = (struct onnx_part){0, 1, 0};
    return true;
  }
  bool forward = step > 0;
  start = clamp(start, extent, 0, forward ? extent : extent - 1);
  end = clamp(end, extent, forward ? 0 : -1, forward ? extent : extent - 1);
  int64_t length = forward ? end - start : start - end, pace = forward ? step : -step;
  int64_t count = length <= 0 ? 0 : (length - 1) / pace + 1;
  *part = (struct onnx_part){start, step, count};
  return true;
}

bool onnx_slice_parts(struct onnx_infer *infer, const struct onnx_shape *data,
                      struct onnx_part parts[ONNX_MAX_RANK]) {
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
    parts[d] = (struct onnx_part){0, 1, data->dims[d]};
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
  struct onnx_part parts[ONNX_MAX_RANK];
  if (!data || !onnx_slice_parts(infer, data, parts)) return false;
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t d = 0; d < data->rank; d++)
    output->dims[d] = parts[d].count;
  return true;
}

/* ---------------------------------------------------------------- Split */

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

/* ---------------------------------------------------------------- Pad */

/* Before version 2, they were called paddings. */
static bool find_pads(struct onnx_infer *infer, struct onnx_list *pads) {
  if (!onnx_list(infer, 1, infer->opset < 2 ? "paddings" : "pads", pads)) return false;
  return pads->is_given || onnx_fail(infer, "the pads are missing");
}

static bool pad(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  struct onnx_list pads, axes;
  if (!data || !find_pads(infer, &pads) || !onnx_list(infer, 3, "axes", &axes)) return false;
  size_t count = axes.is_given ? axes.count : data->rank;
  bool marked[ONNX_MAX_RANK];
  if (!onnx_axes(infer, &axes, data->rank, marked)) return false;
  if (pads.count != 2 * count)
    return onnx_fail(infer, "expected %zu pads, found %zu", 2 * count, pads.count);
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t i = 0; i < count; i++) {
    size_t axis = i;
    if (axes.is_given && !onnx_axis(infer, onnx_list_at(&axes, i), data->rank, &axis))
      return false;
    if (!checked_add(output->dims[axis], onnx_list_at(&pads, i), &output->dims[axis]) ||
        !checked_add(output->dims[axis], onnx_list_at(&pads, count + i), &output->dims[axis]))
      return onnx_fail(infer, "dimension %zu is too large", axis);
  }
  return true;
}

/* CenterCropPad: crops or pads an image around its middle. */
static bool crop_or_pad(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  const struct onnx_values *wanted = data ? onnx_integers(infer, 1) : NULL;
  struct onnx_list axes = onnx_attribute_list(infer, "axes");
  if (!wanted) return false;
  if (wanted->count != (axes.is_given ? axes.count : data->rank))
    return onnx_fail(infer, "axes and extents differ in number");
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t i = 0; i < wanted->count; i++) {
    size_t axis = i;
    if (axes.is_given && !onnx_axis(infer, axes.integers[i], data->rank, &axis)) return false;
    output->dims[axis] = wanted->items[i].integer;
  }
  return true;
}

const struct onnx_rule onnx_rules_slice[] = {
    {.name = "CenterCropPad", .shape = crop_or_pad},
    {.name = "Pad", .shape = pad},
    {.name = "Slice", .shape = slice, .fold = onnx_fold_slice},
    {.name = "Split", .shape = split, .fold = onnx_fold_split},
    {.name = NULL},
};
