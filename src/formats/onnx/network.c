/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows are those of axis ONNX_ROWS of tensors with a batch and channels.  An operator works row by row if
 * its rule says so, and if what it reads besides rows is constant and the same for every row.
 */
#include "formats/onnx/network.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "formats/onnx/rules/rules.h"
#include "formats/onnx/shapes.h"

struct reader {
  const struct onnx_model *model;
  struct split_network *network;
  struct onnx_infer infer;
};

/* ---------------------------------------------------------------- tensors */

static void measure(const struct onnx_tensor *tensor, struct split_tensor *made) {
  const struct onnx_shape *shape = &tensor->shape;
  int64_t bytes = onnx_bits(shape->type) / 8;
  made->is_output = tensor->is_output;
  if (!shape->is_known || shape->rank <= ONNX_ROWS || shape->dims[ONNX_ROWS] < 1 ||
      shape->dims[ONNX_ROWS] > INT32_MAX || bytes == 0)
    return;
  for (size_t d = 0; d < shape->rank; d++)
    if (d != ONNX_ROWS && (shape->dims[d] < 1 || !checked_mul(bytes, shape->dims[d], &bytes)))
      return;
  made->height = shape->dims[ONNX_ROWS];
  made->row_bytes = bytes;
}

static void note_use(const struct reader *reader, size_t begin, size_t end, size_t moment,
                     bool is_made) {
  for (size_t i = begin; i < end; i++) {
    size_t tensor = reader->model->links[i];
    if (tensor == ONNX_NONE || reader->model->tensors[tensor].is_constant) continue;
    struct split_tensor *used = &reader->network->tensors[tensor];
    if (is_made) used->made = moment;
    else used->read = moment;
  }
}

/* What a constant operator reads for its shape must remain. */
static void keep_inputs(const struct reader *reader, const struct onnx_node *node) {
  for (size_t i = node->inputs; i < node->within; i++)
    if (reader->model->links[i] != ONNX_NONE)
      reader->network->tensors[reader->model->links[i]].is_output = true;
}

/* ---------------------------------------------------------------- operators */

/* Whether a constant that is broadcast to tensors of this rank is the same for every row. */
static bool is_same_in_rows(const struct onnx_shape *shape, size_t rank) {
  const size_t from_end = rank - ONNX_ROWS;
  return shape->is_known && shape->rank <= rank &&
         (shape->rank < from_end || shape->dims[shape->rank - from_end] == 1);
}

/* Lists the inputs that are not constant; false if one of them has no rows. */
static bool list_inputs(const struct reader *reader, const struct onnx_node *node,
                        bool is_pointwise, struct split_operator *made) {
  const struct onnx_shape *output = &reader->infer.outputs[0];
  for (size_t i = node->inputs; i < node->within; i++) {
    const size_t tensor = reader->model->links[i];
    if (tensor == ONNX_NONE) continue;
    const struct onnx_tensor *input = &reader->model->tensors[tensor];
    if (input->is_constant) {
      if (is_pointwise && !is_same_in_rows(&input->shape, output->rank)) return false;
      continue;
    }
    if (made->input_count == SPLIT_INPUTS || input->shape.rank != output->rank ||
        reader->network->tensors[tensor].row_bytes == 0 ||
        (is_pointwise && input->shape.dims[ONNX_ROWS] != output->dims[ONNX_ROWS]) ||
        (!is_pointwise && i > node->inputs))
      return false;
    made->inputs[made->input_count++] = tensor;
  }
  return made->input_count > 0;
}

/* Concat has no broadcast constants, so one would have to be split, too. */
static bool splits_constants(const struct onnx_node *node, const struct split_operator *made) {
  return strcmp(node->rule->name, "Concat") == 0 &&
         made->input_count != node->within - node->inputs;
}

/* The rule of an operator with one output that has rows. */
static void set_rule(struct reader *reader, const struct onnx_node *node,
                     struct split_operator *made) {
  struct split_rule rule = {.kind = SPLIT_NONE};
  if (!node->rule || node->within != node->outputs || node->within == node->inputs ||
      reader->model->links[node->inputs] == ONNX_NONE)
    return;
  if (node->rule->rows) {
    if (!node->rule->rows(&reader->infer, &rule)) return;
  } else if (node->rule->place == ONNX_FIRST || node->rule->place == ONNX_ANY)
    rule.kind = SPLIT_POINTWISE;
  if (rule.kind != SPLIT_NONE &&
      list_inputs(reader, node, rule.kind == SPLIT_POINTWISE, made) &&
      !splits_constants(node, made))
    made->rule = rule;
}

/* ---------------------------------------------------------------- work */

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; names++)
    if (strcmp(name, *names) == 0) return true;
  return false;
}

/* For each element of the output, the elements of the weights that belong to it. */
static int64_t count_macs(const struct reader *reader, const struct onnx_node *node) {
  static const char *const convolutions[] = {"Conv", "ConvInteger", NULL};
  static const char *const products[] = {"MatMul", "Gemm", "MatMulInteger", NULL};
  const struct onnx_infer *infer = &reader->infer;
  int64_t made, taps, products_made;
  if (!node->rule) return 0;
  const bool is_product = is_one_of(node->rule->name, products);
  const size_t position = strcmp(node->rule->name, "QLinearConv") == 0 ? 3 : 1;
  if (!is_product && position == 1 && !is_one_of(node->rule->name, convolutions)) return 0;
  const struct onnx_shape *weights =
      position < infer->input_count ? infer->shapes[position] : NULL;
  if (!weights || !weights->is_known || weights->rank < 2 ||
      !onnx_elements(&infer->outputs[0], &made) || !onnx_elements(weights, &taps))
    return 0;
  const struct onnx_shape *output = &infer->outputs[0];
  int64_t filters =
      is_product && output->rank > 0 ? output->dims[output->rank - 1] : weights->dims[0];
  if (is_product && weights->rank != 2) taps = weights->dims[weights->rank - 2] * filters;
  if (filters < 1 || !checked_mul(made, taps / filters, &products_made)) return 0;
  return products_made < INT64_MAX / 4096 ? products_made : 0;
}

/* ---------------------------------------------------------------- the whole */

static void read_operator(struct reader *reader, const struct onnx_node *node, size_t k) {
  const struct onnx_model *model = reader->model;
  struct split_operator *made = &reader->network->operators[k];
  note_use(reader, node->inputs, node->outputs, k + 1, false);
  note_use(reader, node->outputs, node->end, k + 1, true);
  made->output = SPLIT_NO_TENSOR;
  if (node->outputs == node->end || model->links[node->outputs] == ONNX_NONE) return;
  for (size_t i = node->outputs + 1; i < node->end; i++)
    if (model->links[i] != ONNX_NONE) return;
  made->output = model->links[node->outputs];
  onnx_shapes_describe(model, node, &reader->infer);
  reader->infer.outputs[0] = model->tensors[made->output].shape;
  made->macs = count_macs(reader, node);
  if (reader->network->tensors[made->output].row_bytes > 0) set_rule(reader, node, made);
}

static void read_operators(struct reader *reader, size_t *nodes) {
  const struct onnx_model *model = reader->model;
  for (size_t i = 0; i < model->node_count; i++) {
    const size_t k = reader->network->operator_count;
    const struct onnx_node *node = &model->nodes[model->order[i]];
    if (node->is_constant) {
      keep_inputs(reader, node);
      continue;
    }
    nodes[k] = model->order[i];
    reader->network->operator_count++;
    read_operator(reader, node, k);
  }
}

neap_status onnx_network_read(const struct onnx_model *model, struct split_network *network,
                              size_t **nodes, neap_error *error) {
  struct reader reader = {.model = model, .network = network};
  *network = (struct split_network){.tensor_count = model->names.count};
  network->tensors = memory_array(network->tensor_count, sizeof *network->tensors);
  network->operators = memory_array(model->node_count, sizeof *network->operators);
  *nodes = memory_array(model->node_count, sizeof **nodes);
  bool fits = onnx_shapes_open(&reader.infer, model);
  fits = fits && network->tensors && network->operators && *nodes;
  for (size_t t = 0; t < network->tensor_count && fits; t++)
    if (!model->tensors[t].is_constant) measure(&model->tensors[t], &network->tensors[t]);
  if (fits) read_operators(&reader, *nodes);
  onnx_shapes_close(&reader.infer);
  return fits ? NEAP_OK : error_memory(error);
}
