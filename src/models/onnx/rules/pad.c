/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that pad a tensor, or crop it around its middle. */
#include <inttypes.h>
#include <string.h>

#include "core/checked.h"
#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

/* Before version 2, the attribute was called paddings. */
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

bool onnx_pad_pads(struct onnx_infer *infer, int64_t pads[2 * ONNX_MAX_RANK]) {
  const size_t rank = infer->shapes[0]->rank;
  struct onnx_list given, axes;
  if (!find_pads(infer, &given) || !onnx_list(infer, 3, "axes", &axes)) return false;
  const size_t count = given.count / 2;
  memset(pads, 0, 2 * rank * sizeof *pads);
  for (size_t i = 0; i < count; i++) {
    size_t axis = i;
    if (axes.is_given && !onnx_axis(infer, onnx_list_at(&axes, i), rank, &axis)) return false;
    pads[axis] = onnx_list_at(&given, i);
    pads[rank + axis] = onnx_list_at(&given, count + i);
  }
  return true;
}

/* Modes other than constant copy rows from further inside. */
static bool pad_rows(struct onnx_infer *infer, struct band_rule *rule) {
  const size_t rank = infer->shapes[0]->rank;
  int64_t pads[2 * ONNX_MAX_RANK];
  bool is_constant =
      !onnx_attribute(infer, "mode") || onnx_attribute_is(infer, "mode", "constant");
  if (rank <= ONNX_ROWS || !is_constant || !onnx_pad_pads(infer, pads)) return false;
  *rule = (struct band_rule){
      .kind = SPLIT_PAD, .before = pads[ONNX_ROWS], .after = pads[rank + ONNX_ROWS]};
  return rule->before >= 0 && rule->after >= 0;
}

/* Works in any mode that neither adds nor removes channels. */
static bool pad_channels(struct onnx_infer *infer, struct band_rule *rule) {
  const size_t rank = infer->shapes[0]->rank;
  int64_t pads[2 * ONNX_MAX_RANK];
  rule->kind = SPLIT_POINTWISE;
  return rank > ONNX_CHANNELS && onnx_pad_pads(infer, pads) && pads[ONNX_CHANNELS] == 0 &&
         pads[rank + ONNX_CHANNELS] == 0;
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

const struct onnx_rule onnx_rules_pad[] = {
    {.name = "CenterCropPad", .shape = crop_or_pad},
    {.name = "Pad", .shape = pad, .rows = pad_rows, .channels = pad_channels},
    {.name = NULL},
};
