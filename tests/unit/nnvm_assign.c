/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/unit/nnvm_assign.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

static int64_t next_id(const struct nnvm_graph *graph, const int64_t *storage) {
  int64_t next = 0;
  for (size_t e = 0; e < graph->entry_count; e++)
    if (storage[e] >= next) next = storage[e] + 1;
  return next;
}

static size_t producer_of(const struct nnvm_graph *graph, size_t entry) {
  struct bisection search = bisection_of(0, graph->node_count - 1);
  while (bisection_open(&search)) {
    const struct nnvm_node *node = &graph->nodes[search.middle];
    bisection_step(&search, node->first_entry + node->output_count <= entry);
  }
  return search.low;
}

/*
 * A collapsed assignment writes the variable when its second input is computed. That is wrong
 * if another node reads the variable between then and the assignment.
 */
static neap_status check_collapsed(const struct nnvm_graph *graph, size_t n,
                                   neap_error *error) {
  const struct nnvm_node *node = &graph->nodes[n];
  size_t from = producer_of(graph, node->inputs[1]);
  for (size_t other = from + 1; other < n; other++)
    for (size_t i = 0; i < graph->nodes[other].input_count; i++)
      if (graph->nodes[other].inputs[i] == node->inputs[0])
        return error_set(error, NEAP_ERROR_INPUT,
                         "node %zu: a collapsed assignment would overwrite the variable before "
                         "node %zu has read it",
                         n, other);
  return NEAP_OK;
}

neap_status nnvm_decorate(const struct nnvm_graph *graph, const enum nnvm_assign *assigns,
                          int64_t *storage, neap_error *error) {
  int64_t next = next_id(graph, storage);
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct nnvm_node *node = &graph->nodes[n];
    for (size_t o = 0; o < node->output_count; o++) {
      if (node->is_variable) storage[node->first_entry + o] = next++;
      else if (storage[node->first_entry + o] < 0)
        return error_set(
            error, NEAP_ERROR_INPUT,
            "node %zu: output %zu has no storage; only static graphs can be planned", n, o);
    }
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct nnvm_node *node = &graph->nodes[n];
    if (assigns[n] == NNVM_NO_ASSIGN) continue;
    if (node->input_count != 2)
      return error_set(error, NEAP_ERROR_INPUT,
                       "node %zu: expected an assignment to have two inputs, found %zu", n,
                       node->input_count);
    storage[node->first_entry] = storage[node->inputs[0]];
    if (assigns[n] != NNVM_ASSIGN_COLLAPSED) continue;
    neap_status status = check_collapsed(graph, n, error);
    if (status != NEAP_OK) return status;
    storage[node->inputs[1]] = storage[node->inputs[0]];
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the pool */

static neap_status grow_slot(const struct nnvm_graph *graph, size_t entry, neap_size *slot,
                             neap_error *error) {
  const struct nnvm_entry *info = &graph->entries[entry];
  int bits = info->type.bits * info->type.lanes;
  neap_size bytes;
  if (bits % 8 != 0 && bits != 1)
    return error_set(error, NEAP_ERROR_INPUT,
                     "entry %zu: expected elements of whole bytes or of one bit, found %d bits",
                     entry, bits);
  if (info->elements < 0 || !checked_mul(info->elements, (bits + 7) / 8, &bytes))
    return error_set(error, NEAP_ERROR_INPUT, "entry %zu: its size is unknown or too large",
                     entry);
  if (bytes > *slot) *slot = bytes;
  return NEAP_OK;
}

neap_status nnvm_pool(const struct nnvm_graph *graph, const int64_t *storage, neap_size **bytes,
                      size_t *count, neap_error *error) {
  *count = (size_t)next_id(graph, storage);
  *bytes = memory_array(*count, sizeof **bytes);
  int *devices = memory_array(*count, sizeof *devices);
  bool *used = memory_array(*count, sizeof *used);
  neap_status status = *bytes && devices && used ? NEAP_OK : error_memory(error);
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct nnvm_node *node = &graph->nodes[n];
    for (size_t e = node->first_entry;
         e < node->first_entry + node->output_count && status == NEAP_OK; e++) {
      int64_t id = storage[e];
      if (id < 0) status = error_set(error, NEAP_ERROR_INPUT, "entry %zu has no storage", e);
      else if (used[id] && devices[id] != node->device)
        status = error_set(error, NEAP_ERROR_INPUT,
                           "storage %" PRId64 ": its entries are on devices %d and %d", id,
                           devices[id], node->device);
      else {
        used[id] = true;
        devices[id] = node->device;
        status = grow_slot(graph, e, &(*bytes)[id], error);
      }
    }
  }
  free(devices);
  free(used);
  if (status == NEAP_OK) return NEAP_OK;
  free(*bytes);
  *bytes = NULL;
  return status;
}
