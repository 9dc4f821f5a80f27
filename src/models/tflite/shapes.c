/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/shapes.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "models/tflite/operators.h"
#include "models/tflite/schema.h"

/* By tensor of subgraph 0: the shapes in the file, and the new shapes. */
struct inference {
  struct tflite_model *model;
  const struct tflite_subgraph *main;
  struct tflite_shape *old, *now;
  bool *has_changed; /* the shape, or the known or possible small integers */
  struct tflite_shape *made;
  size_t made_capacity;
};

/* ---------------------------------------------------------------- the shapes in the file */

/* Reads a constant's elements if they are few integers. */
static void read_values(const struct inference *inference, const struct flat_table *tensor,
                        struct tflite_shape *shape) {
  uint64_t number, type;
  int64_t elements;
  struct flat_table buffer;
  struct flat_vector data;
  if (!flat_unsigned(tensor, TFLITE_TENSOR_BUFFER, 4, 0, &number) || number == 0 ||
      !flat_unsigned(tensor, TFLITE_TENSOR_TYPE, 1, 0, &type) ||
      (type != TFLITE_INT32 && type != TFLITE_INT64) ||
      !tflite_shape_elements(shape, &elements) || elements > TFLITE_SHAPE_VALUES ||
      !flat_element(&inference->model->buffers, (size_t)number, &buffer) ||
      !flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, &data))
    return;
  const size_t width = type == TFLITE_INT64 ? 8 : 4;
  if (data.count != (size_t)elements * width) return;
  shape->has_values = true;
  for (size_t i = 0; i < (size_t)elements; i++) {
    const size_t at = data.at + i * width;
    const uint64_t low = flat_get32(data.file, at);
    const uint64_t high = width == 8 ? flat_get32(data.file, at + 4) : 0;
    shape->values[i] = width == 8 ? (int64_t)(high << 32 | low) : (int32_t)low;
    shape->has_values = shape->has_values && tflite_shape_value_is_small(shape->values[i]);
  }
}

static neap_status read_shape(const struct inference *inference, size_t index,
                              struct tflite_shape *shape, neap_error *error) {
  struct flat_table tensor;
  struct flat_vector dims;
  if (!flat_element(&inference->main->tensors, index, &tensor) ||
      !flat_vector(&tensor, TFLITE_TENSOR_SHAPE, 4, &dims))
    return tflite_model_broken("tensor", index, error);
  if (dims.count > TFLITE_OPERAND_RANK) return NEAP_OK;
  shape->is_known = true;
  shape->rank = dims.count;
  for (size_t d = 0; d < dims.count; d++) {
    shape->dims[d] = flat_int32(&dims, d);
    shape->is_known = shape->is_known && shape->dims[d] >= 0;
  }
  if (shape->is_known) read_values(inference, &tensor, shape);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- operators */

static bool has_same_shape(const struct tflite_shape *a, const struct tflite_shape *b) {
  return a->is_known && b->is_known && a->rank == b->rank &&
         memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

static bool has_same_values(const struct tflite_shape *a, const struct tflite_shape *b) {
  int64_t elements;
  return a->has_values && b->has_values && tflite_shape_elements(a, &elements) &&
         memcmp(a->values, b->values, (size_t)elements * sizeof *a->values) == 0;
}

/* Whether a tensor is a list whose elements may determine shapes. */
static bool is_list(const struct inference *inference, const struct flat_vector *list,
                    size_t i) {
  struct tflite_operand operand;
  return tflite_operand_read(inference->main, list, i, &operand) && operand.rank <= 1 &&
         (operand.type == TFLITE_INT32 || operand.type == TFLITE_INT64);
}

static neap_status check_list(const struct inference *inference, const struct flat_vector *list,
                              size_t index, neap_error *error) {
  neap_status status = tflite_model_spend(inference->model, 4 * list->count, error);
  size_t tensor;
  for (size_t i = 0; i < list->count && status == NEAP_OK; i++)
    status = tflite_model_tensor(inference->main, list, i, "operator", index, &tensor, error);
  return status;
}

static bool have_inputs_changed(const struct inference *inference,
                                const struct flat_vector *inputs) {
  for (size_t i = 0; i < inputs->count; i++)
    if (flat_int32(inputs, i) >= 0 && inference->has_changed[flat_int32(inputs, i)])
      return true;
  return false;
}

/* Infers the outputs from inputs with these shapes. */
static bool make(struct inference *inference, const struct tflite_call *call,
                 const struct tflite_shape *tensors) {
  const struct tflite_shaping shaping = {call, tensors, inference->made};
  memset(inference->made, 0, call->outputs->count * sizeof *inference->made);
  return tflite_shape_make(&shaping);
}

/* Whether the rule reproduces the shapes in the file and the elements of these tensors. */
static bool explains_file(struct inference *inference, const struct tflite_call *call) {
  if (!make(inference, call, inference->old)) return false;
  for (size_t i = 0; i < call->outputs->count; i++) {
    const int32_t tensor = flat_int32(call->outputs, i);
    if (tensor < 0 || !has_same_shape(&inference->old[tensor], &inference->made[i]))
      return false;
  }
  for (size_t i = 0; i < call->outputs->count; i++)
    inference->old[flat_int32(call->outputs, i)] = inference->made[i];
  return true;
}

static neap_status refuse(const struct inference *inference, const struct tflite_call *call,
                          size_t index, const char *why, neap_error *error) {
  const int32_t output = call->outputs->count > 0 ? flat_int32(call->outputs, 0) : -1;
  struct flat_table tensor;
  const char *name = NULL;
  size_t length = 0;
  char excerpt[TEXT_EXCERPT];
  if (output >= 0 && flat_element(&inference->main->tensors, (size_t)output, &tensor))
    (void)flat_text(&tensor, TFLITE_TENSOR_NAME, &name, &length);
  return error_set(
      error, NEAP_ERROR_ARGUMENT,
      "neap_reading.model.dimensions: the shape of tensor %s cannot be worked out: "
      "operator %zu, '%s', %s; convert the model for these dimensions",
      text_excerpt(excerpt, name ? name : "", length), index, tflite_operator_name(call->code),
      why);
}

/* Keeps the new outputs of an operator; false if the number of dimensions has changed. */
static bool keep_outputs(struct inference *inference, const struct tflite_call *call) {
  for (size_t i = 0; i < call->outputs->count; i++) {
    const int32_t tensor = flat_int32(call->outputs, i);
    const struct tflite_shape *old = &inference->old[tensor], *made = &inference->made[i];
    if (made->rank != old->rank) return false;
    inference->now[tensor] = *made;
    inference->has_changed[tensor] =
        !has_same_shape(old, made) ||
        (is_list(inference, call->outputs, i) && !has_same_values(old, made));
  }
  return true;
}

static neap_status infer_operator(struct inference *inference, size_t index,
                                  neap_error *error) {
  struct flat_table table;
  struct flat_vector inputs, outputs;
  uint64_t code;
  if (!flat_element(&inference->main->operators, index, &table) ||
      !tflite_model_code(inference->model, &table, &code) ||
      !flat_vector(&table, TFLITE_OPERATOR_INPUTS, 4, &inputs) ||
      !flat_vector(&table, TFLITE_OPERATOR_OUTPUTS, 4, &outputs))
    return tflite_model_broken("operator", index, error);
  neap_status status = check_list(inference, &inputs, index, error);
  if (status == NEAP_OK) status = check_list(inference, &outputs, index, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&inference->made, &inference->made_capacity, outputs.count + 1,
                      sizeof *inference->made))
    return error_memory(error);
  const struct tflite_call call = {inference->model, inference->main, &table,
                                   &inputs,          &outputs,        code};
  const bool is_explained = explains_file(inference, &call);
  if (!have_inputs_changed(inference, &inputs)) {
    for (size_t i = 0; i < outputs.count && is_explained; i++)
      inference->now[flat_int32(&outputs, i)] = inference->made[i];
    return NEAP_OK;
  }
  if (!tflite_shape_has_rule(code))
    return refuse(inference, &call, index, "has no rule in neap", error);
  if (!is_explained)
    return refuse(inference, &call, index,
                  "does not follow neap's rule, or needs values that only the run knows",
                  error);
  return make(inference, &call, inference->now) && keep_outputs(inference, &call)
             ? NEAP_OK
             : refuse(inference, &call, index, "does not take these inputs", error);
}

/* ---------------------------------------------------------------- the whole */

static neap_status read_shapes(struct inference *inference, neap_error *error) {
  const size_t count = inference->main->tensors.count;
  inference->old = memory_array(count, sizeof *inference->old);
  inference->now = memory_array(count, sizeof *inference->now);
  inference->has_changed = memory_array(count, sizeof *inference->has_changed);
  if (!inference->old || !inference->now || !inference->has_changed) return error_memory(error);
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < count && status == NEAP_OK; t++)
    status = read_shape(inference, t, &inference->old[t], error);
  for (size_t t = 0; t < count; t++)
    inference->now[t] = inference->old[t];
  return status;
}

/* Hands the new shapes to the model. */
static neap_status keep_shapes(struct inference *inference, neap_error *error) {
  const size_t count = inference->main->tensors.count;
  struct tflite_shapes *shapes = &inference->model->shapes;
  shapes->dims = memory_array(count, sizeof *shapes->dims);
  if (!shapes->dims) return error_memory(error);
  shapes->store = inference->now;
  for (size_t t = 0; t < count; t++)
    shapes->dims[t] = inference->has_changed[t] ? inference->now[t].dims : NULL;
  inference->now = NULL;
  return NEAP_OK;
}

/* Sets the dimensions of inputs. */
static neap_status take_given(struct inference *inference, const struct tflite_given *given,
                              size_t count, neap_error *error) {
  for (size_t i = 0; i < count; i++) {
    struct tflite_shape *now = &inference->now[given[i].tensor];
    if (!now->is_known)
      return error_set(
          error, NEAP_ERROR_ARGUMENT,
          "neap_reading.model.dimensions: input %zu of the model has no shape that neap "
          "can change",
          given[i].tensor);
    now->dims[given[i].dimension] = given[i].value;
    inference->has_changed[given[i].tensor] = true;
  }
  return NEAP_OK;
}

neap_status tflite_shapes_infer(struct tflite_model *model, const struct tflite_given *given,
                                size_t count, neap_error *error) {
  struct inference inference = {.model = model, .main = &model->subgraphs[0]};
  neap_status status = read_shapes(&inference, error);
  if (status == NEAP_OK) status = take_given(&inference, given, count, error);
  for (size_t k = 0; k < inference.main->operators.count && status == NEAP_OK; k++)
    status = infer_operator(&inference, k, error);
  if (status == NEAP_OK) status = keep_shapes(&inference, error);
  free(inference.old);
  free(inference.now);
  free(inference.has_changed);
  free(inference.made);
  return status;
}
