/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/kernel_shapes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/kernels.h"
#include "models/tflite/operators.h"
#include "models/tflite/schema.h"

#define RANK_MAX 64

struct tflite_scales tflite_scales_of(const struct flat_table *tensor) {
  struct tflite_scales own = {.count = 0};
  struct flat_table quantization;
  struct flat_vector scales, zero_points;
  bool found;
  if (!flat_child(tensor, TFLITE_TENSOR_QUANTIZATION, &quantization, &found) || !found ||
      !flat_vector(&quantization, TFLITE_QUANTIZATION_SCALE, 4, &scales) ||
      !flat_vector(&quantization, TFLITE_QUANTIZATION_ZERO_POINT, 8, &zero_points))
    return own;
  if (zero_points.count == 0 || scales.count == 0) return own;
  uint32_t bits = flat_get32(scales.file, scales.at);
  memcpy(&own.first, &bits, sizeof bits);
  own.zero_point = (int32_t)flat_get32(zero_points.file, zero_points.at);
  own.count = scales.count;
  return own;
}

/* ---------------------------------------------------------------- tensors */

static int32_t dimension_of(const struct footprint_tensor *tensor, size_t index) {
  return flat_int32(tensor->shape, index);
}

static neap_size count_elements(const struct footprint_tensor *tensor) {
  neap_size elements = 1;
  if (tensor->rank > RANK_MAX) return NEAP_MAX;
  for (size_t d = 0; d < tensor->rank; d++)
    if (dimension_of(tensor, d) < 0 ||
        !checked_mul(elements, dimension_of(tensor, d), &elements))
      return NEAP_MAX;
  return elements;
}

/* Whether the model has the tensor's data. */
static bool is_constant(const struct tflite_model *model, const struct flat_table *tensor) {
  uint64_t number, offset;
  struct flat_table buffer;
  struct flat_vector data;
  return flat_unsigned(tensor, TFLITE_TENSOR_BUFFER, 4, 0, &number) && number > 0 &&
         flat_element(&model->buffers, (size_t)number, &buffer) &&
         flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, &data) &&
         flat_unsigned(&buffer, TFLITE_BUFFER_OFFSET, 8, 0, &offset) &&
         (data.count > 0 || offset > 1);
}

static void read_tensor(const struct tflite_model *model,
                        const struct tflite_subgraph *subgraph, int32_t element,
                        struct footprint_tensor *tensor, struct flat_vector *shape) {
  struct flat_table table;
  uint64_t type;
  *tensor = (struct footprint_tensor){.is_present = false};
  if (element < 0 || !flat_element(&subgraph->tensors, (size_t)element, &table) ||
      !flat_vector(&table, TFLITE_TENSOR_SHAPE, 4, shape) ||
      !flat_unsigned(&table, TFLITE_TENSOR_TYPE, 1, 0, &type))
    return;
  const struct tflite_scales scales = tflite_scales_of(&table);
  *tensor = (struct footprint_tensor){.is_present = true,
                                      .is_constant = is_constant(model, &table),
                                      .type = (unsigned)type,
                                      .rank = shape->count,
                                      .dimension = dimension_of,
                                      .shape = shape,
                                      .channels = scales.count,
                                      .scale = scales.first,
                                      .zero_point = scales.zero_point};
  tensor->elements = count_elements(tensor);
}

static neap_status read_tensors(struct tflite_footprint *footprint,
                                const struct tflite_model *model,
                                const struct tflite_subgraph *subgraph, neap_error *error) {
  struct footprint_call *call = &footprint->call;
  size_t inputs = footprint->inputs.count, count = inputs + footprint->outputs.count;
  if (!memory_reserve(&footprint->tensors, &footprint->capacity, count,
                      sizeof *footprint->tensors) ||
      !memory_reserve(&footprint->shapes, &footprint->shape_capacity, count,
                      sizeof *footprint->shapes))
    return error_memory(error);
  for (size_t i = 0; i < count; i++) {
    int32_t element = i < inputs ? flat_int32(&footprint->inputs, i)
                                 : flat_int32(&footprint->outputs, i - inputs);
    read_tensor(model, subgraph, element, &footprint->tensors[i], &footprint->shapes[i]);
  }
  call->inputs = footprint->tensors;
  call->outputs = footprint->tensors ? footprint->tensors + inputs : NULL;
  call->input_count = inputs;
  call->output_count = footprint->outputs.count;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- options */

/*
 * The fields that the tables of kernels use, in their order; a missing dilation is 1.  A field
 * of width 0 is a list.
 */
#define NUMBERS 5
static const struct {
  unsigned char code, count;
  struct {
    unsigned char field, width, otherwise;
  } fields[NUMBERS];
} options_of[] = {
    {TFLITE_CONV_2D, 5, {{0, 1, 0}, {1, 4, 0}, {2, 4, 0}, {4, 4, 1}, {5, 4, 1}}},
    {TFLITE_DEPTHWISE_CONV_2D, 5, {{0, 1, 0}, {1, 4, 0}, {2, 4, 0}, {5, 4, 1}, {6, 4, 1}}},
    {TFLITE_SVDF, 1, {{0, 4, 0}}},
    {TFLITE_UNIDIRECTIONAL_SEQUENCE_LSTM, 1, {{3, 1, 0}}},
    {TFLITE_SQUEEZE, 1, {{0, 0, 0}}},
    {TFLITE_GATHER, 1, {{0, 4, 0}}},
    {TFLITE_TRANSPOSE_CONV, 2, {{1, 4, 0}, {2, 4, 0}}},
    {TFLITE_BATCH_MATMUL, 2, {{0, 1, 0}, {1, 1, 0}}}};

static void read_list(const struct flat_table *options, size_t field,
                      struct footprint_call *call) {
  struct flat_vector list;
  if (!flat_vector(options, field, 4, &list)) return;
  for (size_t i = 0; i < list.count && call->number_count < FOOTPRINT_NUMBERS; i++)
    call->numbers[call->number_count++] = flat_int32(&list, i);
}

static void read_numbers(struct tflite_footprint *footprint) {
  struct footprint_call *call = &footprint->call;
  struct flat_table options;
  bool found;
  uint64_t number;
  if (!flat_child(&footprint->node, TFLITE_OPERATOR_OPTIONS, &options, &found) || !found)
    return;
  for (size_t i = 0; i < sizeof options_of / sizeof *options_of; i++) {
    if (options_of[i].code != call->code) continue;
    for (size_t f = 0; f < options_of[i].count; f++) {
      uint64_t otherwise = options_of[i].fields[f].otherwise;
      size_t field = options_of[i].fields[f].field, width = options_of[i].fields[f].width;
      if (width == 0) read_list(&options, field, call);
      else if (flat_unsigned(&options, field, width, otherwise, &number))
        call->numbers[call->number_count++] = (int32_t)number;
    }
  }
}

static void read_custom_numbers(struct tflite_footprint *footprint) {
  static const char *const keys[] = {"max_detections", "num_classes"};
  struct footprint_call *call = &footprint->call;
  struct flat_vector options;
  if (!flat_vector(&footprint->node, TFLITE_OPERATOR_CUSTOM_OPTIONS, 1, &options)) return;
  if (flex_member(&options, keys[0], &call->numbers[0]) &&
      flex_member(&options, keys[1], &call->numbers[1]))
    call->number_count = 2;
  else call->number_count = flex_numbers(&options, call->numbers, FOOTPRINT_NUMBERS);
}

/* ---------------------------------------------------------------- operators */

static neap_status read_name(struct tflite_footprint *footprint,
                             const struct tflite_model *model, neap_error *error) {
  uint64_t opcode;
  struct flat_table entry;
  const char *name = NULL;
  size_t length = 0;
  if (!flat_unsigned(&footprint->node, TFLITE_OPERATOR_OPCODE, 4, 0, &opcode) ||
      !flat_element(&model->opcodes, (size_t)opcode, &entry) ||
      !flat_text(&entry, TFLITE_OPCODE_CUSTOM, &name, &length))
    return tflite_model_broken("operator code", 0, error);
  free(footprint->custom);
  /* No known kernel has a long name, and many operators may have one. */
  footprint->custom = memory_text(name ? name : "", length < 64 ? length : 64);
  footprint->call.custom = footprint->custom;
  return footprint->custom ? NEAP_OK : error_memory(error);
}

void tflite_footprint_target(struct tflite_footprint *footprint, const neap_reading *reading) {
  footprint->call.kernels = kernels_of(reading);
  footprint->call.pointer =
      reading->model.pointer == 8 || reading->graph.kernels == NEAP_KERNELS_PYTHON ? 8 : 4;
}

neap_status tflite_footprint_open(struct tflite_footprint *footprint,
                                  const struct tflite_model *model, size_t subgraph,
                                  size_t index, neap_error *error) {
  struct footprint_call *call = &footprint->call;
  struct flat_table *node = &footprint->node;
  uint64_t code;
  if (!flat_element(&model->subgraphs[subgraph].operators, index, node) ||
      !tflite_model_code(model, node, &code) ||
      !flat_vector(node, TFLITE_OPERATOR_INPUTS, 4, &footprint->inputs) ||
      !flat_vector(node, TFLITE_OPERATOR_OUTPUTS, 4, &footprint->outputs))
    return tflite_model_broken("operator", index, error);
  call->code = (unsigned)code;
  call->custom = "";
  call->number_count = 0;
  neap_status status = NEAP_OK;
  if (code == TFLITE_CUSTOM) status = read_name(footprint, model, error);
  if (status == NEAP_OK)
    status = read_tensors(footprint, model, &model->subgraphs[subgraph], error);
  if (status != NEAP_OK) return status;
  if (code == TFLITE_CUSTOM) read_custom_numbers(footprint);
  else read_numbers(footprint);
  return NEAP_OK;
}

void tflite_footprint_type(const struct tflite_footprint *footprint,
                           char text[TFLITE_TYPE_TEXT]) {
  const struct footprint_call *call = &footprint->call;
  char excerpt[TEXT_EXCERPT] = "";
  if (call->code == TFLITE_CUSTOM) text_excerpt(excerpt, call->custom, strlen(call->custom));
  snprintf(text, TFLITE_TYPE_TEXT, "%s%s%s", tflite_operator_name(call->code),
           excerpt[0] ? " " : "", excerpt);
}

void tflite_footprint_name(const struct tflite_footprint *footprint, size_t subgraph,
                           size_t index, char text[TFLITE_PLACE]) {
  char type[TFLITE_TYPE_TEXT], where[32] = "";
  tflite_footprint_type(footprint, type);
  if (subgraph > 0) snprintf(where, sizeof where, "%zu:", subgraph);
  snprintf(text, TFLITE_PLACE, "%s%zu (%s)", where, index, type);
}

void tflite_footprint_clear(struct tflite_footprint *footprint) {
  free(footprint->tensors);
  free(footprint->shapes);
  free(footprint->custom);
}
