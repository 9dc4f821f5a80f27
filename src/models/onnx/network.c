/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows are those of axis ONNX_ROWS of tensors with a batch and channels.  An operator works row
 * by row if its rule says so, and if its other inputs are constant and the same for every row.
 * It works channel by channel if constants are the same for every channel, or can be cut with
 * them.
 */
#include "models/onnx/network.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "models/onnx/channels.h"
#include "models/onnx/macs.h"
#include "models/onnx/rules/rules.h"
#include "models/onnx/shapes.h"

struct reader {
  const struct onnx_model *model;
  struct band_network *network, *channels;
  struct onnx_infer infer;
};

/* ---------------------------------------------------------------- tensors */

static void measure(const struct onnx_tensor *tensor, size_t axis, struct band_tensor *made) {
  const struct onnx_shape *shape = &tensor->shape;
  int64_t bytes = onnx_bits(shape->type) / 8;
  made->is_output = tensor->is_output;
  if (!shape->is_known || shape->rank <= axis || shape->dims[axis] < 1 ||
      shape->dims[axis] > INT32_MAX || bytes == 0)
    return;
  for (size_t d = 0; d < shape->rank; d++)
    if (d != axis && (shape->dims[d] < 1 || !checked_mul(bytes, shape->dims[d], &bytes)))
      return;
  made->height = shape->dims[axis];
  made->row_bytes = bytes;
}

static void note_use(const struct reader *reader, size_t begin, size_t end, size_t moment,
                     bool is_made) {
  for (size_t i = begin; i < end; i++) {
    size_t tensor = reader->model->links[i];
    if (tensor == ONNX_NONE || reader->model->tensors[tensor].is_constant) continue;
    struct band_tensor *used = &reader->network->tensors[tensor];
    if (is_made) used->made = moment;
    else used->read = moment;
  }
}

/* Tensors that a constant operator reads for their shape must remain. */
static void keep_inputs(const struct reader *reader, const struct onnx_node *node) {
  for (size_t i = node->inputs; i < node->within; i++)
    if (reader->model->links[i] != ONNX_NONE)
      reader->network->tensors[reader->model->links[i]].is_output = true;
}

/* ---------------------------------------------------------------- operators */

/* Whether a constant that is broadcast is the same for every row. */
static bool is_same_in_rows(const struct onnx_infer *infer, size_t input) {
  const struct onnx_shape *shape = infer->shapes[input];
  if (!shape->is_known || shape->rank > infer->outputs[0].rank) return false;
  const size_t dimension = onnx_broadcast_dimension(infer, input, ONNX_ROWS);
  return dimension == ONNX_NONE || shape->dims[dimension] == 1;
}

/* Whether bands can have a constant input. */
static bool fits_constant(const struct onnx_infer *infer, size_t input, enum band_axis axis,
                          enum band_kind kind) {
  size_t dimension;
  if (axis == SPLIT_CHANNELS) return onnx_constant_axis(infer, input, &dimension);
  return kind != SPLIT_POINTWISE || is_same_in_rows(infer, input);
}

/* Whether the rule holds for all inputs, not only for the first. */
static bool is_each(const struct onnx_rule *rule) {
  return rule->place == ONNX_FIRST || rule->place == ONNX_ANY ||
         strcmp(rule->name, "Concat") == 0;
}

/* Whether an input that is not constant can be split. */
static bool fits_input(const struct reader *reader, const struct band_network *network,
                       size_t tensor, enum band_kind kind) {
  const struct onnx_shape *output = &reader->infer.outputs[0];
  const struct onnx_shape *input = &reader->model->tensors[tensor].shape;
  const size_t axis = onnx_dimension(network->axis);
  return network->tensors[tensor].row_bytes > 0 &&
         (input->rank == output->rank ||
          (network->axis == SPLIT_CHANNELS && !is_each(reader->infer.rule))) &&
         (kind != SPLIT_POINTWISE || input->dims[axis] == output->dims[axis]);
}

/* Lists the inputs that are not constant; false if one of them cannot be split. */
static bool list_inputs(const struct reader *reader, const struct band_network *network,
                        const struct onnx_node *node, enum band_kind kind,
                        struct band_operator *made) {
  for (size_t i = node->inputs; i < node->within; i++) {
    const size_t tensor = reader->model->links[i];
    if (tensor == ONNX_NONE) continue;
    if (reader->model->tensors[tensor].is_constant) {
      if (!fits_constant(&reader->infer, i - node->inputs, network->axis, kind)) return false;
      continue;
    }
    if (made->input_count == SPLIT_INPUTS || (i > node->inputs && !is_each(node->rule)) ||
        !fits_input(reader, network, tensor, kind))
      return false;
    made->inputs[made->input_count++] = tensor;
  }
  return made->input_count > 0;
}

/* Concat does not broadcast constants, so a constant would also have to be split. */
static bool splits_constants(const struct onnx_node *node, const struct band_operator *made) {
  return strcmp(node->rule->name, "Concat") == 0 &&
         made->input_count != node->within - node->inputs;
}

/* How an operator works along an axis; false: as a whole. */
static bool find_rule(struct reader *reader, const struct onnx_rule *own, enum band_axis axis,
                      struct band_rule *rule) {
  const bool is_rows = axis == SPLIT_ROWS;
  if (is_rows ? own->rows != NULL : own->channels != NULL)
    return (is_rows ? own->rows : own->channels)(&reader->infer, rule);
  rule->kind = SPLIT_POINTWISE;
  return !own->rows && (own->place == ONNX_FIRST || own->place == ONNX_ANY);
}

/* The rule of an operator with one output that has rows or channels. */
static void set_rule(struct reader *reader, struct band_network *network,
                     const struct onnx_node *node, struct band_operator *made) {
  struct band_rule rule = {.kind = SPLIT_NONE};
  if (network->tensors[made->output].row_bytes == 0 || !node->rule ||
      node->within != node->outputs || node->within == node->inputs ||
      reader->model->links[node->inputs] == ONNX_NONE)
    return;
  if (find_rule(reader, node->rule, network->axis, &rule) && rule.kind != SPLIT_NONE &&
      list_inputs(reader, network, node, rule.kind, made) && !splits_constants(node, made))
    made->rule = rule;
}

/* ---------------------------------------------------------------- the whole */

static void read_operator(struct reader *reader, const struct onnx_node *node, size_t k) {
  const struct onnx_model *model = reader->model;
  struct band_operator *made = &reader->network->operators[k];
  struct band_operator *along_channels = &reader->channels->operators[k];
  note_use(reader, node->inputs, node->outputs, k + 1, false);
  note_use(reader, node->outputs, node->end, k + 1, true);
  made->output = along_channels->output = SPLIT_NO_TENSOR;
  if (node->outputs == node->end || model->links[node->outputs] == ONNX_NONE) return;
  for (size_t i = node->outputs + 1; i < node->end; i++)
    if (model->links[i] != ONNX_NONE) return;
  made->output = along_channels->output = model->links[node->outputs];
  onnx_shapes_describe(model, node, &reader->infer);
  reader->infer.outputs[0] = model->tensors[made->output].shape;
  made->macs = along_channels->macs = onnx_count_macs(model, node);
  set_rule(reader, reader->network, node, made);
  set_rule(reader, reader->channels, node, along_channels);
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
    reader->network->operator_count = reader->channels->operator_count = k + 1;
    read_operator(reader, node, k);
  }
}

static bool make_network(const struct onnx_model *model, enum band_axis axis,
                         struct band_network *network) {
  *network = (struct band_network){.tensor_count = model->names.count, .axis = axis};
  network->tensors = memory_array(network->tensor_count, sizeof *network->tensors);
  network->operators = memory_array(model->node_count, sizeof *network->operators);
  for (size_t t = 0; t < network->tensor_count && network->tensors; t++)
    if (!model->tensors[t].is_constant)
      measure(&model->tensors[t], onnx_dimension(axis), &network->tensors[t]);
  return network->tensors && network->operators;
}

neap_status onnx_network_read(const struct onnx_model *model, struct band_network *network,
                              size_t **nodes, neap_error *error) {
  struct reader reader = {.model = model, .network = network};
  bool fits = make_network(model, SPLIT_ROWS, network);
  reader.channels = network->channels = memory_array(1, sizeof *network->channels);
  fits = reader.channels && make_network(model, SPLIT_CHANNELS, reader.channels) && fits;
  *nodes = memory_array(model->node_count, sizeof **nodes);
  fits = onnx_shapes_open(&reader.infer, model) && fits && *nodes;
  if (fits) read_operators(&reader, *nodes);
  if (fits) band_network_copy_uses(network);
  onnx_shapes_close(&reader.infer);
  return fits ? NEAP_OK : error_memory(error);
}
