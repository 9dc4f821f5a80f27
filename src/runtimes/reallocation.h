/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which tensors can share memory in every valid order of the tasks: those where all readers of
 * one have finished before the other is made.
 */
#ifndef RUNTIMES_REALLOCATION_H
#define RUNTIMES_REALLOCATION_H

#include "core/budget.h"
#include "neap/neap.h"

/* The neighbours of every vertex, ascending: those of vertex v end at ends[v]. */
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
 * `dependencies` has an edge from tensor x to tensor y for each operation that reads x and
 * writes y. NEAP_ERROR_INPUT if an edge leads nowhere; NEAP_NO_PLAN if the budget is spent. O(V
 * * outdegree * (V + E)) time, O(V^2) memory; one tick per vertex visited.
 */
neap_status reallocation_init(struct reallocation *made, const struct adjacency *dependencies,
                              struct budget *budget, neap_error *error);
void reallocation_clear(struct reallocation *made);

/* Whether tensors a and b can share memory. O(log n). */
bool reallocation_has(const struct reallocation *graph, size_t a, size_t b);

#endif
