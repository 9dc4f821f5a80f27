/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The branches of an If and the body of a Loop may read tensors of the graph around them, which must
 * then be alive while the operator runs.
 */
#include "formats/onnx/capture.h"

#include <string.h>

#include "core/error.h"
#include "formats/onnx/file.h"

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
  neap_status status = onnx_file_graph(bytes, &graph, error);
  if (status != NEAP_OK) return status;
  status =
      own_all(&scope, graph) ? capture_nodes(model, graph, &scope, error) : error_memory(error);
  names_clear(&scope.names);
  onnx_file_free_graph(graph);
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

neap_status onnx_capture(struct onnx_model *model, const Onnx__Node *node, neap_error *error) {
  return capture_node(model, node, NULL, error);
}
