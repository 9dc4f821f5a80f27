/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A name in a body refers to a tensor of its own or of an enclosing body.  Tensors of enclosing
 * bodies must be alive while the operator runs, so they are among the operator's links.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "models/onnx/decode.h"
#include "models/onnx/model.h"

#define MAX_NESTING 8
#define MAX_ATTRIBUTES 1024 /* of an operator: the search for one is linear */

static const struct names *names_of(const struct onnx_model *model, size_t body) {
  return body == 0 ? &model->names : &model->bodies[body].names;
}

/* The tensor of a body with this name; ONNX_NONE: it has none. */
static size_t find_own(const struct onnx_model *model, size_t body, const char *name) {
  const struct onnx_body *own = &model->bodies[body];
  const size_t index = names_find(names_of(model, body), name, strlen(name));
  return index == NAMES_NONE || index >= own->tensor_count ? ONNX_NONE : own->tensors + index;
}

/* The tensor with this name in a body or an enclosing one; ONNX_NONE: there is none. */
static size_t find(const struct onnx_model *model, size_t body, const char *name) {
  for (; body != ONNX_NONE; body = model->bodies[body].parent) {
    const size_t tensor = find_own(model, body, name);
    if (tensor != ONNX_NONE) return tensor;
  }
  return ONNX_NONE;
}

static bool is_own(const struct onnx_body *body, size_t tensor) {
  return tensor >= body->tensors && tensor - body->tensors < body->tensor_count;
}

/* ---------------------------------------------------------------- tensors */

/* A tensor of a body may have the name of another, and then gets a number. */
static bool add_name(struct onnx_model *model, size_t body, const char *name) {
  const size_t length = strlen(name), room = length + 32;
  if (body > 0 && !names_add(&model->bodies[body].names, name, length)) return false;
  if (names_find(&model->names, name, length) == NAMES_NONE)
    return names_add(&model->names, name, length);
  char *numbered = malloc(room);
  size_t number = model->names.count;
  bool fits = numbered != NULL;
  if (!fits) return false;
  do
    snprintf(numbered, room, "%s#%zu", name, number++);
  while (names_find(&model->names, numbered, strlen(numbered)) != NAMES_NONE);
  fits = names_add(&model->names, numbered, strlen(numbered));
  free(numbered);
  return fits;
}

/* Adds a tensor with a new name. */
static neap_status add_tensor(struct onnx_model *model, size_t body, const char *name,
                              size_t *tensor, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  size_t length = name ? strlen(name) : 0, index = model->names.count;
  if (length == 0) return error_set(error, NEAP_ERROR_INPUT, "a tensor has no name");
  text_excerpt(excerpt, name, length);
  if (text_utf8_prefix(name, length) != length)
    return error_set(error, NEAP_ERROR_INPUT, "the tensor name %s is not valid UTF-8", excerpt);
  if (names_find(names_of(model, body), name, length) != NAMES_NONE)
    return error_set(error, NEAP_ERROR_INPUT, "duplicate tensor %s", excerpt);
  if (!memory_reserve(&model->tensors, &model->tensor_capacity, index + 1,
                      sizeof *model->tensors) ||
      !add_name(model, body, name))
    return error_memory(error);
  model->tensors[index] = (struct onnx_tensor){.maker = ONNX_NONE};
  model->bodies[body].tensor_count++;
  *tensor = index;
  return NEAP_OK;
}

static neap_status add_inputs(struct onnx_model *model, size_t body, neap_error *error) {
  const Onnx__Graph *graph = model->bodies[body].graph;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < graph->n_input && status == NEAP_OK; i++) {
    size_t tensor;
    status = add_tensor(model, body, graph->input[i]->name, &tensor, error);
    if (status != NEAP_OK) break;
    model->tensors[tensor].is_input = body == 0;
    model->tensors[tensor].declaration = graph->input[i];
  }
  return status;
}

/* Before version 4 of the format, initializers were also inputs. */
static neap_status add_constant(struct onnx_model *model, size_t body,
                                const Onnx__Tensor *message, size_t *index, neap_error *error) {
  const char *name = message->name ? message->name : "";
  *index = find_own(model, body, name);
  if (*index == ONNX_NONE || !model->tensors[*index].is_input) {
    neap_status status = add_tensor(model, body, name, index, error);
    if (status != NEAP_OK) return status;
  }
  struct onnx_tensor *tensor = &model->tensors[*index];
  tensor->is_input = false;
  tensor->is_constant = true;
  tensor->initializer = message;
  return NEAP_OK;
}

static neap_status add_initializers(struct onnx_model *model, size_t body, neap_error *error) {
  const Onnx__Graph *graph = model->bodies[body].graph;
  for (size_t i = 0; i < graph->n_initializer; i++) {
    const Onnx__Tensor *message = graph->initializer[i];
    const char *why;
    char excerpt[TEXT_EXCERPT];
    size_t tensor;
    neap_status status = add_constant(model, body, message, &tensor, error);
    if (status != NEAP_OK) return status;
    if (!onnx_tensor_shape(message, &model->tensors[tensor].shape, &why))
      return error_set(error, NEAP_ERROR_INPUT, "tensor %s: %s",
                       onnx_model_tensor(model, tensor, excerpt), why);
  }
  return NEAP_OK;
}

static neap_status add_sparse(struct onnx_model *model, size_t body,
                              const Onnx__Sparse *message, neap_error *error) {
  size_t tensor;
  char excerpt[TEXT_EXCERPT];
  int64_t count;
  if (message->n_values != 1)
    return error_set(error, NEAP_ERROR_INPUT, "a sparse initializer has no values");
  neap_status status = add_constant(model, body, message->values[0], &tensor, error);
  if (status != NEAP_OK) return status;
  struct onnx_shape *shape = &model->tensors[tensor].shape;
  model->tensors[tensor].initializer = NULL; /* it has only the nonzero elements */
  *shape = (struct onnx_shape){.type = message->values[0]->data_type};
  for (size_t d = 0; d < message->n_dims && d < ONNX_MAX_RANK && message->dims[d] >= 0; d++)
    shape->dims[shape->rank++] = message->dims[d];
  shape->is_known = shape->rank == message->n_dims && onnx_elements(shape, &count);
  return shape->is_known
             ? NEAP_OK
             : error_set(error, NEAP_ERROR_INPUT, "tensor %s: its dimensions are out of range",
                         onnx_model_tensor(model, tensor, excerpt));
}

static neap_status add_sparse_initializers(struct onnx_model *model, size_t body,
                                           neap_error *error) {
  const Onnx__Graph *graph = model->bodies[body].graph;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < graph->n_sparse_initializer && status == NEAP_OK; i++)
    status = add_sparse(model, body, graph->sparse_initializer[i], error);
  return status;
}

/* Adds the outputs of operators. */
static neap_status add_made(struct onnx_model *model, size_t body, neap_error *error) {
  const Onnx__Graph *graph = model->bodies[body].graph;
  for (size_t k = 0; k < graph->n_node; k++) {
    const Onnx__Node *message = graph->node[k];
    for (size_t i = 0; i < message->n_output; i++) {
      size_t tensor;
      if (!message->output[i][0]) continue;
      neap_status status = add_tensor(model, body, message->output[i], &tensor, error);
      if (status != NEAP_OK) return status;
      model->tensors[tensor].maker = model->bodies[body].nodes + k;
    }
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- links */

bool onnx_model_link(struct onnx_model *model, size_t tensor) {
  if (!memory_reserve(&model->links, &model->link_capacity, model->link_count + 1,
                      sizeof *model->links))
    return false;
  model->links[model->link_count++] = tensor;
  return true;
}

/* Notes that a body reads a tensor, unless it is one of its own. */
static bool capture(struct onnx_model *model, size_t body, size_t tensor) {
  struct onnx_body *own = &model->bodies[body];
  if (is_own(own, tensor)) return true;
  if (!memory_reserve(&own->captured, &own->captured_capacity, own->captured_count + 1,
                      sizeof *own->captured))
    return false;
  own->captured[own->captured_count++] = tensor;
  return true;
}

static neap_status link_all(struct onnx_model *model, size_t body, size_t node,
                            char *const *names, size_t count, neap_error *error) {
  for (size_t i = 0; i < count; i++) {
    const size_t tensor = names[i][0] ? find(model, body, names[i]) : ONNX_NONE;
    char excerpt[TEXT_EXCERPT], node_text[ONNX_NODE_TEXT];
    if (names[i][0] && tensor == ONNX_NONE)
      return error_set(error, NEAP_ERROR_INPUT, "%s reads tensor %s, which does not exist",
                       onnx_model_node(model, node, node_text),
                       text_excerpt(excerpt, names[i], strlen(names[i])));
    if (!onnx_model_link(model, tensor) ||
        (tensor != ONNX_NONE && !capture(model, body, tensor)))
      return error_memory(error);
  }
  return NEAP_OK;
}

/* Links the tensors that the bodies of a node capture; `body` contains the node. */
static neap_status link_captured(struct onnx_model *model, size_t body, size_t node,
                                 neap_error *error) {
  bool fits = true;
  for (size_t b = model->nodes[node].body; b != ONNX_NONE; b = model->bodies[b].next)
    for (size_t i = 0; i < model->bodies[b].captured_count && fits; i++) {
      const size_t tensor = model->bodies[b].captured[i];
      model->tensors[tensor].is_captured = true;
      fits = onnx_model_link(model, tensor) && capture(model, body, tensor);
    }
  return fits ? NEAP_OK : error_memory(error);
}

static neap_status too_many_attributes(const struct onnx_model *model, size_t node,
                                       neap_error *error) {
  char node_text[ONNX_NODE_TEXT];
  return error_set(error, NEAP_ERROR_INPUT, "%s: expected up to %d attributes, found %zu",
                   onnx_model_node(model, node, node_text), MAX_ATTRIBUTES,
                   model->nodes[node].message->n_attribute);
}

static neap_status open_bodies(struct onnx_model *model, size_t parent, size_t node,
                               neap_error *error);

static neap_status add_node(struct onnx_model *model, size_t body, size_t node,
                            neap_error *error) {
  const Onnx__Node *message = model->nodes[node].message;
  if (message->n_attribute > MAX_ATTRIBUTES) return too_many_attributes(model, node, error);
  neap_status status = open_bodies(model, body, node, error);
  model->nodes[node].inputs = model->link_count;
  if (status == NEAP_OK)
    status = link_all(model, body, node, message->input, message->n_input, error);
  model->nodes[node].within = model->link_count;
  if (status == NEAP_OK) status = link_captured(model, body, node, error);
  model->nodes[node].outputs = model->link_count;
  if (status == NEAP_OK)
    status = link_all(model, body, node, message->output, message->n_output, error);
  model->nodes[node].end = model->link_count;
  return status;
}

static neap_status add_nodes(struct onnx_model *model, size_t body, neap_error *error) {
  const size_t first = model->bodies[body].nodes;
  neap_status status = NEAP_OK;
  for (size_t k = first; k < first + model->bodies[body].node_count && status == NEAP_OK; k++)
    status = add_node(model, body, k, error);
  return status;
}

/* ---------------------------------------------------------------- declarations */

/* The outputs of a body are links; those of the main one are also marked. */
static neap_status add_outputs(struct onnx_model *model, size_t body, neap_error *error) {
  const Onnx__Graph *graph = model->bodies[body].graph;
  model->bodies[body].outputs = model->link_count;
  for (size_t i = 0; i < graph->n_output; i++) {
    const char *name = graph->output[i]->name ? graph->output[i]->name : "";
    char excerpt[TEXT_EXCERPT];
    const size_t tensor = find(model, body, name);
    if (tensor == ONNX_NONE)
      return error_set(error, NEAP_ERROR_INPUT, "the output %s of the graph does not exist",
                       text_excerpt(excerpt, name, strlen(name)));
    if (!onnx_model_link(model, tensor) || !capture(model, body, tensor))
      return error_memory(error);
    model->tensors[tensor].is_output = model->tensors[tensor].is_output || body == 0;
    if (!model->tensors[tensor].declaration && graph->output[i]->n_type > 0)
      model->tensors[tensor].declaration = graph->output[i];
  }
  model->bodies[body].outputs_end = model->link_count;
  return NEAP_OK;
}

/* Ignores declarations of tensors that do not exist. */
static void declare(struct onnx_model *model, size_t body) {
  const Onnx__Graph *graph = model->bodies[body].graph;
  for (size_t i = 0; i < graph->n_value_info; i++) {
    const Onnx__Value *value = graph->value_info[i];
    const size_t tensor = value->name ? find_own(model, body, value->name) : ONNX_NONE;
    if (tensor != ONNX_NONE && !model->tensors[tensor].declaration)
      model->tensors[tensor].declaration = value;
  }
}

/* ---------------------------------------------------------------- bodies */

static bool add_all_nodes(struct onnx_model *model, struct onnx_body *body) {
  body->nodes = model->all_nodes;
  body->node_count = body->graph->n_node;
  if (!memory_reserve(&model->nodes, &model->node_capacity, body->nodes + body->node_count,
                      sizeof *model->nodes))
    return false;
  for (size_t k = 0; k < body->node_count; k++)
    model->nodes[model->all_nodes++] =
        (struct onnx_node){.message = body->graph->node[k], .body = ONNX_NONE};
  return true;
}

static neap_status open_body(struct onnx_model *model, size_t body, neap_error *error) {
  neap_status status =
      add_all_nodes(model, &model->bodies[body]) ? NEAP_OK : error_memory(error);
  model->bodies[body].tensors = model->names.count;
  if (status == NEAP_OK) status = add_inputs(model, body, error);
  if (status == NEAP_OK) status = add_initializers(model, body, error);
  if (status == NEAP_OK) status = add_sparse_initializers(model, body, error);
  if (status == NEAP_OK) status = add_made(model, body, error);
  if (status == NEAP_OK) status = add_nodes(model, body, error);
  if (status == NEAP_OK) status = add_outputs(model, body, error);
  if (status == NEAP_OK) declare(model, body);
  return status;
}

static neap_status check_nesting(const struct onnx_model *model, size_t body,
                                 neap_error *error) {
  size_t depth = 0;
  for (; body != ONNX_NONE; body = model->bodies[body].parent)
    depth++;
  return depth <= MAX_NESTING
             ? NEAP_OK
             : error_set(error, NEAP_ERROR_INPUT,
                         "subgraphs are nested deeper than %d, the limit", MAX_NESTING);
}

/* Adds a body to a node after *last, the node's previous one, and opens it. */
static neap_status add_body(struct onnx_model *model, size_t parent, size_t node, size_t *last,
                            const char *role, const ProtobufCBinaryData *bytes,
                            neap_error *error) {
  const size_t body = model->body_count;
  Onnx__Graph *graph;
  neap_status status = check_nesting(model, parent, error);
  if (status == NEAP_OK) status = onnx_decode_graph(bytes, &graph, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&model->bodies, &model->body_capacity, body + 1, sizeof *model->bodies)) {
    onnx_free_graph(graph);
    return error_memory(error);
  }
  model->bodies[body] = (struct onnx_body){
      .graph = graph, .role = role ? role : "", .parent = parent, .next = ONNX_NONE};
  model->body_count++;
  if (*last == ONNX_NONE) model->nodes[node].body = body;
  else model->bodies[*last].next = body;
  *last = body;
  return open_body(model, body, error);
}

static neap_status open_bodies(struct onnx_model *model, size_t parent, size_t node,
                               neap_error *error) {
  const Onnx__Node *message = model->nodes[node].message;
  size_t last = ONNX_NONE;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < message->n_attribute && status == NEAP_OK; i++) {
    const Onnx__Attribute *attribute = message->attribute[i];
    for (size_t g = 0; g < attribute->n_g && status == NEAP_OK; g++)
      status = add_body(model, parent, node, &last, attribute->name, &attribute->g[g], error);
    for (size_t g = 0; g < attribute->n_graphs && status == NEAP_OK; g++)
      status =
          add_body(model, parent, node, &last, attribute->name, &attribute->graphs[g], error);
  }
  return status;
}

/* ---------------------------------------------------------------- the whole */

neap_status onnx_bodies_open(struct onnx_model *model, neap_error *error) {
  if (!memory_reserve(&model->bodies, &model->body_capacity, 1, sizeof *model->bodies))
    return error_memory(error);
  model->body_count = 1;
  model->bodies[0] = (struct onnx_body){
      .graph = model->message->graph[0], .role = "", .parent = ONNX_NONE, .next = ONNX_NONE};
  model->node_count = model->bodies[0].graph->n_node;
  return open_body(model, 0, error);
}

void onnx_bodies_close(struct onnx_model *model) {
  for (size_t b = 0; b < model->body_count; b++) {
    struct onnx_body *body = &model->bodies[b];
    if (b > 0) onnx_free_graph(body->graph); /* the main one is part of the model */
    names_clear(&body->names);
    free(body->captured);
  }
  free(model->bodies);
}
