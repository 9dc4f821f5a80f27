/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators whose output is the input in another shape. */
#include <inttypes.h>

#include "core/checked.h"
#include "models/onnx/infer.h"
#include "models/onnx/rules/move.h"
#include "models/onnx/rules/rules.h"
#include "models/onnx/rules/same.h"

/* 0 copies the input's dimension; -1, at most once, takes the remaining elements. */
static bool reshape(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  struct onnx_list wanted;
  if (!data || !onnx_list(infer, 1, "shape", &wanted)) return false;
  if (!wanted.is_given) return onnx_fail(infer, "the shape is missing");
  bool zero_is_zero = onnx_attribute_integer(infer, "allowzero", 0) != 0;
  struct onnx_shape *output = onnx_output(infer, 0, data->type);
  size_t open = SIZE_MAX;
  for (size_t d = 0; d < wanted.count; d++) {
    int64_t dimension = onnx_list_at(&wanted, d);
    if (dimension == 0 && !zero_is_zero) {
      if (d >= data->rank) return onnx_fail(infer, "no dimension %zu to copy", d);
      dimension = data->dims[d];
    } else if (dimension == -1 && open == SIZE_MAX) {
      open = d;
      dimension = 1;
    }
    if (dimension < 0) return onnx_fail(infer, "dimension %zu is %" PRId64, d, dimension);
    if (!onnx_push(infer, output, dimension)) return false;
  }
  int64_t had, has;
  if (!onnx_elements(data, &had) || !onnx_elements(output, &has))
    return onnx_fail(infer, "too many elements");
  if (open != SIZE_MAX && has > 0 && had % has == 0) {
    output->dims[open] = had / has;
    return true;
  }
  return (open == SIZE_MAX && had == has) ||
         onnx_fail(infer, "%" PRId64 " elements do not fit the shape", had);
}

static bool flatten(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  int64_t axis = onnx_attribute_integer(infer, "axis", 1), rank = (int64_t)data->rank;
  if (axis < -rank || axis > rank)
    return onnx_fail(infer, "expected an axis of %zu dimensions, found %" PRId64, data->rank,
                     axis);
  if (axis < 0) axis += rank;
  int64_t rows = 1, columns = 1;
  for (size_t d = 0; d < data->rank; d++)
    if (!checked_mul((int64_t)d < axis ? rows : columns, data->dims[d],
                     (int64_t)d < axis ? &rows : &columns))
      return onnx_fail(infer, "too many elements");
  struct onnx_shape *output = onnx_output(infer, 0, data->type);
  return onnx_push(infer, output, rows) && onnx_push(infer, output, columns);
}

static bool squeeze(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  struct onnx_list axes;
  bool marked[ONNX_MAX_RANK];
  if (!data || !onnx_list(infer, 1, "axes", &axes) ||
      !onnx_axes(infer, &axes, data->rank, marked))
    return false;
  struct onnx_shape *output = onnx_output(infer, 0, data->type);
  for (size_t d = 0; d < data->rank; d++) {
    if (marked[d] && data->dims[d] != 1)
      return onnx_fail(infer, "dimension %zu is %" PRId64 ", not 1", d, data->dims[d]);
    bool goes = axes.count > 0 ? marked[d] : data->dims[d] == 1;
    if (!goes && !onnx_push(infer, output, data->dims[d])) return false;
  }
  return true;
}

/* The axes are those of the output. */
static bool unsqueeze(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  struct onnx_list axes;
  bool marked[ONNX_MAX_RANK];
  if (!data || !onnx_list(infer, 1, "axes", &axes)) return false;
  if (axes.count > ONNX_MAX_RANK - data->rank)
    return onnx_fail(infer, "more than %d dimensions", ONNX_MAX_RANK);
  size_t rank = data->rank + axes.count;
  if (!onnx_axes(infer, &axes, rank, marked)) return false;
  struct onnx_shape *output = onnx_output(infer, 0, data->type);
  for (size_t d = 0, from = 0; d < rank; d++)
    if (!onnx_push(infer, output, marked[d] ? 1 : data->dims[from++])) return false;
  return true;
}

const struct onnx_rule onnx_rules_reshape[] = {
    {.name = "Flatten", .shape = flatten, .place = ONNX_VIEW, .fold = onnx_move_copy},
    {.name = "Identity", .shape = onnx_same_shape, .place = ONNX_VIEW, .fold = onnx_move_copy},
    {.name = "Reshape", .shape = reshape, .place = ONNX_VIEW, .fold = onnx_move_copy},
    {.name = "Squeeze", .shape = squeeze, .place = ONNX_VIEW, .fold = onnx_move_copy},
    {.name = "Unsqueeze", .shape = unsqueeze, .place = ONNX_VIEW, .fold = onnx_move_copy},
    {.name = NULL},
};
