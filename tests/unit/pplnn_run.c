/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PPL.NN's sequential run: allocate outputs, compute, release buffers that are no longer read.
 */
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "tests/unit/pplnn_graph.h"

struct run {
  const struct pplnn_graph *graph;
  struct pplnn_manager *manager;
  pplnn_observer *observer;
  void *user;
  struct pplnn_handle *handles; /* per edge */
  bool *exists;                 /* per edge: whether it has a tensor */
  bool *is_kept;                /* per edge: whether its buffer must not be transferred */
  const size_t *last_consumer;
};

static neap_status report_event(const struct run *run, struct pplnn_event event,
                                neap_error *error) {
  return run->observer ? run->observer(&event, run->user, error) : NEAP_OK;
}

static neap_status allocate_edge(struct run *run, size_t edge, neap_error *error) {
  neap_size bytes = run->graph->edge_bytes[edge];
  run->exists[edge] = true;
  neap_status status = pplnn_realloc(run->manager, bytes, &run->handles[edge], error);
  if (status != NEAP_OK) return status;
  return report_event(
      run, (struct pplnn_event){PPLNN_ALLOC, edge, bytes, run->handles[edge], 0}, error);
}

/* The edge whose buffer the first output of a node takes over, or PPLNN_NONE. */
static size_t source_of(const struct run *run, size_t n) {
  const struct pplnn_node *node = &run->graph->nodes[n];
  if (node->transfer < 0 || (uint64_t)node->transfer >= node->inputs.count) return PPLNN_NONE;
  int64_t edge = node->inputs.items[node->transfer];
  if (edge == PPLNN_ABSENT || run->last_consumer[edge] != n || run->is_kept[edge] ||
      !run->handles[edge].has_buffer || node->outputs.count == 0 ||
      node->outputs.items[0] == PPLNN_ABSENT ||
      run->graph->edge_bytes[edge] != run->graph->edge_bytes[node->outputs.items[0]])
    return PPLNN_NONE;
  return (size_t)edge;
}

static neap_status transfer_buffer(struct run *run, size_t from, size_t to, neap_error *error) {
  static const struct pplnn_handle none = PPLNN_NO_BUFFER;
  run->handles[to] = run->handles[from];
  run->handles[from] = none;
  run->exists[to] = true;
  return report_event(run, (struct pplnn_event){PPLNN_TRANSFER, to, 0, run->handles[to], from},
                      error);
}

static neap_status make_outputs(struct run *run, size_t n, neap_error *error) {
  const struct pplnn_node *node = &run->graph->nodes[n];
  size_t from = source_of(run, n);
  neap_status status = NEAP_OK;
  for (size_t o = 0; o < node->outputs.count && status == NEAP_OK; o++) {
    if (node->outputs.items[o] == PPLNN_ABSENT) continue;
    size_t edge = (size_t)node->outputs.items[o];
    if (o == 0 && from != PPLNN_NONE) status = transfer_buffer(run, from, edge, error);
    else status = allocate_edge(run, edge, error);
  }
  return status;
}

static neap_status use_temporary(struct run *run, size_t n, neap_error *error) {
  neap_size bytes = run->graph->nodes[n].temporary;
  struct pplnn_handle handle = PPLNN_NO_BUFFER;
  if (bytes == 0) return NEAP_OK;
  neap_status status = pplnn_realloc(run->manager, bytes, &handle, error);
  if (status == NEAP_OK)
    status = report_event(run, (struct pplnn_event){PPLNN_TEMPORARY_ALLOC, n, bytes, handle, 0},
                          error);
  if (status == NEAP_OK) status = pplnn_free(run->manager, &handle, error);
  if (status == NEAP_OK)
    status = report_event(run, (struct pplnn_event){PPLNN_TEMPORARY_FREE, n, bytes, handle, 0},
                          error);
  return status;
}

static neap_status release_edge(struct run *run, size_t edge, neap_error *error) {
  run->exists[edge] = false;
  if (!run->handles[edge].has_buffer) return NEAP_OK;
  neap_status status = pplnn_free(run->manager, &run->handles[edge], error);
  if (status != NEAP_OK) return status;
  return report_event(run, (struct pplnn_event){PPLNN_FREE, edge, 0, run->handles[edge], 0},
                      error);
}

static neap_status release_after(struct run *run, size_t n, neap_error *error) {
  const struct pplnn_node *node = &run->graph->nodes[n];
  const struct pplnn_edges lists[] = {node->inputs, node->extra_inputs, node->outputs};
  neap_status status = NEAP_OK;
  for (size_t l = 0; l < 3; l++)
    for (size_t i = 0; i < lists[l].count && status == NEAP_OK; i++) {
      int64_t edge = lists[l].items[i];
      if (edge != PPLNN_ABSENT && run->last_consumer[edge] == n && run->exists[edge])
        status = release_edge(run, (size_t)edge, error);
    }
  return status;
}

static neap_status run_nodes(struct run *run, const size_t *order, size_t count,
                             neap_error *error) {
  const struct pplnn_edges inputs = run->graph->inputs;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < inputs.count && status == NEAP_OK; i++)
    if (inputs.items[i] != PPLNN_ABSENT)
      status = allocate_edge(run, (size_t)inputs.items[i], error);
  for (size_t k = 0; k < count && status == NEAP_OK; k++) {
    status = make_outputs(run, order[k], error);
    if (status == NEAP_OK) status = use_temporary(run, order[k], error);
    if (status == NEAP_OK) status = release_after(run, order[k], error);
  }
  return status;
}

static void note_kept(struct run *run) {
  const struct pplnn_graph *graph = run->graph;
  const struct pplnn_edges *lists[] = {&graph->inputs, &graph->extra_inputs, &graph->constants,
                                       &graph->outputs, &graph->reserved};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
    for (size_t i = 0; i < lists[l]->count; i++)
      if (lists[l]->items[i] != PPLNN_ABSENT) run->is_kept[lists[l]->items[i]] = true;
}

neap_status pplnn_run(const struct pplnn_graph *graph, struct pplnn_manager *manager,
                      pplnn_observer *observer, void *user, neap_error *error) {
  static const struct pplnn_handle none = PPLNN_NO_BUFFER;
  struct run run = {.graph = graph, .manager = manager, .observer = observer, .user = user};
  size_t *order = memory_array(graph->node_count, sizeof *order), count;
  size_t *last_consumer = memory_array(graph->edge_count, sizeof *last_consumer);
  run.handles = memory_array(graph->edge_count, sizeof *run.handles);
  run.exists = memory_array(graph->edge_count, sizeof *run.exists);
  run.is_kept = memory_array(graph->edge_count, sizeof *run.is_kept);
  neap_status status = NEAP_OK;
  if (!order || !last_consumer || !run.handles || !run.exists || !run.is_kept)
    status = error_memory(error);
  if (status == NEAP_OK) status = pplnn_schedule(graph, order, &count, last_consumer, error);
  if (status == NEAP_OK) {
    for (size_t e = 0; e < graph->edge_count; e++)
      run.handles[e] = none;
    note_kept(&run);
    run.last_consumer = last_consumer;
    status = run_nodes(&run, order, count, error);
  }
  free(order);
  free(last_consumer);
  free(run.handles);
  free(run.exists);
  free(run.is_kept);
  return status;
}
