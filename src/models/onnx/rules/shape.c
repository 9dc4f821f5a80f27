/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators whose output is the shape of their input, or its number of elements. */
#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

/* The range of the input's dimensions that Shape returns: [*from, *to). */
static void part_of(const struct onnx_infer *infer, size_t rank, size_t *from, size_t *to) {
  int64_t count = (int64_t)rank;
  int64_t start = onnx_attribute_integer(infer, "start", 0);
  int64_t end = onnx_attribute_integer(infer, "end", count);
  if (start < 0) start += count;
  if (end < 0) end += count;
  start = start < 0 ? 0 : start > count ? count : start;
  end = end < start ? start : end > count ? count : end;
  *from = (size_t)start;
  *to = (size_t)end;
}

static bool shape(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  size_t from, to;
  if (!data) return false;
  part_of(infer, data->rank, &from, &to);
  return onnx_push(infer, onnx_output(infer, 0, ONNX_INT64), (int64_t)(to - from));
}

static bool fold_shape(struct onnx_infer *infer) {
  const struct onnx_shape *data = infer->shapes[0];
  size_t from, to;
  part_of(infer, data->rank, &from, &to);
  for (size_t d = from; d < to; d++)
    infer->made[0]->items[d - from].integer = data->dims[d];
  return true;
}

static bool size(struct onnx_infer *infer) {
  if (!onnx_input(infer, 0)) return false;
  onnx_output(infer, 0, ONNX_INT64);
  return true;
}

static bool fold_size(struct onnx_infer *infer) {
  return onnx_elements(infer->shapes[0], &infer->made[0]->items[0].integer);
}

const struct onnx_rule onnx_rules_shape[] = {
    {.name = "Shape", .shape = shape, .fold = fold_shape, .folds_shapes = true},
    {.name = "Size", .shape = size, .fold = fold_size, .folds_shapes = true},
    {.name = NULL},
};
