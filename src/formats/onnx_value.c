/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes that a model declares, and the values of their free dimensions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "formats/onnx_model.h"

/* Whether `name` is that of the tensor, a colon and the dimension's index. */
static bool is_place(const char *name, const char *tensor, size_t index) {
  char number[32];
  size_t length = strlen(tensor);
  snprintf(number, sizeof number, ":%zu", index);
  return strncmp(name, tensor, length) == 0 && strcmp(name + length, number) == 0;
}

/* The value that was asked for; false where none was. */
static bool find_value(const struct onnx_model *model, size_t tensor, size_t index,
                       const char *param, int64_t *value) {
  const neap_reading *reading = model->reading;
  for (size_t i = 0; i < reading->dimension_count; i++) {
    const neap_dimension *dimension = &reading->dimensions[i];
    if (!(param && strcmp(dimension->name, param) == 0) &&
        !is_place(dimension->name, names_text(&model->names, tensor), index))
      continue;
    *value = dimension->value;
    return true;
  }
  return false;
}

/* One dimension; *open where it has no value. */
static neap_status read_dimension(const struct onnx_model *model, size_t tensor, size_t index,
                                  const Onnx__Dimension *dimension, int64_t *value,
                                  struct onnx_open *open, neap_error *error) {
  char name[TEXT_EXCERPT];
  const char *param =
      dimension->dim_param && dimension->dim_param[0] ? dimension->dim_param : NULL;
  if (dimension->has_dim_value && dimension->dim_value != -1) {
    *value = dimension->dim_value;
    if (*value >= 0) return NEAP_OK;
    return error_set(error, NEAP_ERROR_INPUT, "tensor %s: dimension %zu is %" PRId64,
                     onnx_name(model, tensor, name), index, *value);
  }
  if (!find_value(model, tensor, index, param, value) && open->index == ONNX_NONE)
    *open = (struct onnx_open){index, param};
  return NEAP_OK;
}

static neap_status read_dimensions(const struct onnx_model *model, size_t tensor,
                                   const Onnx__Shape *message, struct onnx_shape *shape,
                                   struct onnx_open *open, neap_error *error) {
  char name[TEXT_EXCERPT];
  int64_t count;
  neap_status status = NEAP_OK;
  if (message->n_dim > ONNX_MAX_RANK)
    return error_set(error, NEAP_ERROR_INPUT,
                     "tensor %s: expected up to %d dimensions, found %zu",
                     onnx_name(model, tensor, name), ONNX_MAX_RANK, message->n_dim);
  for (size_t d = 0; d < message->n_dim && status == NEAP_OK; d++)
    status = read_dimension(model, tensor, d, message->dim[d], &shape->dims[d], open, error);
  if (status != NEAP_OK || open->index != ONNX_NONE) return status;
  shape->rank = message->n_dim;
  shape->is_known = onnx_elements(shape, &count);
  return shape->is_known ? NEAP_OK
                         : error_set(error, NEAP_ERROR_INPUT, "tensor %s has too many elements",
                                     onnx_name(model, tensor, name));
}

neap_status onnx_declared(const struct onnx_model *model, size_t tensor,
                          struct onnx_shape *shape, struct onnx_open *open, neap_error *error) {
  const Onnx__Value *value = model->tensors[tensor].declaration;
  *shape = (struct onnx_shape){.is_known = false};
  *open = (struct onnx_open){ONNX_NONE, NULL};
  if (!value || value->n_type != 1 || value->type[0]->n_tensor_type != 1) return NEAP_OK;
  const Onnx__TensorType *type = value->type[0]->tensor_type[0];
  shape->type = type->elem_type;
  if (type->n_shape != 1) return NEAP_OK;
  return read_dimensions(model, tensor, type->shape[0], shape, open, error);
}

neap_status onnx_open_error(const struct onnx_model *model, size_t tensor,
                            const struct onnx_open *open, const char *why, neap_error *error) {
  char name[TEXT_EXCERPT], param[TEXT_EXCERPT];
  onnx_name(model, tensor, name);
  if (open->index == ONNX_NONE)
    return error_set(error, NEAP_ERROR_INPUT, "tensor %s: expected a shape, found none%s", name,
                     why);
  if (open->name)
    return error_set(
        error, NEAP_ERROR_INPUT, "tensor %s: dimension %zu, %s, is free: give --dim %s=VALUE%s",
        name, open->index, text_excerpt(param, open->name, strlen(open->name)), param, why);
  return error_set(
      error, NEAP_ERROR_INPUT,
      "tensor %s: dimension %zu is free and has no name: give --dim %s:%zu=VALUE%s", name,
      open->index, name, open->index, why);
}
