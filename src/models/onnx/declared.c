/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/declared.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/dimensions.h"

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
  for (size_t i = 0; i < reading->model.dimension_count; i++) {
    const neap_dimension *dimension = &reading->model.dimensions[i];
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

/* The shape in a declaration; NULL if there is none. */
static const Onnx__Shape *shape_of(const Onnx__Value *value) {
  if (!value || value->n_type != 1 || value->type[0]->n_tensor_type != 1) return NULL;
  const Onnx__TensorType *type = value->type[0]->tensor_type[0];
  return type->n_shape == 1 ? type->shape[0] : NULL;
}

/* Reads a dimension; one without a value is -1. */
static neap_status read_dimension(const struct onnx_model *model, size_t tensor, size_t index,
                                  const Onnx__Dimension *dimension, int64_t *value,
                                  neap_error *error) {
  char name[TEXT_EXCERPT];
  *value = -1;
  if (!is_fixed(dimension)) {
    find_value(model, tensor, index, param_of(dimension), value);
    return NEAP_OK;
  }
  *value = dimension->dim_value;
  if (*value >= 0) return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT, "tensor %s: dimension %zu is %" PRId64,
                   onnx_model_tensor(model, tensor, name), index, *value);
}

neap_status onnx_declared_shape(const struct onnx_model *model, size_t tensor,
                                struct onnx_shape *shape, neap_error *error) {
  const Onnx__Value *value = model->tensors[tensor].declaration;
  const Onnx__Shape *message = shape_of(value);
  char name[TEXT_EXCERPT];
  neap_status status = NEAP_OK;
  *shape = (struct onnx_shape){.is_known = false};
  if (!value || value->n_type != 1 || value->type[0]->n_tensor_type != 1) return NEAP_OK;
  shape->type = value->type[0]->tensor_type[0]->elem_type;
  if (!message) return NEAP_OK;
  if (message->n_dim > ONNX_MAX_RANK)
    return error_set(error, NEAP_ERROR_INPUT, "tensor %s: more than %d dimensions: %zu",
                     onnx_model_tensor(model, tensor, name), ONNX_MAX_RANK, message->n_dim);
  shape->rank = message->n_dim;
  shape->is_known = true;
  for (size_t d = 0; d < shape->rank && status == NEAP_OK; d++)
    status = read_dimension(model, tensor, d, message->dim[d], &shape->dims[d], error);
  return status;
}

bool onnx_declared_other(const struct onnx_model *model, size_t tensor) {
  const Onnx__Value *value = model->tensors[tensor].declaration;
  return value && value->n_type == 1 && value->type[0]->n_tensor_type == 0;
}

/* ---------------------------------------------------------------- dimensions without a value */

/*
 * The name under which a dimension can be given a value: "batch" or "image:2".  NULL if the
 * latter is cut off in `text`.
 */
static const char *name_place(const struct onnx_model *model, size_t tensor, size_t index,
                              char *text, size_t size) {
  const Onnx__Shape *message = shape_of(model->tensors[tensor].declaration);
  const char *param = message && index < message->n_dim ? param_of(message->dim[index]) : NULL;
  if (param) return param;
  int length = snprintf(text, size, "%s:%zu", names_text(&model->names, tensor), index);
  return length >= 0 && (size_t)length < size ? text : NULL;
}

neap_status onnx_declared_close(struct onnx_model *model, size_t tensor,
                                struct onnx_shape *shape, neap_error *error) {
  char text[256], excerpt[TEXT_EXCERPT];
  int64_t count;
  for (size_t d = 0; d < shape->rank; d++) {
    if (shape->dims[d] >= 0 || find_value(model, tensor, d, NULL, &shape->dims[d])) continue;
    const char *place = name_place(model, tensor, d, text, sizeof text);
    shape->dims[d] = 1;
    if (!place) place = text; /* cut off: no value can be given for it on a command line */
    if (names_find(&model->open, place, strlen(place)) == NAMES_NONE &&
        !names_add(&model->open, place, strlen(place)))
      return error_memory(error);
  }
  return onnx_elements(shape, &count)
             ? NEAP_OK
             : error_set(error, NEAP_ERROR_INPUT, "tensor %s has too many elements",
                         onnx_model_tensor(model, tensor, excerpt));
}

/* ---------------------------------------------------------------- what operators make instead */

/* Whether an input has the dimension with this name. */
static bool is_of_input(const struct onnx_model *model, const char *param) {
  for (size_t i = 0; i < model->graph->n_input; i++) {
    const Onnx__Shape *shape = shape_of(model->graph->input[i]);
    for (size_t d = 0; shape && d < shape->n_dim; d++) {
      const char *own = param_of(shape->dim[d]);
      if (own && strcmp(own, param) == 0) return true;
    }
  }
  return false;
}

neap_status onnx_declared_compare(const struct onnx_model *model, size_t tensor,
                                  const struct onnx_shape *declared,
                                  const struct onnx_shape *made, bool *agrees,
                                  neap_error *error) {
  const Onnx__Shape *message = shape_of(model->tensors[tensor].declaration);
  char name[TEXT_EXCERPT], node[ONNX_NODE_TEXT];
  *agrees = declared->rank == made->rank;
  for (size_t d = 0; *agrees && d < made->rank; d++) {
    const char *param = param_of(message->dim[d]);
    int64_t value;
    if (declared->dims[d] < 0 || made->dims[d] < 0 || declared->dims[d] == made->dims[d])
      continue;
    /* A value given for a name is meant for the input with it, so the declaration is wrong. */
    if (is_fixed(message->dim[d]) || (param && is_of_input(model, param)) ||
        !find_value(model, tensor, d, param, &value)) {
      *agrees = false;
      return NEAP_OK;
    }
    return error_set(
        error, NEAP_ERROR_ARGUMENT,
        "neap_reading.model.dimensions: dimension %zu of tensor %s is given as %" PRId64
        ", but %s makes %" PRId64,
        d, onnx_model_tensor(model, tensor, name), value,
        onnx_model_node(model, model->tensors[tensor].maker, node), made->dims[d]);
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- dimensions of the model */

/* Free dimensions of a model: which given values they use, and the names of a few of them. */
struct census {
  const neap_reading *reading;
  bool *used;
  char known[320];
  size_t length;
};

static void count_dimension(struct census *census, const char *tensor, size_t index,
                            const Onnx__Dimension *dimension) {
  const char *param = param_of(dimension);
  char place[TEXT_EXCERPT];
  if (is_fixed(dimension)) return;
  for (size_t i = 0; i < census->reading->model.dimension_count; i++) {
    const char *name = census->reading->model.dimensions[i].name;
    if ((param && strcmp(name, param) == 0) || is_place(name, tensor, index))
      census->used[i] = true;
  }
  snprintf(place, sizeof place, "%.40s:%zu", tensor, index);
  dimensions_list(census->known, sizeof census->known, &census->length, param ? param : place);
}

static void count_values(struct census *census, Onnx__Value *const *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const Onnx__Shape *shape = shape_of(values[i]);
    for (size_t d = 0; shape && d < shape->n_dim; d++)
      count_dimension(census, values[i]->name ? values[i]->name : "", d, shape->dim[d]);
  }
}

/*
 * Whether `name` is the place, TENSOR:INDEX, of a dimension that no declaration has, or of an
 * output of an operator with bodies, whose declaration may be wrong.
 */
static bool is_undeclared(const struct onnx_model *model, const char *name) {
  const char *colon = strrchr(name, ':');
  int64_t index;
  if (!colon || text_number(colon + 1, strlen(colon + 1), &index) != TEXT_NUMBER_OK)
    return false;
  const size_t tensor = names_find(&model->names, name, (size_t)(colon - name));
  if (tensor == NAMES_NONE) return false;
  const size_t maker = model->tensors[tensor].maker;
  if (maker != ONNX_NONE && model->nodes[maker].body != ONNX_NONE) return true;
  const Onnx__Shape *shape = shape_of(model->tensors[tensor].declaration);
  return !shape || (size_t)index >= shape->n_dim;
}

neap_status onnx_declared_check_dimensions(const struct onnx_model *model, neap_error *error) {
  struct census census = {.reading = model->reading};
  if (model->reading->model.dimension_count == 0) return NEAP_OK;
  census.used = memory_array(model->reading->model.dimension_count, sizeof *census.used);
  if (!census.used) return error_memory(error);
  for (size_t b = 0; b < model->body_count; b++) {
    const Onnx__Graph *graph = model->bodies[b].graph;
    count_values(&census, graph->input, graph->n_input);
    count_values(&census, graph->output, graph->n_output);
    count_values(&census, graph->value_info, graph->n_value_info);
  }
  for (size_t i = 0; i < model->reading->model.dimension_count; i++)
    census.used[i] =
        census.used[i] || is_undeclared(model, model->reading->model.dimensions[i].name);
  neap_status status = dimensions_check(model->reading, census.used, census.known, error);
  free(census.used);
  return status;
}
