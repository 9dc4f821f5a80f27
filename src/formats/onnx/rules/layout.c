/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that change the shape, order or count of elements. */
#include <inttypes.h>

#include "core/checked.h"
#include "formats/onnx/rules/rules.h"

/* ---------------------------------------------------------------- views */

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

/* ---------------------------------------------------------------- order */

/* Without `perm`, the axes are reversed. */
bool onnx_transpose_order(struct onnx_infer *infer, size_t rank, size_t order[ONNX_MAX_RANK]) {
  struct onnx_list list = onnx_attribute_list(infer, "perm");
  bool marked[ONNX_MAX_RANK];
  for (size_t d = 0; d < rank; d++)
    order[d] = rank - 1 - d;
  if (!list.is_given) return true;
  if (list.count != rank)
    return onnx_fail(infer, "expected a perm of %zu axes, found %zu", rank, list.count);
  if (!onnx_axes(infer, &list, rank, marked)) return false;
  for (size_t d = 0; d < rank; d++)
    if (!onnx_axis(infer, list.integers[d], rank, &order[d])) return false;
  return true;
}

static bool transpose(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  size_t order[ONNX_MAX_RANK];
  if (!data || !onnx_transpose_order(infer, data->rank, order)) return false;
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  for (size_t d = 0; d < data->rank; d++)
    output->dims[d] = data->dims[order[d]];
  return true;
}

/* Blocks of pixels become channels, or with detail 1, the other way round. */
static bool move_blocks(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 4);
  int64_t block = onnx_attribute_integer(infer, "blocksize", 0), area, rows, columns;
  if (!data) return false;
  if (block < 1 || !checked_mul(block, block, &area))
    return onnx_fail(infer, "expected a blocksize of at least 1, found %" PRId64, block);
  struct onnx_shape *output = onnx_output_like(infer, 0, data->type, data);
  const int64_t *dims = data->dims;
  if (infer->rule->detail) {
    if (dims[1] % area != 0 || !checked_mul(dims[2], block, &rows) ||
        !checked_mul(dims[3], block, &columns))
      return onnx_fail(infer, "the channels do not divide into blocks");
    output->dims[1] = dims[1] / area;
  } else {
    if (dims[2] % block != 0 || dims[3] % block != 0 ||
        !checked_mul(dims[1], area, &output->dims[1]))
      return onnx_fail(infer, "the image does not divide into blocks");
    rows = dims[2] / block;
    columns = dims[3] / block;
  }
  output->dims[2] = rows;
  output->dims[3] = columns;
  return true;
}

/* ---------------------------------------------------------------- count */

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

const struct onnx_rule onnx_rules_layout[] = {
    {.name = "Concat", .shape = concat, .fold = onnx_fold_concat},
    {.name = "DepthToSpace", .shape = move_blocks, .detail = 1},
    {.name = "Expand", .shape = expand, .fold = onnx_fold_expand},
    {.name = "Flatten", .shape = flatten, .place = ONNX_VIEW, .fold = onnx_fold_copy},
    {.name = "Identity", .shape = onnx_shape_same, .place = ONNX_VIEW, .fold = onnx_fold_copy},
    {.name = "Reshape", .shape = reshape, .place = ONNX_VIEW, .fold = onnx_fold_copy},
    {.name = "SpaceToDepth", .shape = move_blocks},
    {.name = "Squeeze", .shape = squeeze, .place = ONNX_VIEW, .fold = onnx_fold_copy},
    {.name = "Tile", .shape = tile},
    {.name = "Transpose", .shape = transpose, .fold = onnx_fold_transpose},
    {.name = "Unsqueeze", .shape = unsqueeze, .place = ONNX_VIEW, .fold = onnx_fold_copy},
    {.name = NULL},
};
