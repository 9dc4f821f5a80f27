/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kahn's method (A. B. Kahn, Topological sorting of large networks, 1962), with a heap of the nodes
 * that are ready.  O((nodes + edges) log nodes) time, O(nodes + edges) memory.
 */
#include "model/topology.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"

struct sorter {
  size_t count;
  const int64_t *keys;
  size_t *ends;    /* where each node's successors end */
  size_t *targets; /* successors, node by node */
  size_t *waits;   /* per node: predecessors not yet placed */
  size_t *before;  /* per node of a cycle: a predecessor that is not placed */
  struct heap ready;
};

/* Adds a node without unplaced predecessors; there is room for all nodes. */
static void add_ready(struct sorter *sorter, size_t node) {
  bool added = heap_push_id(&sorter->ready, sorter->keys[node], node);
  assert(added);
  (void)added;
}

static size_t successors_begin(const struct sorter *sorter, size_t node) {
  return node == 0 ? 0 : sorter->ends[node - 1];
}

/* Lists each node's successors in the order of the edges. */
static void list_successors(struct sorter *sorter, const struct topology_edge *edges,
                            size_t edge_count) {
  for (size_t e = 0; e < edge_count; e++) {
    sorter->ends[edges[e].from]++;
    sorter->waits[edges[e].to]++;
  }
  for (size_t n = 1; n < sorter->count; n++)
    sorter->ends[n] += sorter->ends[n - 1];
  for (size_t e = edge_count; e-- > 0;)
    sorter->targets[--sorter->ends[edges[e].from]] = edges[e].to;
  /* The ends now are where the runs begin, so they are restored. */
  for (size_t n = 0; n + 1 < sorter->count; n++)
    sorter->ends[n] = sorter->ends[n + 1];
  if (sorter->count > 0) sorter->ends[sorter->count - 1] = edge_count;
}

static size_t sort_nodes(struct sorter *sorter, size_t *order) {
  size_t sorted = 0;
  for (size_t n = 0; n < sorter->count; n++)
    if (sorter->waits[n] == 0) add_ready(sorter, n);
  while (sorter->ready.count > 0) {
    size_t node = order[sorted++] = heap_pop(&sorter->ready).id;
    for (size_t i = successors_begin(sorter, node); i < sorter->ends[node]; i++)
      if (--sorter->waits[sorter->targets[i]] == 0) add_ready(sorter, sorter->targets[i]);
  }
  assert(sorted <= sorter->count);
  return sorted;
}

/*
 * Every remaining node has a remaining predecessor, so walking back from any of them reaches a
 * cycle.
 */
static size_t find_cycle(struct sorter *sorter, size_t *cycle) {
  size_t *before = sorter->before, node = 0, length = 0;
  for (size_t n = 0; n < sorter->count; n++)
    if (sorter->waits[n] > 0)
      for (size_t i = successors_begin(sorter, n); i < sorter->ends[n]; i++)
        before[sorter->targets[i]] = n;
  while (sorter->waits[node] == 0)
    node++;
  for (size_t step = 0; step < sorter->count; step++)
    node = before[node];
  for (size_t at = before[node]; at != node; at = before[at])
    cycle[length++] = at;
  cycle[length++] = node;
  for (size_t low = 0, high = length - 1; low < high; low++, high--) {
    size_t kept = cycle[low];
    cycle[low] = cycle[high];
    cycle[high] = kept;
  }
  return length;
}

neap_status topology_sort(size_t count, const struct topology_edge *edges, size_t edge_count,
                          const int64_t *keys, size_t *order, size_t *sorted, size_t *cycle,
                          neap_error *error) {
  struct sorter sorter = {.count = count, .keys = keys};
  sorter.ends = memory_array(count, sizeof *sorter.ends);
  sorter.targets = memory_array(edge_count, sizeof *sorter.targets);
  sorter.waits = memory_array(count, sizeof *sorter.waits);
  sorter.before = memory_array(count, sizeof *sorter.before);
  bool has_room = sorter.ends && sorter.targets && sorter.waits && sorter.before &&
                  heap_reserve(&sorter.ready, count);
  *cycle = 0;
  if (has_room) {
    list_successors(&sorter, edges, edge_count);
    *sorted = sort_nodes(&sorter, order);
    if (*sorted < count) *cycle = find_cycle(&sorter, order + *sorted);
  }
  free(sorter.ends);
  free(sorter.targets);
  free(sorter.waits);
  free(sorter.before);
  heap_clear(&sorter.ready);
  return has_room ? NEAP_OK : error_memory(error);
}
