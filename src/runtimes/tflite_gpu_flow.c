/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's GPU delegate: assignment by minimum-cost flow (doc/tflite-gpu.md, 4.10).
 *
 * Every record has a left vertex, which passes its memory on, and a right vertex, which needs
 * memory. A unit of flow from the source gives memory to one record:
 *
 *     source ──► left a ──► right b ──► sink      b takes over from a, for the bytes it lacks
 *     source ─────────────► right b ──► sink      b gets a new object, for its size
 *
 * Shortest paths are found in rounds, in the manner of Bellman and Ford, taking the edges of each
 * vertex in the order in which they were added. That order decides ties, so it is part of the
 * result. The network has O(n^2) edges, and each of its n augmenting paths takes at least that
 * long. With many records, runtimes/reuse finds a flow of the same cost without edges.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"
#include "runtimes/tflite_gpu.h"

#define NONE UINT32_MAX

/*
 * An edge. The reverse of an even edge is the next one; that of an odd edge is the one before.
 */
struct edge {
  uint32_t to, next; /* next: the next edge of the same vertex, or NONE */
  bool has_room;
  neap_size cost;
};

struct flow {
  const struct records *records;
  uint32_t count, source, sink, vertex_count;
  struct edge *edges;
  size_t edge_count, edge_capacity;
  uint32_t *first, *last; /* edges of each vertex */
  neap_size *distance;
  uint32_t *via;            /* the edge through which each vertex was reached, or NONE */
  uint32_t *queue, *coming; /* vertices of this round and of the next */
  bool *is_coming;
  bool out_of_memory;
};

/* ---------------------------------------------------------------- building */

static void append_edge(struct flow *flow, uint32_t from, uint32_t to, neap_size cost,
                        bool room) {
  uint32_t edge = (uint32_t)flow->edge_count++;
  flow->edges[edge] = (struct edge){to, NONE, room, cost};
  if (flow->first[from] == NONE) flow->first[from] = edge;
  else flow->edges[flow->last[from]].next = edge;
  flow->last[from] = edge;
}

static void connect_vertices(struct flow *flow, uint32_t from, uint32_t to, neap_size cost) {
  if (flow->out_of_memory || !memory_reserve(&flow->edges, &flow->edge_capacity,
                                             flow->edge_count + 2, sizeof *flow->edges)) {
    flow->out_of_memory = true;
    return;
  }
  append_edge(flow, from, to, cost, true);
  append_edge(flow, to, from, -cost, false);
}

static void connect_record(struct flow *flow, uint32_t i, const size_t *old, size_t old_count) {
  const struct record *items = flow->records->items;
  uint32_t right = flow->count + i;
  connect_vertices(flow, flow->source, i, 0);
  connect_vertices(flow, right, flow->sink, 0);
  connect_vertices(flow, flow->source, right, items[i].size);
  for (size_t j = 0; j < old_count; j++) {
    neap_size missing = items[i].size - items[old[j]].size;
    connect_vertices(flow, (uint32_t)old[j], right, missing > 0 ? missing : 0);
  }
}

static bool build_network(struct flow *flow) {
  struct heap alive = {0};
  size_t *old = memory_array(flow->count, sizeof *old), old_count = 0;
  flow->out_of_memory = !old;
  for (uint32_t i = 0; i < flow->count && !flow->out_of_memory; i++) {
    const struct record *record = &flow->records->items[i];
    while (heap_pop_below(&alive, record->first, &old[old_count]))
      old_count++;
    connect_record(flow, i, old, old_count);
    if (!heap_push_id(&alive, record->last, i)) flow->out_of_memory = true;
  }
  heap_clear(&alive);
  free(old);
  return !flow->out_of_memory;
}

/* ---------------------------------------------------------------- shortest paths */

static bool is_nearer(const struct flow *flow, uint32_t vertex, neap_size distance) {
  if (flow->via[vertex] == NONE && vertex != flow->source) return true;
  return distance < flow->distance[vertex];
}

/* No path costs more than the sum of all sizes, so a path whose cost overflows is not taken. */
static size_t relax_edges(struct flow *flow, uint32_t vertex, size_t coming) {
  for (uint32_t e = flow->first[vertex]; e != NONE; e = flow->edges[e].next) {
    const struct edge *edge = &flow->edges[e];
    neap_size distance;
    if (!edge->has_room || !checked_add(flow->distance[vertex], edge->cost, &distance) ||
        !is_nearer(flow, edge->to, distance))
      continue;
    flow->distance[edge->to] = distance;
    flow->via[edge->to] = e;
    if (flow->is_coming[edge->to]) continue;
    flow->is_coming[edge->to] = true;
    flow->coming[coming++] = edge->to;
  }
  return coming;
}

/* False if the sink is unreachable or the budget is spent. */
static bool find_path(struct flow *flow, struct budget *budget) {
  for (uint32_t v = 0; v < flow->vertex_count; v++)
    flow->via[v] = NONE;
  flow->distance[flow->source] = 0;
  flow->queue[0] = flow->source;
  for (size_t count = 1, coming = 0; count > 0; count = coming, coming = 0) {
    for (size_t q = 0; q < count; q++) {
      if (!budget_tick(budget)) return false;
      coming = relax_edges(flow, flow->queue[q], coming);
    }
    uint32_t *swap = flow->queue;
    flow->queue = flow->coming;
    flow->coming = swap;
    for (size_t q = 0; q < coming; q++)
      flow->is_coming[flow->queue[q]] = false;
  }
  return flow->via[flow->sink] != NONE;
}

static void augment_path(struct flow *flow) {
  for (uint32_t at = flow->sink; at != flow->source;) {
    uint32_t edge = flow->via[at];
    assert(edge != NONE && flow->edges[edge].has_room && flow->edges[edge].to == at);
    flow->edges[edge].has_room = false;
    flow->edges[edge ^ 1].has_room = true;
    at = flow->edges[edge ^ 1].to;
  }
}

/* ---------------------------------------------------------------- reading it out */

/* The record that reuses the memory of this one, or NONE. */
static uint32_t heir_of(const struct flow *flow, uint32_t record, const bool *assigned) {
  for (uint32_t e = flow->first[record]; e != NONE; e = flow->edges[e].next) {
    const struct edge *edge = &flow->edges[e];
    if (e % 2 != 0 || edge->has_room || edge->to < flow->count || edge->to >= flow->source)
      continue;
    if (!assigned[edge->to - flow->count]) return edge->to - flow->count;
  }
  return NONE;
}

static bool read_objects(const struct flow *flow, struct objects *objects, bool *assigned) {
  const struct record *items = flow->records->items;
  for (uint32_t e = flow->first[flow->source]; e != NONE; e = flow->edges[e].next) {
    const struct edge *edge = &flow->edges[e];
    if (edge->has_room || edge->to < flow->count) continue;
    uint32_t record = edge->to - flow->count;
    if (!objects_add(objects, record, items[record].size)) return false;
    for (size_t object = objects->count - 1; record != NONE;
         record = heir_of(flow, record, assigned)) {
      assert(!assigned[record]);
      assigned[record] = true;
      objects_assign(objects, record, object, items[record].size);
    }
  }
  return true;
}

/* ---------------------------------------------------------------- the whole */

static bool flow_init(struct flow *flow) {
  flow->count = (uint32_t)flow->records->count;
  flow->source = 2 * flow->count;
  flow->sink = flow->source + 1;
  flow->vertex_count = flow->sink + 1;
  size_t vertices = flow->vertex_count;
  flow->first = memory_array(vertices, sizeof *flow->first);
  flow->last = memory_array(vertices, sizeof *flow->last);
  flow->distance = memory_array(vertices, sizeof *flow->distance);
  flow->via = memory_array(vertices, sizeof *flow->via);
  flow->queue = memory_array(vertices, sizeof *flow->queue);
  flow->coming = memory_array(vertices, sizeof *flow->coming);
  flow->is_coming = memory_array(vertices, sizeof *flow->is_coming);
  if (!flow->first || !flow->last || !flow->distance || !flow->via || !flow->queue ||
      !flow->coming || !flow->is_coming)
    return false;
  for (size_t v = 0; v < vertices; v++)
    flow->first[v] = NONE;
  return build_network(flow);
}

static void flow_clear(struct flow *flow) {
  free(flow->edges);
  free(flow->first);
  free(flow->last);
  free(flow->distance);
  free(flow->via);
  free(flow->queue);
  free(flow->coming);
  free(flow->is_coming);
}

static neap_status solve_flow(struct flow *flow, struct objects *objects, struct budget *budget,
                              neap_error *error) {
  bool *assigned = memory_array(flow->records->count, sizeof *assigned);
  if (!assigned || !flow_init(flow) || !objects_init(objects, flow->records->count)) {
    free(assigned);
    return error_memory(error);
  }
  while (find_path(flow, budget))
    augment_path(flow);
  neap_status status = budget->end == BUDGET_LEFT ? NEAP_OK : NEAP_NO_PLAN;
  if (status == NEAP_OK && !read_objects(flow, objects, assigned)) status = error_memory(error);
  free(assigned);
  return status;
}

/* ---------------------------------------------------------------- many records */

/* Assigns an object to every chain of sources; records come after their sources. */
static bool follow_sources(const struct records *records, const uint32_t *source,
                           struct objects *objects) {
  if (!objects_init(objects, records->count)) return false;
  for (size_t i = 0; i < records->count; i++) {
    neap_size size = records->items[i].size;
    assert(source[i] == REUSE_NONE || source[i] < i);
    if (source[i] != REUSE_NONE) objects_assign(objects, i, objects->of[source[i]], size);
    else if (!objects_add(objects, i, size)) return false;
  }
  return true;
}

static neap_status solve_assignment(const struct records *records, struct objects *objects,
                                    struct budget *budget, neap_error *error) {
  uint32_t *source = memory_array(records->count, sizeof *source);
  if (!source) return error_memory(error);
  neap_status status = reuse_cheapest(records, source, budget, error);
  if (status == NEAP_OK && !follow_sources(records, source, objects))
    status = error_memory(error);
  free(source);
  return status;
}

neap_status gpu_min_cost_flow(const struct records *records, struct objects *objects,
                              struct budget *budget, neap_error *error) {
  neap_status status = records_check(records, RECORDS_BY_FIRST, error);
  if (status != NEAP_OK) return status;
  if (records->count > GPU_FLOW_EXACT) return solve_assignment(records, objects, budget, error);
  struct flow flow = {.records = records};
  status = solve_flow(&flow, objects, budget, error);
  flow_clear(&flow);
  return status;
}
