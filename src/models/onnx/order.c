/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The execution order: that of the file, which should respect dependences.  If it does not, the
 * next operator is always the first in the file whose inputs are ready.
 */
#include "models/onnx/onnx.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/topology.h"

/* The node that makes the tensor of a link; ONNX_NONE: none. */
static size_t maker_of(const struct onnx_model *model, size_t link) {
  size_t tensor = model->links[link];
  return tensor == ONNX_NONE ? ONNX_NONE : model->tensors[tensor].maker;
}

static bool is_in_order(const struct onnx_model *model) {
  for (size_t k = 0; k < model->node_count; k++)
    for (size_t i = model->nodes[k].inputs; i < model->nodes[k].outputs; i++) {
      size_t maker = maker_of(model, i);
      if (maker != ONNX_NONE && maker >= k) return false;
    }
  return true;
}

static size_t list_edges(const struct onnx_model *model, struct topology_edge *edges) {
  size_t count = 0;
  for (size_t k = 0; k < model->node_count; k++)
    for (size_t i = model->nodes[k].inputs; i < model->nodes[k].outputs; i++) {
      size_t maker = maker_of(model, i);
      if (maker != ONNX_NONE) edges[count++] = (struct topology_edge){maker, k};
    }
  return count;
}

static neap_status sort(struct onnx_model *model, neap_error *error) {
  struct topology_edge *edges = memory_array(model->link_count, sizeof *edges);
  int64_t *keys = memory_array(model->node_count, sizeof *keys);
  size_t sorted = 0, cycle = 0;
  char node_text[ONNX_NODE_TEXT];
  for (size_t k = 0; keys && k < model->node_count; k++)
    keys[k] = (int64_t)k;
  neap_status status = edges && keys
                           ? topology_sort(model->node_count, edges, list_edges(model, edges),
                                           keys, model->order, &sorted, &cycle, error)
                           : error_memory(error);
  free(edges);
  free(keys);
  if (status != NEAP_OK || sorted == model->node_count) return status;
  return error_set(error, NEAP_ERROR_INPUT, "%s depends on its own output (cycle)",
                   onnx_model_node(model, model->order[sorted], node_text));
}

neap_status onnx_order_nodes(struct onnx_model *model, neap_error *error) {
  model->order = memory_array(model->node_count, sizeof *model->order);
  if (!model->order) return error_memory(error);
  for (size_t k = 0; k < model->node_count; k++)
    model->order[k] = k;
  return is_in_order(model) ? NEAP_OK : sort(model, error);
}
