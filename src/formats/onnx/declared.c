/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/onnx/declared.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/dimensions.h"

/* Whether `name` is that of the tensor, a colon and the dimension's index. */
static bool is_place(const char *name, const char *tensor, size_t index) {
  char number[32];
  size_t length = strlen(tensor);
  snprintf(number, sizeof number, ":%zu", index);
  return strncmp(name, tensor, length) == 0 && strcmp(name + length, number) == 0;
}

/* Finds the value given for a dimension; false if there is none. */
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

/* The name of a dimension; NULL if it has none. */
static const char *param_of(const Onnx__Dimension *dimension) {
  return dimension->dim_param && dimension->dim_param[0] ? dimension->dim_param : NULL;
}

static bool is_fixed(const Onnx__Dimension *dimension) {
  return dimension->has_dim_value && dimension->dim_value != -1;
}

/* Reads a dimension; sets *open to the first that has no value. */
static neap_status read_dimension(const struct onnx_model *model, size_t tensor, size_t index,
                                  const Onnx__Dimension *dimension, int64_t *value,
                                  struct onnx_open *open, neap_error *error) {
  char name[TEXT_EXCERPT];
  const char *param = param_of(dimension);
  if (is_fixed(dimension)) {
    *value = dimension->dim_value;
    if (*value >= 0) return NEAP_OK;
    return error_set(error, NEAP_ERROR_INPUT, "tensor %s: dimension %zu is %" PRId64,
                     onnx_model_tensor(model, tensor, name), index, *value);
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
    return error_set(error, NEAP_ERROR_INPUT, "tensor %s: more than %d dimensions: %zu",
                     onnx_model_tensor(model, tensor, name), ONNX_MAX_RANK, message->n_dim);
  for (size_t d = 0; d < message->n_dim && status == NEAP_OK; d++)
    status = read_dimension(model, tensor, d, message->dim[d], &shape->dims[d], open, error);
  if (status != NEAP_OK || open->index != ONNX_NONE) return status;
  shape->rank = message->n_dim;
  shape->is_known = onnx_elements(shape, &count);
  return shape->is_known ? NEAP_OK
                         : error_set(error, NEAP_ERROR_INPUT, "tensor %s has too many elements",
                                     onnx_model_tensor(model, tensor, name));
}

/* The shape in a declaration; NULL if there is none. */
static const Onnx__Shape *shape_of(const Onnx__Value *value) {
  if (!value || value->n_type != 1 || value->type[0]->n_tensor_type != 1) return NULL;
  const Onnx__TensorType *type = value->type[0]->tensor_type[0];
  return type->n_shape == 1 ? type->shape[0] : NULL;
}

neap_status onnx_declared_shape(const struct onnx_model *model, size_t tensor,
                                struct onnx_shape *shape, struct onnx_open *open,
                                neap_error *error) {
  const Onnx__Value *value = model->tensors[tensor].declaration;
  *shape = (struct onnx_shape){.is_known = false};
  *open = (struct onnx_open){ONNX_NONE, NULL};
  if (!value || value->n_type != 1 || value->type[0]->n_tensor_type != 1) return NEAP_OK;
  shape->type = value->type[0]->tensor_type[0]->elem_type;
  const Onnx__Shape *message = shape_of(value);
  return message ? read_dimensions(model, tensor, message, shape, open, error) : NEAP_OK;
}

/* ---------------------------------------------------------------- dimensions that are there */

/* Free dimensions of a model: a mark for each value given, and a few of their names. */
struct census {
  const neap_reading *reading;
  bool *used;
  char known[320];
  size_t length;
};

/* Lists a name, in quotes, unless it is listed or there is no more room. */
static void list_name(struct census *census, const char *name) {
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, name, strlen(name));
  size_t room = sizeof census->known - census->length;
  if (strstr(census->known, excerpt) || strlen(excerpt) + 8 > room) return;
  census->length += (size_t)snprintf(census->known + census->length, room, "%s%s",
                                     census->length > 0 ? ", " : "", excerpt);
}

static void count_dimension(struct census *census, const char *tensor, size_t index,
                            const Onnx__Dimension *dimension) {
  const char *param = param_of(dimension);
  char place[TEXT_EXCERPT];
  if (is_fixed(dimension)) return;
  for (size_t i = 0; i < census->reading->dimension_count; i++) {
    const char *name = census->reading->dimensions[i].name;
    if ((param && strcmp(name, param) == 0) || is_place(name, tensor, index))
      census->used[i] = true;
  }
  snprintf(place, sizeof place, "%.40s:%zu", tensor, index);
  list_name(census, param ? param : place);
}

static void count_values(struct census *census, Onnx__Value *const *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const Onnx__Shape *shape = shape_of(values[i]);
    for (size_t d = 0; shape && d < shape->n_dim; d++)
      count_dimension(census, values[i]->name ? values[i]->name : "", d, shape->dim[d]);
  }
}

neap_status onnx_declared_check_dimensions(const struct onnx_model *model, neap_error *error) {
  struct census census = {.reading = model->reading};
  const Onnx__Graph *graph = model->graph;
  if (model->reading->dimension_count == 0) return NEAP_OK;
  census.used = memory_array(model->reading->dimension_count, sizeof *census.used);
  if (!census.used) return error_memory(error);
  count_values(&census, graph->input, graph->n_input);
  count_values(&census, graph->output, graph->n_output);
  count_values(&census, graph->value_info, graph->n_value_info);
  neap_status status = dimensions_check(model->reading, census.used, census.known, error);
  free(census.used);
  return status;
}

neap_status onnx_declared_error(const struct onnx_model *model, size_t tensor,
                                const struct onnx_open *open, const char *why,
                                neap_error *error) {
  char name[TEXT_EXCERPT], param[TEXT_EXCERPT];
  onnx_model_tensor(model, tensor, name);
  if (open->index == ONNX_NONE)
    return error_set(error, NEAP_ERROR_INPUT, "tensor %s has no shape%s", name, why);
  if (open->name)
    return error_set(error, NEAP_ERROR_INPUT,
                     "tensor %s: dimension %zu, %s, is free; set it with "
                     "neap_reading.dimensions NAME=VALUE%s",
                     name, open->index, text_excerpt(param, open->name, strlen(open->name)),
                     why);
  return error_set(error, NEAP_ERROR_INPUT,
                   "tensor %s: dimension %zu is free and has no name; set it with "
                   "neap_reading.dimensions TENSOR:%zu=VALUE%s",
                   name, open->index, open->index, why);
}
