/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/onnx/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"

/* ---------------------------------------------------------------- the messages of a file */

/* Only its allocator tells whether the decoder failed for lack of memory. */
static void *allocate(void *user, size_t size) {
  bool *is_short = user;
  void *made = malloc(size ? size : 1);
  if (!made) *is_short = true;
  return made;
}

static void release(void *user, void *memory) {
  (void)user;
  free(memory);
}

static neap_status decode(const ProtobufCMessageDescriptor *descriptor, const uint8_t *bytes,
                          size_t size, ProtobufCMessage **message, neap_error *error) {
  bool is_short = false;
  ProtobufCAllocator allocator = {allocate, release, &is_short};
  *message = protobuf_c_message_unpack(descriptor, &allocator, size, bytes);
  if (*message) return NEAP_OK;
  return is_short ? error_memory(error)
                  : error_set(error, NEAP_ERROR_INPUT,
                              "broken ONNX model: its fields do not fit into the file");
}

static void clear(ProtobufCMessage *message) {
  bool is_short = false;
  ProtobufCAllocator allocator = {allocate, release, &is_short};
  if (message) protobuf_c_message_free_unpacked(message, &allocator);
}

static neap_status decode_model(const char *text, size_t size, Onnx__Model **model,
                                neap_error *error) {
  ProtobufCMessage *message;
  neap_status status =
      decode(&onnx__model__descriptor, (const uint8_t *)text, size, &message, error);
  if (status == NEAP_OK) *model = (Onnx__Model *)message;
  return status;
}

static neap_status decode_graph(const ProtobufCBinaryData *bytes, Onnx__Graph **graph,
                                neap_error *error) {
  ProtobufCMessage *message;
  neap_status status =
      decode(&onnx__graph__descriptor, bytes->data, bytes->len, &message, error);
  if (status == NEAP_OK) *graph = (Onnx__Graph *)message;
  return status;
}

static void free_model(Onnx__Model *model) { clear((ProtobufCMessage *)model); }

static void free_graph(Onnx__Graph *graph) { clear((ProtobufCMessage *)graph); }

/* ---------------------------------------------------------------- what subgraphs read from outside */

/*
 * The branches of an If and the body of a Loop may read tensors of the graph around them, which must
 * then be alive while the operator runs.
 */

#define MAX_NESTING 8

/* Names that a subgraph defines itself, and those of the graphs around it. */
struct scope {
  struct names names;
  const struct scope *outer;
  size_t depth;
};

static bool is_own(const struct scope *scope, const char *name, size_t length) {
  for (; scope; scope = scope->outer)
    if (names_find(&scope->names, name, length) != NAMES_NONE) return true;
  return false;
}

static bool own(struct scope *scope, const char *name) {
  size_t length = name ? strlen(name) : 0;
  return length == 0 || names_find(&scope->names, name, length) != NAMES_NONE ||
         names_add(&scope->names, name, length);
}

static bool own_all(struct scope *scope, const Onnx__Graph *graph) {
  bool fits = true;
  for (size_t i = 0; i < graph->n_input && fits; i++)
    fits = own(scope, graph->input[i]->name);
  for (size_t i = 0; i < graph->n_initializer && fits; i++)
    fits = own(scope, graph->initializer[i]->name);
  for (size_t k = 0; k < graph->n_node && fits; k++)
    for (size_t i = 0; i < graph->node[k]->n_output && fits; i++)
      fits = own(scope, graph->node[k]->output[i]);
  return fits;
}

static bool capture_name(struct onnx_model *model, const struct scope *scope,
                         const char *name) {
  size_t length = name ? strlen(name) : 0;
  if (length == 0 || is_own(scope, name, length)) return true;
  size_t tensor = names_find(&model->names, name, length);
  return tensor == NAMES_NONE || onnx_model_link(model, tensor);
}

static neap_status capture_nodes(struct onnx_model *model, const Onnx__Graph *graph,
                                 const struct scope *scope, neap_error *error);

static neap_status capture_graph(struct onnx_model *model, const ProtobufCBinaryData *bytes,
                                 const struct scope *outer, neap_error *error) {
  struct scope scope = {.outer = outer, .depth = outer ? outer->depth + 1 : 1};
  Onnx__Graph *graph;
  if (scope.depth > MAX_NESTING)
    return error_set(error, NEAP_ERROR_INPUT, "subgraphs are nested deeper than %d, the limit",
                     MAX_NESTING);
  neap_status status = decode_graph(bytes, &graph, error);
  if (status != NEAP_OK) return status;
  status =
      own_all(&scope, graph) ? capture_nodes(model, graph, &scope, error) : error_memory(error);
  names_clear(&scope.names);
  free_graph(graph);
  return status;
}

static neap_status capture_node(struct onnx_model *model, const Onnx__Node *node,
                                const struct scope *scope, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < node->n_attribute && status == NEAP_OK; i++) {
    const Onnx__Attribute *attribute = node->attribute[i];
    for (size_t g = 0; g < attribute->n_g && status == NEAP_OK; g++)
      status = capture_graph(model, &attribute->g[g], scope, error);
    for (size_t g = 0; g < attribute->n_graphs && status == NEAP_OK; g++)
      status = capture_graph(model, &attribute->graphs[g], scope, error);
  }
  return status;
}

static neap_status capture_nodes(struct onnx_model *model, const Onnx__Graph *graph,
                                 const struct scope *scope, neap_error *error) {
  bool fits = true;
  neap_status status = NEAP_OK;
  for (size_t k = 0; k < graph->n_node && fits && status == NEAP_OK; k++) {
    const Onnx__Node *node = graph->node[k];
    for (size_t i = 0; i < node->n_input && fits; i++)
      fits = capture_name(model, scope, node->input[i]);
    if (fits) status = capture_node(model, node, scope, error);
  }
  for (size_t i = 0; i < graph->n_output && fits; i++)
    fits = capture_name(model, scope, graph->output[i]->name);
  return fits ? status : error_memory(error);
}

/* Adds links to these tensors to `model`, for the operator `node`. */
static neap_status onnx_capture(struct onnx_model *model, const Onnx__Node *node,
                                neap_error *error) {
  return capture_node(model, node, NULL, error);
}

/* ---------------------------------------------------------------- the model */

#define ALLOWANCE (1 << 20) /* besides the file's size */
#define MAX_ATTRIBUTES 1024 /* of an operator: the search for one is linear */

/* ---------------------------------------------------------------- messages */

const char *onnx_model_tensor(const struct onnx_model *model, size_t tensor, char text[64]) {
  const char *name = names_text(&model->names, tensor);
  return text_excerpt(text, name, strlen(name));
}

const char *onnx_model_node(const struct onnx_model *model, size_t node,
                            char text[ONNX_NODE_TEXT]) {
  const Onnx__Node *message = model->graph->node[node];
  const char *type = message->op_type ? message->op_type : "";
  const char *name = message->name ? message->name : "";
  char type_text[TEXT_EXCERPT], name_text[TEXT_EXCERPT];
  text_excerpt(type_text, type, strlen(type));
  text_excerpt(name_text, name, strlen(name));
  if (name[0])
    snprintf(text, ONNX_NODE_TEXT, "operator %zu, %s named %s", node, type_text, name_text);
  else snprintf(text, ONNX_NODE_TEXT, "operator %zu, %s", node, type_text);
  return text;
}

/* ---------------------------------------------------------------- tensors */

/* Adds a tensor with a new name. */
static neap_status add_tensor(struct onnx_model *model, const char *name, size_t *tensor,
                              neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  size_t length = name ? strlen(name) : 0, index = model->names.count;
  if (length == 0) return error_set(error, NEAP_ERROR_INPUT, "a tensor has no name");
  text_excerpt(excerpt, name, length);
  if (text_utf8_prefix(name, length) != length)
    return error_set(error, NEAP_ERROR_INPUT, "the tensor name %s is not valid UTF-8", excerpt);
  if (names_find(&model->names, name, length) != NAMES_NONE)
    return error_set(error, NEAP_ERROR_INPUT, "duplicate tensor %s", excerpt);
  if (!memory_reserve(&model->tensors, &model->tensor_capacity, index + 1,
                      sizeof *model->tensors) ||
      !names_add(&model->names, name, length))
    return error_memory(error);
  model->tensors[index] = (struct onnx_tensor){.maker = ONNX_NONE};
  *tensor = index;
  return NEAP_OK;
}

static neap_status add_inputs(struct onnx_model *model, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < model->graph->n_input && status == NEAP_OK; i++) {
    size_t tensor;
    status = add_tensor(model, model->graph->input[i]->name, &tensor, error);
    if (status != NEAP_OK) break;
    model->tensors[tensor].is_input = true;
    model->tensors[tensor].declaration = model->graph->input[i];
  }
  return status;
}

/* Before version 4 of the format, initializers were also inputs. */
static neap_status add_constant(struct onnx_model *model, const Onnx__Tensor *message,
                                size_t *index, neap_error *error) {
  const char *name = message->name ? message->name : "";
  *index = names_find(&model->names, name, strlen(name));
  if (*index == NAMES_NONE || !model->tensors[*index].is_input) {
    neap_status status = add_tensor(model, name, index, error);
    if (status != NEAP_OK) return status;
  }
  struct onnx_tensor *tensor = &model->tensors[*index];
  tensor->is_input = false;
  tensor->is_constant = true;
  tensor->initializer = message;
  return NEAP_OK;
}

static neap_status add_initializers(struct onnx_model *model, neap_error *error) {
  for (size_t i = 0; i < model->graph->n_initializer; i++) {
    const Onnx__Tensor *message = model->graph->initializer[i];
    const char *why;
    char excerpt[TEXT_EXCERPT];
    size_t tensor;
    neap_status status = add_constant(model, message, &tensor, error);
    if (status != NEAP_OK) return status;
    if (!onnx_tensor_shape(message, &model->tensors[tensor].shape, &why))
      return error_set(error, NEAP_ERROR_INPUT, "tensor %s: %s",
                       onnx_model_tensor(model, tensor, excerpt), why);
  }
  return NEAP_OK;
}

static neap_status add_sparse(struct onnx_model *model, const Onnx__Sparse *message,
                              neap_error *error) {
  size_t tensor;
  char excerpt[TEXT_EXCERPT];
  int64_t count;
  if (message->n_values != 1)
    return error_set(error, NEAP_ERROR_INPUT, "a sparse initializer has no values");
  neap_status status = add_constant(model, message->values[0], &tensor, error);
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

static neap_status add_sparse_initializers(struct onnx_model *model, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < model->graph->n_sparse_initializer && status == NEAP_OK; i++)
    status = add_sparse(model, model->graph->sparse_initializer[i], error);
  return status;
}

/* Adds the outputs of operators. */
static neap_status add_made(struct onnx_model *model, neap_error *error) {
  for (size_t k = 0; k < model->node_count; k++) {
    const Onnx__Node *message = model->graph->node[k];
    for (size_t i = 0; i < message->n_output; i++) {
      size_t tensor;
      if (!message->output[i][0]) continue;
      neap_status status = add_tensor(model, message->output[i], &tensor, error);
      if (status != NEAP_OK) return status;
      model->tensors[tensor].maker = k;
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

static neap_status link_all(struct onnx_model *model, size_t node, char *const *names,
                            size_t count, neap_error *error) {
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(names[i]), tensor = ONNX_NONE;
    char excerpt[TEXT_EXCERPT], node_text[ONNX_NODE_TEXT];
    if (length > 0) tensor = names_find(&model->names, names[i], length);
    if (length > 0 && tensor == NAMES_NONE)
      return error_set(error, NEAP_ERROR_INPUT, "%s reads tensor %s, which does not exist",
                       onnx_model_node(model, node, node_text),
                       text_excerpt(excerpt, names[i], length));
    if (!onnx_model_link(model, tensor)) return error_memory(error);
  }
  return NEAP_OK;
}

static neap_status too_many_attributes(const struct onnx_model *model, size_t node,
                                       neap_error *error) {
  char node_text[ONNX_NODE_TEXT];
  return error_set(error, NEAP_ERROR_INPUT, "%s: expected up to %d attributes, found %zu",
                   onnx_model_node(model, node, node_text), MAX_ATTRIBUTES,
                   model->graph->node[node]->n_attribute);
}

static neap_status add_nodes(struct onnx_model *model, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t k = 0; k < model->node_count && status == NEAP_OK; k++) {
    const Onnx__Node *message = model->graph->node[k];
    struct onnx_node *node = &model->nodes[k];
    if (message->n_attribute > MAX_ATTRIBUTES) return too_many_attributes(model, k, error);
    node->message = message;
    node->inputs = model->link_count;
    status = link_all(model, k, message->input, message->n_input, error);
    node->within = model->link_count;
    if (status == NEAP_OK) status = onnx_capture(model, message, error);
    node->outputs = model->link_count;
    for (size_t l = node->within; l < node->outputs; l++)
      model->tensors[model->links[l]].is_captured = true;
    if (status == NEAP_OK)
      status = link_all(model, k, message->output, message->n_output, error);
    node->end = model->link_count;
  }
  return status;
}

/* ---------------------------------------------------------------- declarations */

static neap_status mark_outputs(struct onnx_model *model, neap_error *error) {
  for (size_t i = 0; i < model->graph->n_output; i++) {
    const char *name = model->graph->output[i]->name ? model->graph->output[i]->name : "";
    char excerpt[TEXT_EXCERPT];
    size_t length = strlen(name), tensor = names_find(&model->names, name, length);
    if (tensor == NAMES_NONE)
      return error_set(error, NEAP_ERROR_INPUT, "the output %s of the graph does not exist",
                       text_excerpt(excerpt, name, length));
    model->tensors[tensor].is_output = true;
    if (!model->tensors[tensor].declaration && model->graph->output[i]->n_type > 0)
      model->tensors[tensor].declaration = model->graph->output[i];
  }
  return NEAP_OK;
}

/* Ignores declarations of tensors that do not exist. */
static void declare(struct onnx_model *model) {
  for (size_t i = 0; i < model->graph->n_value_info; i++) {
    const Onnx__Value *value = model->graph->value_info[i];
    size_t tensor =
        value->name ? names_find(&model->names, value->name, strlen(value->name)) : NAMES_NONE;
    if (tensor != NAMES_NONE && !model->tensors[tensor].declaration)
      model->tensors[tensor].declaration = value;
  }
}

/* ---------------------------------------------------------------- the whole */

static int64_t find_opset(const Onnx__Model *message) {
  int64_t opset = 1;
  for (size_t i = 0; i < message->n_opset_import; i++) {
    const Onnx__Opset *import = message->opset_import[i];
    bool is_standard =
        !import->domain || !import->domain[0] || strcmp(import->domain, "ai.onnx") == 0;
    if (is_standard && import->version > opset) opset = import->version;
  }
  return opset;
}

static neap_status add_all(struct onnx_model *model, neap_error *error) {
  neap_status status = add_inputs(model, error);
  if (status == NEAP_OK) status = add_initializers(model, error);
  if (status == NEAP_OK) status = add_sparse_initializers(model, error);
  if (status == NEAP_OK) status = add_made(model, error);
  if (status == NEAP_OK) status = add_nodes(model, error);
  if (status == NEAP_OK) status = mark_outputs(model, error);
  if (status == NEAP_OK) declare(model);
  return status;
}

neap_status onnx_model_open(struct onnx_model *model, const char *text, size_t size,
                            const neap_reading *reading, neap_error *error) {
  *model = (struct onnx_model){.reading = reading, .allowance = ALLOWANCE + size};
  neap_status status = decode_model(text, size, &model->message, error);
  if (status != NEAP_OK) return status;
  if (model->message->n_graph != 1)
    return error_set(error, NEAP_ERROR_INPUT,
                     "expected an ONNX model with one graph, found %zu",
                     model->message->n_graph);
  model->graph = model->message->graph[0];
  model->opset = find_opset(model->message);
  model->node_count = model->graph->n_node;
  model->nodes = memory_array(model->node_count, sizeof *model->nodes);
  return model->nodes ? add_all(model, error) : error_memory(error);
}

void onnx_model_close(struct onnx_model *model) {
  for (size_t t = 0; t < model->names.count; t++)
    free(model->tensors[t].values);
  names_clear(&model->names);
  names_clear(&model->open);
  free(model->tensors);
  free(model->nodes);
  free(model->links);
  free(model->order);
  free_model(model->message);
}
