/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that gather or scatter elements by indices. */
#include <inttypes.h>

#include "models/onnx/infer.h"
#include "models/onnx/rules/move.h"
#include "models/onnx/rules/rules.h"
#include "models/onnx/rules/same.h"

/* Adds dimensions [from, to) of a shape to an output. */
static bool push_run(struct onnx_infer *infer, struct onnx_shape *output,
                     const struct onnx_shape *shape, size_t from, size_t to) {
  for (size_t d = from; d < to; d++)
    if (!onnx_push(infer, output, shape->dims[d])) return false;
  return true;
}

static bool gather(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 1);
  const struct onnx_shape *indices = data ? onnx_input(infer, 1) : NULL;
  size_t axis;
  if (!indices ||
      !onnx_axis(infer, onnx_attribute_integer(infer, "axis", 0), data->rank, &axis))
    return false;
  struct onnx_shape *output = onnx_output(infer, 0, data->type);
  return push_run(infer, output, data, 0, axis) &&
         push_run(infer, output, indices, 0, indices->rank) &&
         push_run(infer, output, data, axis + 1, data->rank);
}

static bool fold_gather(struct onnx_infer *infer) {
  const struct onnx_shape *data = infer->shapes[0];
  const struct onnx_values *from = infer->values[0], *indices = infer->values[1];
  struct onnx_values *to = infer->made[0];
  size_t axis = onnx_move_axis(infer, 0);
  int64_t strides[ONNX_MAX_RANK];
  if (indices->is_real || to->count == 0) return !indices->is_real;
  onnx_move_strides(data, strides);
  size_t length = (size_t)strides[axis], extent = (size_t)data->dims[axis];
  for (size_t i = 0; i < to->count; i++) {
    size_t run = i / length, which = run % indices->count, outer = run / indices->count;
    size_t index;
    if (!onnx_axis(infer, indices->items[which].integer, extent, &index)) return false;
    to->items[i] = from->items[(outer * extent + index) * length + i % length];
  }
  return true;
}

static bool gather_elements(struct onnx_infer *infer) {
  const struct onnx_shape *indices = onnx_input(infer, 1);
  if (!indices) return false;
  onnx_output_like(infer, 0, onnx_input_type(infer, 0), indices);
  return true;
}

/* The last dimension of the indices is the number of data dimensions that they index. */
static bool gather_nd(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 1);
  const struct onnx_shape *indices = data ? onnx_input_of_rank(infer, 1, 1) : NULL;
  if (!indices) return false;
  int64_t batch = onnx_attribute_integer(infer, "batch_dims", 0);
  int64_t depth = indices->dims[indices->rank - 1], rank = (int64_t)data->rank;
  if (batch < 0 || batch > rank || depth < 0 || depth > rank - batch)
    return onnx_fail(infer, "indices of %" PRId64 " numbers do not fit %zu dimensions", depth,
                     data->rank);
  struct onnx_shape *output = onnx_output(infer, 0, data->type);
  return push_run(infer, output, indices, 0, indices->rank - 1) &&
         push_run(infer, output, data, (size_t)(batch + depth), data->rank);
}

/* The largest or smallest elements and their indices; before version 10, `k` is an attribute. */
static bool top(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 1);
  size_t axis;
  if (!data || !onnx_axis(infer, onnx_attribute_integer(infer, "axis", -1), data->rank, &axis))
    return false;
  int64_t count = onnx_attribute_integer(infer, "k", -1);
  if (onnx_has(infer, 1)) {
    const struct onnx_values *values = onnx_integers(infer, 1);
    if (!values) return false;
    count = values->count == 1 ? values->items[0].integer : -1;
  }
  if (count < 0 || count > data->dims[axis])
    return onnx_fail(infer, "expected a k of up to %" PRId64 ", found %" PRId64,
                     data->dims[axis], count);
  onnx_output_like(infer, 0, data->type, data)->dims[axis] = count;
  onnx_output_like(infer, 1, ONNX_INT64, data)->dims[axis] = count;
  return true;
}

static bool one_hot(struct onnx_infer *infer) {
  const struct onnx_shape *indices = onnx_input(infer, 0);
  const struct onnx_values *depth = indices && onnx_has(infer, 1) ? infer->values[1] : NULL;
  size_t axis;
  if (!indices) return false;
  if (!depth || depth->count != 1)
    return onnx_fail(infer, "the elements of input 1 are unknown");
  double real = depth->is_real ? depth->items[0].real : 0;
  if (!(real >= 0 && real <= (double)ONNX_LARGE)) return onnx_fail(infer, "depth out of range");
  int64_t classes = depth->is_real ? (int64_t)real : depth->items[0].integer;
  if (!onnx_axis(infer, onnx_attribute_integer(infer, "axis", -1), indices->rank + 1, &axis))
    return false;
  struct onnx_shape *output = onnx_output(infer, 0, onnx_input_type(infer, 2));
  return push_run(infer, output, indices, 0, axis) && onnx_push(infer, output, classes) &&
         push_run(infer, output, indices, axis, indices->rank);
}

const struct onnx_rule onnx_rules_gather[] = {
    {.name = "Gather", .shape = gather, .fold = fold_gather},
    {.name = "GatherElements", .shape = gather_elements},
    {.name = "GatherND", .shape = gather_nd},
    {.name = "OneHot", .shape = one_hot},
    {.name = "Scatter", .shape = onnx_same_shape},
    {.name = "ScatterElements", .shape = onnx_same_shape},
    {.name = "ScatterND", .shape = onnx_same_shape},
    {.name = "TopK", .shape = top},
    {.name = NULL},
};
