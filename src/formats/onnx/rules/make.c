/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators whose outputs come from attributes or shapes only. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/checked.h"
#include "formats/onnx/rules/rules.h"

/* ---------------------------------------------------------------- Shape, Size */

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

/* ---------------------------------------------------------------- Constant */

/* Attributes that hold one number or a list, and the types of their constants. */
static const struct constant_form {
  const char *name;
  int type;
  bool is_list;
} forms[] = {
    {"value_int", ONNX_INT64, false},     {"value_ints", ONNX_INT64, true},
    {"value_float", ONNX_FLOAT, false},   {"value_floats", ONNX_FLOAT, true},
    {"value_string", ONNX_STRING, false},
};

enum { FORM_COUNT = sizeof forms / sizeof *forms };

static const struct constant_form *form_of(const struct onnx_infer *infer,
                                           const Onnx__Attribute **attribute) {
  for (size_t f = 0; f < FORM_COUNT; f++)
    if ((*attribute = onnx_attribute(infer, forms[f].name))) return &forms[f];
  return NULL;
}

static const Onnx__Tensor *tensor_of(const struct onnx_infer *infer, const char *name) {
  const Onnx__Attribute *attribute = onnx_attribute(infer, name);
  return attribute && attribute->n_t == 1 ? attribute->t[0] : NULL;
}

static bool sparse(struct onnx_infer *infer, const Onnx__Attribute *attribute) {
  if (!attribute || attribute->n_sparse_tensor != 1 ||
      attribute->sparse_tensor[0]->n_values != 1)
    return onnx_fail(infer, "the value is missing");
  const Onnx__Sparse *tensor = attribute->sparse_tensor[0];
  struct onnx_shape *output = onnx_output(infer, 0, tensor->values[0]->data_type);
  for (size_t d = 0; d < tensor->n_dims; d++)
    if (!onnx_push(infer, output, tensor->dims[d])) return false;
  return true;
}

static bool constant(struct onnx_infer *infer) {
  const Onnx__Attribute *attribute;
  const Onnx__Tensor *tensor = tensor_of(infer, "value");
  const struct constant_form *form = form_of(infer, &attribute);
  const char *why;
  if (tensor)
    return onnx_tensor_shape(tensor, &infer->outputs[0], &why) || onnx_fail(infer, "%s", why);
  if (!form) return sparse(infer, onnx_attribute(infer, "sparse_value"));
  struct onnx_shape *output = onnx_output(infer, 0, form->type);
  size_t count = form->type == ONNX_INT64 ? attribute->n_ints : attribute->n_floats;
  return !form->is_list || onnx_push(infer, output, (int64_t)count);
}

static bool fold_constant(struct onnx_infer *infer) {
  const Onnx__Attribute *attribute;
  const Onnx__Tensor *tensor = tensor_of(infer, "value");
  struct onnx_values *made = infer->made[0];
  if (tensor) return onnx_tensor_values(tensor, made);
  const struct constant_form *form = form_of(infer, &attribute);
  if (!form) return false;
  for (size_t i = 0; i < made->count; i++) {
    if (made->is_real)
      made->items[i].real = (double)(form->is_list ? attribute->floats[i] : attribute->f);
    else made->items[i].integer = form->is_list ? attribute->ints[i] : attribute->i;
  }
  return true;
}

/* ---------------------------------------------------------------- ConstantOfShape */

static bool filled(struct onnx_infer *infer) {
  const struct onnx_values *dims = onnx_integers(infer, 0);
  const Onnx__Tensor *value = tensor_of(infer, "value");
  if (!dims) return false;
  struct onnx_shape *output = onnx_output(infer, 0, value ? value->data_type : ONNX_FLOAT);
  for (size_t d = 0; d < dims->count; d++)
    if (!onnx_push(infer, output, dims->items[d].integer)) return false;
  return true;
}

static bool fold_filled(struct onnx_infer *infer) {
  const Onnx__Tensor *value = tensor_of(infer, "value");
  struct onnx_values *made = infer->made[0];
  if (!value || made->count == 0) return true;
  struct onnx_values *one =
      onnx_values_new(&(struct onnx_shape){.type = value->data_type, .rank = 0});
  bool is_read = one && onnx_tensor_values(value, one);
  for (size_t i = 0; i < made->count && is_read; i++)
    made->items[i] = one->items[0];
  free(one);
  return is_read;
}

/* ---------------------------------------------------------------- Range */

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

/* ---------------------------------------------------------------- at random */

static bool drawn(struct onnx_infer *infer) {
  struct onnx_list dims = onnx_attribute_list(infer, "shape");
  if (!dims.is_given) return onnx_fail(infer, "the shape is missing");
  int64_t type = onnx_attribute_integer(infer, "dtype", ONNX_FLOAT);
  struct onnx_shape *output = onnx_output(infer, 0, (int)type);
  for (size_t d = 0; d < dims.count; d++)
    if (!onnx_push(infer, output, dims.integers[d])) return false;
  return true;
}

static bool classes(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 2);
  if (!data) return false;
  int64_t type = onnx_attribute_integer(infer, "dtype", ONNX_INT32);
  struct onnx_shape *output = onnx_output(infer, 0, (int)type);
  return onnx_push(infer, output, data->dims[0]) &&
         onnx_push(infer, output, onnx_attribute_integer(infer, "sample_size", 1));
}

/* ---------------------------------------------------------------- NonZero */

/* The indices of nonzero elements: as many as there are. */
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

const struct onnx_rule onnx_rules_make[] = {
    {.name = "Constant", .shape = constant, .fold = fold_constant},
    {.name = "ConstantOfShape", .shape = filled, .fold = fold_filled},
    {.name = "Multinomial", .shape = classes, .is_random = true},
    {.name = "NonZero", .shape = non_zero, .fold = fold_non_zero},
    {.name = "RandomNormal", .shape = drawn, .is_random = true},
    {.name = "RandomUniform", .shape = drawn, .is_random = true},
    {.name = "Range", .shape = range, .fold = fold_range},
    {.name = "Shape", .shape = shape, .fold = fold_shape, .folds_shapes = true},
    {.name = "Size", .shape = size, .fold = fold_size, .folds_shapes = true},
    {.name = NULL},
};
