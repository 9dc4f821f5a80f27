/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/onnx.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "files/dtype.h"
#include "model/graph.h"
#include "models/onnx/body_shapes.h"
#include "models/onnx/declared.h"
#include "models/onnx/macs.h"
#include "models/onnx/model.h"
#include "models/onnx/shapes.h"
#include "models/onnx/wire.h"
#include "models/operators/multiply_accumulates.h"
#include "models/operators/subgraph_calls.h"
#include "models/operators/tensor_slices.h"

/* ------------------------------------------------------- the graph of a model with known shapes */

#define MAX_PAIRS 8 /* per operator: the check of a pair looks at all inputs */

/* ---------------------------------------------------------------- tensors */

static neap_status add_tensor(const struct onnx_model *model, size_t index, neap_graph *graph,
                              neap_error *error) {
  const struct onnx_tensor *tensor = &model->tensors[index];
  neap_tensor made = {.struct_size = sizeof(neap_tensor),
                      .alignment = 1,
                      .is_input = tensor->is_input && !tensor->is_constant,
                      .is_output = tensor->is_output};
  char name[TEXT_EXCERPT];
  int type = tensor->shape.type;
  if (tensor->is_constant) {
    made.kind = NEAP_TENSOR_CONSTANT;
    /* By its shape: its data may be in another file.  Texts, for example, have no fixed size. */
    if (!tensor->shape.is_known || !onnx_bytes(&tensor->shape, &made.bytes)) made.bytes = 0;
  } else if (onnx_is_elsewhere(tensor) || !tensor->shape.is_known) { /* or nothing runs it */
    made.kind = NEAP_TENSOR_EXTERNAL;
  } else {
    if (onnx_bits(type) == 0)
      return error_set(error, NEAP_ERROR_INPUT,
                       "tensor %s: elements of type %d, %s, have no fixed size",
                       onnx_model_tensor(model, index, name), type, onnx_type_name(type));
    made.alignment = dtype_alignment(onnx_bits(type));
    if (!onnx_bytes(&tensor->shape, &made.bytes))
      return error_set(error, NEAP_ERROR_INPUT, "tensor %s has too many elements",
                       onnx_model_tensor(model, index, name));
  }
  made.dtype = onnx_dtype(type);
  if (tensor->shape.is_known) {
    made.shape = tensor->shape.dims;
    made.rank = tensor->shape.rank;
  }
  return neap_graph_add_tensor(graph, names_text(&model->names, index), &made, error);
}

/* ---------------------------------------------------------------- operators */

/* Whether input and output have the same number and size of elements. */
static bool is_congruent(const struct onnx_tensor *input, const struct onnx_tensor *output) {
  int64_t had, has;
  return !input->is_constant && input->shape.is_known && onnx_bits(input->shape.type) > 0 &&
         onnx_bits(input->shape.type) == onnx_bits(output->shape.type) &&
         onnx_elements(&input->shape, &had) && onnx_elements(&output->shape, &has) &&
         had == has;
}

static neap_status add_pairs(const struct onnx_model *model, const struct onnx_node *node,
                             neap_graph *graph, neap_error *error) {
  const struct onnx_rule *rule = node->rule;
  if (!rule || rule->place == ONNX_APART || node->outputs == node->end ||
      model->links[node->outputs] == ONNX_NONE)
    return NEAP_OK;
  const struct onnx_tensor *output = &model->tensors[model->links[node->outputs]];
  neap_status status = NEAP_OK;
  size_t limit = rule->place == ONNX_ANY ? MAX_PAIRS : 1;
  if (limit > node->within - node->inputs) limit = node->within - node->inputs;
  for (size_t i = 0, position = 0; i < limit && status == NEAP_OK; i++) {
    size_t tensor = model->links[node->inputs + i];
    if (tensor == ONNX_NONE) continue;
    if (is_congruent(&model->tensors[tensor], output))
      status = neap_graph_add_pair(
          graph, &(neap_in_place){sizeof(neap_in_place), position, 0, rule->place == ONNX_VIEW},
          error);
    position++;
  }
  return status;
}

/* Adds the tensors of links [begin, end) as parts, side by side, of `whole`. */
static neap_status add_side_by_side(const struct onnx_model *model, neap_alias alias,
                                    size_t whole, size_t begin, size_t end, neap_graph *graph,
                                    neap_error *error) {
  struct parts parts;
  neap_status status = NEAP_OK;
  if (whole == ONNX_NONE) return status;
  const struct onnx_shape *shape = &model->tensors[whole].shape;
  if (!shape->is_known || !parts_begin(&parts, graph, alias, whole,
                                       &(struct parts_shape){shape->rank, shape->dims}))
    return status;
  for (size_t i = begin; i < end && status == NEAP_OK; i++) {
    size_t tensor = model->links[i];
    if (tensor == ONNX_NONE || !model->tensors[tensor].shape.is_known) return status;
    const struct onnx_shape *part = &model->tensors[tensor].shape;
    status = parts_add(&parts, tensor, &(struct parts_shape){part->rank, part->dims}, error);
  }
  return status;
}

/* The integers of an input; NULL if they are not known. */
static const struct onnx_values *integers_of(const struct onnx_model *model,
                                             const struct onnx_node *node, size_t input) {
  if (input >= node->within - node->inputs) return NULL;
  size_t tensor = model->links[node->inputs + input];
  if (tensor == ONNX_NONE || !model->tensors[tensor].values) return NULL;
  const struct onnx_values *values = model->tensors[tensor].values;
  return values->is_real ? NULL : values;
}

/* Where a slice begins on an axis; false if that is not known, or it skips elements. */
static bool find_start(const struct onnx_model *model, const struct onnx_node *node,
                       const struct onnx_shape *shape, size_t axis, int64_t *start) {
  const struct onnx_values *starts = integers_of(model, node, 1);
  const struct onnx_values *axes = integers_of(model, node, 3);
  const struct onnx_values *steps = integers_of(model, node, 4);
  size_t inputs = node->within - node->inputs;
  if (!starts || (inputs > 3 && !axes) || (inputs > 4 && !steps)) return false;
  if ((axes && axes->count != starts->count) || (steps && steps->count != starts->count))
    return false;
  *start = 0;
  for (size_t i = 0; i < starts->count; i++) {
    int64_t at = axes ? axes->items[i].integer : (int64_t)i, from = starts->items[i].integer;
    if (steps && steps->items[i].integer != 1) return false;
    if (at != (int64_t)axis && at != (int64_t)axis - (int64_t)shape->rank) continue;
    if (from < 0) from += shape->dims[axis];
    *start = from < 0 ? 0 : from;
  }
  return true;
}

/* Adds a slice that cuts one axis; slices that cut several are skipped, contiguous or not. */
static neap_status add_slice(const struct onnx_model *model, const struct onnx_node *node,
                             neap_graph *graph, neap_error *error) {
  size_t input = model->links[node->inputs], output = model->links[node->outputs], axis = 0;
  if (input == ONNX_NONE || output == ONNX_NONE) return NEAP_OK;
  const struct onnx_shape *whole = &model->tensors[input].shape;
  const struct onnx_shape *part = &model->tensors[output].shape;
  struct parts parts;
  int64_t start, stride;
  if (!whole->is_known || !part->is_known || whole->rank != part->rank) return NEAP_OK;
  while (axis < whole->rank && whole->dims[axis] == part->dims[axis])
    axis++;
  if (axis == whole->rank || !find_start(model, node, whole, axis, &start) ||
      start > whole->dims[axis] - part->dims[axis] ||
      !parts_begin(&parts, graph, NEAP_ALIAS_SPLIT, input,
                   &(struct parts_shape){whole->rank, whole->dims}) ||
      !parts_elements(&(struct parts_shape){whole->rank - axis - 1, whole->dims + axis + 1},
                      &stride))
    return NEAP_OK;
  parts.elements = start * stride; /* less than the elements of the whole */
  return parts_add(&parts, output, &(struct parts_shape){part->rank, part->dims}, error);
}

static neap_status add_parts(const struct onnx_model *model, const struct onnx_node *node,
                             neap_graph *graph, neap_error *error) {
  const struct onnx_rule *rule = node->rule;
  if (!rule || node->inputs == node->within || node->outputs == node->end) return NEAP_OK;
  if (strcmp(rule->name, "Concat") == 0)
    return add_side_by_side(model, NEAP_ALIAS_CONCAT, model->links[node->outputs], node->inputs,
                            node->within, graph, error);
  if (strcmp(rule->name, "Split") == 0)
    return add_side_by_side(model, NEAP_ALIAS_SPLIT, model->links[node->inputs], node->outputs,
                            node->end, graph, error);
  if (strcmp(rule->name, "Slice") == 0) return add_slice(model, node, graph, error);
  return NEAP_OK;
}

static neap_status add_links(const struct onnx_model *model, neap_link role, size_t begin,
                             size_t end, neap_graph *graph, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = begin; i < end && status == NEAP_OK; i++)
    if (model->links[i] != ONNX_NONE)
      status = neap_graph_add_link(graph, role, model->links[i], error);
  return status;
}

/* In training, Dropout is random. */
static bool is_random(const struct onnx_model *model, const struct onnx_node *node) {
  const struct onnx_rule *rule = node->rule;
  const size_t training = node->inputs + 2;
  return rule &&
         (rule->is_random || (strcmp(rule->name, "Dropout") == 0 && training < node->within &&
                              model->links[training] != ONNX_NONE));
}

/*
 * Random numbers differ from run to run.  Bodies refer to outer tensors by name, and after several
 * runs the name is still that of the first one's output.
 */
static bool runs_once(const struct onnx_model *model, const struct onnx_node *node) {
  for (size_t i = node->outputs; i < node->end; i++)
    if (model->links[i] != ONNX_NONE && model->tensors[model->links[i]].is_captured)
      return true;
  return node->body != ONNX_NONE || is_random(model, node);
}

static neap_status add_operator(const struct onnx_model *model, size_t k, neap_graph *graph,
                                neap_error *error) {
  const struct onnx_node *node = &model->nodes[k];
  const char *type = node->message->op_type ? node->message->op_type : "";
  const char *label = node->message->name ? node->message->name : "";
  char excerpt[TEXT_EXCERPT];
  if (text_utf8_prefix(type, strlen(type)) != strlen(type))
    return error_set(error, NEAP_ERROR_INPUT, "operator %zu: its type %s is not valid UTF-8", k,
                     text_excerpt(excerpt, type, strlen(type)));
  neap_status status = neap_graph_add_operator(graph, type, error);
  /* Nothing needs the name, so an invalid one does no harm. */
  if (status == NEAP_OK && text_utf8_prefix(label, strlen(label)) == strlen(label))
    status = neap_graph_label_operator(graph, label, error);
  if (status == NEAP_OK)
    status = add_links(model, NEAP_LINK_INPUT, node->inputs, node->outputs, graph, error);
  if (status == NEAP_OK)
    status = add_links(model, NEAP_LINK_OUTPUT, node->outputs, node->end, graph, error);
  if (status == NEAP_OK)
    status = work_time_operator(graph, onnx_count_macs(model, node), error);
  if (status == NEAP_OK && runs_once(model, node)) graph_run_once(graph);
  if (status == NEAP_OK) status = add_pairs(model, node, graph, error);
  return status == NEAP_OK ? add_parts(model, node, graph, error) : status;
}

/* ---------------------------------------------------------------- bodies */

struct builder {
  const struct onnx_model *model;
  neap_graph *graph;
  struct calls calls;
};

static struct graph_operator *last_operator(const neap_graph *graph) {
  return &graph->operators[graph->operator_count - 1];
}

/* Makes the inputs of a body. */
static neap_status enter(void *user, const struct calls_visit *visit, neap_error *error) {
  const struct builder *builder = user;
  const struct onnx_body *body = &builder->model->bodies[visit->body];
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < body->graph->n_input && status == NEAP_OK; i++)
    status = neap_graph_add_link(builder->graph, NEAP_LINK_OUTPUT, body->tensors + i, error);
  return status;
}

/* Reads the results of a body. */
static neap_status leave(void *user, const struct calls_visit *visit, neap_error *error) {
  const struct builder *builder = user;
  const struct onnx_body *body = &builder->model->bodies[visit->body];
  return add_links(builder->model, NEAP_LINK_INPUT, body->outputs, body->outputs_end,
                   builder->graph, error);
}

/* A state that is no output of the operator must stay alive throughout the body. */
static neap_status keep_states(const struct builder *builder, size_t k, size_t body,
                               neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < builder->model->bodies[body].graph->n_input && status == NEAP_OK;
       i++) {
    const size_t tensor = onnx_body_state(builder->model, k, body, i);
    if (tensor != ONNX_NONE)
      status = neap_graph_add_link(builder->graph, NEAP_LINK_INPUT, tensor, error);
  }
  return status;
}

/* Adds the bodies that an operator runs. */
static neap_status add_calls(struct builder *builder, size_t k, neap_error *error) {
  const struct onnx_model *model = builder->model;
  const struct onnx_node *node = &model->nodes[k];
  const char *type = node->message->op_type;
  neap_status status = NEAP_OK;
  bool calls = false;
  for (size_t b = node->body; b != ONNX_NONE && status == NEAP_OK; b = model->bodies[b].next) {
    if (!model->bodies[b].is_planned) continue;
    last_operator(builder->graph)->keep = GRAPH_KEPT;
    calls = true;
    status = calls_run(&builder->calls, b, type, error);
    if (status == NEAP_OK) status = keep_states(builder, k, b, error);
  }
  if (status != NEAP_OK || !calls) return status;
  status = calls_add_step(&builder->calls, type, error);
  if (status != NEAP_OK) return status;
  return add_links(model, NEAP_LINK_INPUT, node->inputs, node->end, builder->graph, error);
}

static neap_status add_operators(void *user, const struct calls_visit *visit,
                                 neap_error *error) {
  struct builder *builder = user;
  const struct onnx_model *model = builder->model;
  const struct onnx_body *body = &model->bodies[visit->body];
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < body->node_count && status == NEAP_OK; i++) {
    const size_t k = visit->body == 0 ? model->order[i] : body->nodes + i;
    if (model->nodes[k].is_constant) continue;
    status = add_operator(model, k, builder->graph, error);
    if (status != NEAP_OK) return status;
    struct graph_operator *last = last_operator(builder->graph);
    last->body = visit->body;
    last->place = k - body->nodes;
    last->is_once = last->is_once || visit->body > 0;
    status = add_calls(builder, k, error);
  }
  return status;
}

neap_status onnx_graph_build(const struct onnx_model *model, neap_graph **graph,
                             neap_error *error) {
  static const struct calls_format format = {add_operators, enter, leave};
  struct builder builder = {.model = model, .graph = neap_graph_new()};
  if (!builder.graph) return error_memory(error);
  builder.calls = (struct calls){.graph = builder.graph,
                                 .format = &format,
                                 .user = &builder,
                                 .body_count = model->body_count};
  neap_status status =
      calls_init(&builder.calls) && names_add_all(&builder.graph->missing, &model->missing)
          ? NEAP_OK
          : error_memory(error);
  for (size_t t = 0; t < model->names.count && status == NEAP_OK; t++)
    status = add_tensor(model, t, builder.graph, error);
  if (status == NEAP_OK) status = calls_run(&builder.calls, 0, NULL, error);
  calls_clear(&builder.calls);
  if (status == NEAP_OK) *graph = builder.graph;
  else neap_graph_free(builder.graph);
  return status;
}

/* ---------------------------------------------------------------- recognising a model */

enum field { MODEL_IR_VERSION = 1, MODEL_GRAPH = 7 };

/* Whether a model has such a field, of this wire type. */
static bool is_field(uint64_t tag) {
  switch (tag >> 3) {
  case MODEL_IR_VERSION:
  case 5: /* model_version */
    return (tag & 7) == WIRE_VARINT;
  case 2: /* producer_name */
  case 3: /* producer_version */
  case 4: /* domain */
  case 6: /* doc_string */
  case MODEL_GRAPH:
  case 8:  /* opset_import */
  case 14: /* metadata_props */
  case 20: /* training_info */
  case 25: /* functions */
  case 26: /* configuration */
    return (tag & 7) == WIRE_LENGTH;
  default:
    return false;
  }
}

/* Writers may put the fields in any order. */
bool onnx_is(const char *text, size_t size, const neap_reading *reading) {
  (void)reading;
  size_t at = 0;
  uint64_t tag;
  bool has_version = false, has_graph = false;
  while (at < size && wire_varint(text, size, &at, &tag) && is_field(tag)) {
    has_version = has_version || tag >> 3 == MODEL_IR_VERSION;
    has_graph = has_graph || tag >> 3 == MODEL_GRAPH;
    if (has_version && has_graph) return true;
    if (!wire_skip(text, size, &at, tag)) return false;
  }
  return false;
}

/* ---------------------------------------------------------------- the whole */

neap_status onnx_model_prepare(struct onnx_model *model, neap_error *error) {
  neap_status status = onnx_declared_check_dimensions(model, error);
  if (status == NEAP_OK) status = onnx_order_nodes(model, error);
  return status == NEAP_OK ? onnx_shapes_infer(model, error) : status;
}

neap_status onnx_read(const char *text, size_t size, const neap_reading *reading,
                      neap_graph **graph, neap_error *error) {
  struct onnx_model model;
  neap_status status = onnx_model_open(&model, text, size, reading, error);
  if (status == NEAP_OK) status = onnx_model_prepare(&model, error);
  if (status == NEAP_OK) status = onnx_graph_build(&model, graph, error);
  onnx_model_close(&model);
  return status;
}
