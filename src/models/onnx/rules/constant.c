/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators whose output is in their attributes. */
#include <stdlib.h>

#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

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

const struct onnx_rule onnx_rules_constant[] = {
    {.name = "Constant", .shape = constant, .fold = fold_constant},
    {.name = "ConstantOfShape", .shape = filled, .fold = fold_filled},
    {.name = NULL},
};
