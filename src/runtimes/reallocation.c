/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The re-allocation graph of TensorFlow Lite's GPU delegate (doc/tflite-gpu.md, section 6). A
 * search from each tensor that is made from x counts how often other tensors are reached. The
 * tensors that all searches reach are made after all readers of x.
 */
#include "runtimes/tflite_gpu.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/memory.h"

struct pair {
  size_t from, to;
};

struct maker {
  const struct adjacency *dependencies;
  size_t *visits, *queue;
  size_t *seen; /* the last search that visited each vertex, from 1 */
  size_t searches;
  struct pair *pairs;
  size_t count, capacity;
  struct budget *budget;
};

/* Counts visits of everything reachable from `child`; false if the budget is spent. */
static bool visit_below(struct maker *maker, size_t child) {
  const struct adjacency *graph = maker->dependencies;
  size_t search = ++maker->searches, count = 0;
  maker->queue[count++] = child;
  maker->seen[child] = search;
  for (size_t at = 0; at < count; at++) {
    size_t vertex = maker->queue[at];
    assert(vertex < graph->count && count <= graph->count);
    if (!budget_tick(maker->budget)) return false;
    if (at > 0) maker->visits[vertex]++;
    for (size_t e = adjacency_begin(graph, vertex); e < graph->ends[vertex]; e++) {
      size_t next = graph->neighbours[e];
      if (maker->seen[next] == search) continue;
      maker->seen[next] = search;
      maker->queue[count++] = next;
    }
  }
  return true;
}

static bool add_pair(struct maker *maker, size_t from, size_t to) {
  if (!memory_reserve(&maker->pairs, &maker->capacity, maker->count + 2, sizeof *maker->pairs))
    return false;
  maker->pairs[maker->count++] = (struct pair){from, to};
  maker->pairs[maker->count++] = (struct pair){to, from};
  return true;
}

static bool find_pairs_of(struct maker *maker, size_t root) {
  const struct adjacency *graph = maker->dependencies;
  size_t begin = adjacency_begin(graph, root), degree = graph->ends[root] - begin;
  if (degree == 0) return true;
  for (size_t v = 0; v < graph->count; v++)
    maker->visits[v] = 0;
  for (size_t e = begin; e < graph->ends[root]; e++)
    if (!visit_below(maker, graph->neighbours[e])) return false;
  for (size_t v = 0; v < graph->count; v++)
    if (maker->visits[v] == degree && !add_pair(maker, root, v)) return false;
  return true;
}

static int by_vertices(const void *left, const void *right) {
  const struct pair *a = left, *b = right;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

static bool list_neighbours(struct adjacency *graph, struct maker *maker) {
  graph->count = maker->dependencies->count;
  graph->ends = memory_array(graph->count, sizeof *graph->ends);
  graph->neighbours = memory_array(maker->count, sizeof *graph->neighbours);
  if (!graph->ends || !graph->neighbours) return false;
  if (maker->count > 0) qsort(maker->pairs, maker->count, sizeof *maker->pairs, by_vertices);
  size_t at = 0;
  for (size_t v = 0; v < graph->count; v++) {
    for (; at < maker->count && maker->pairs[at].from == v; at++)
      graph->neighbours[at] = maker->pairs[at].to;
    graph->ends[v] = at;
  }
  assert(at == maker->count);
  return true;
}

static bool find_neighbours(struct maker *maker, struct adjacency *graph) {
  size_t count = maker->dependencies->count;
  maker->visits = memory_array(count, sizeof *maker->visits);
  maker->queue = memory_array(count, sizeof *maker->queue);
  maker->seen = memory_array(count, sizeof *maker->seen);
  if (!maker->visits || !maker->queue || !maker->seen) return false;
  for (size_t root = 0; root < count; root++)
    if (!find_pairs_of(maker, root)) return false;
  return list_neighbours(graph, maker);
}

neap_status reallocation_init(struct reallocation *made, const struct adjacency *dependencies,
                              struct budget *budget, neap_error *error) {
  *made = (struct reallocation){{0, NULL, NULL}};
  size_t edges = dependencies->count > 0 ? dependencies->ends[dependencies->count - 1] : 0;
  for (size_t e = 0; e < edges; e++)
    if (dependencies->neighbours[e] >= dependencies->count)
      return error_set(error, NEAP_ERROR_INPUT,
                       "dependency %zu: expected a tensor below %zu, found %zu", e,
                       dependencies->count, dependencies->neighbours[e]);
  struct maker maker = {.dependencies = dependencies, .budget = budget};
  bool good = find_neighbours(&maker, &made->graph);
  free(maker.visits);
  free(maker.queue);
  free(maker.seen);
  free(maker.pairs);
  if (good) return NEAP_OK;
  reallocation_clear(made);
  return budget->end == BUDGET_LEFT ? error_memory(error) : NEAP_NO_PLAN;
}

void reallocation_clear(struct reallocation *made) {
  free(made->graph.ends);
  free(made->graph.neighbours);
  made->graph = (struct adjacency){0, NULL, NULL};
}

bool reallocation_has(const struct reallocation *made, size_t a, size_t b) {
  const struct adjacency *graph = &made->graph;
  struct bisection search = bisection_of(adjacency_begin(graph, a), graph->ends[a]);
  while (bisection_open(&search))
    bisection_step(&search, graph->neighbours[search.middle] < b);
  return search.low < graph->ends[a] && graph->neighbours[search.low] == b;
}
