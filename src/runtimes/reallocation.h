/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which tensors may share memory whatever valid order the tasks run in: all readers of the one
 * have finished before the other is made.
 */
#ifndef RUNTIMES_REALLOCATION_H
#define RUNTIMES_REALLOCATION_H

#include "core/budget.h"
#include "neap/neap.h"

/* Neighbours of every vertex, ascending: of vertex v they end at ends[v]. */
struct adjacency {
  size_t count;
  size_t *ends, *neighbours;
};

struct reallocation {
  struct adjacency graph;
};

static inline size_t adjacency_begin(const struct adjacency *graph, size_t vertex) {
  return vertex == 0 ? 0 : graph->ends[vertex - 1];
}

/*
 * From the dependencies between tensors: an edge from x to y for each operation that reads x and
 * writes y.  NEAP_ERROR_INPUT when an edge leads nowhere; NEAP_NO_PLAN when the budget is at its
 * end.  O(V * outdegree * (V + E)) time, O(V^2) memory; a tick for each vertex visited.
 */
neap_status reallocation_init(struct reallocation *made, const struct adjacency *dependencies,
                              struct budget *budget, neap_error *error);
void reallocation_clear(struct reallocation *made);

/* O(log n). */
bool reallocation_has(const struct reallocation *graph, size_t a, size_t b);

#endif
