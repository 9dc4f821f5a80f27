/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's GPU delegate: greedy in execution order (doc/tflite-gpu.md, 4.4 and 4.5).
 * Before each record, the objects whose record has ended go to a pool, ordered by size; the
 * record takes the one closest in size. O(n log n), plus moving entries of the pool. If
 * operators may run in parallel, the end of a record is not enough, and the pool is searched for
 * an object that the re-allocation graph allows: O(n o log n).
 */
#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"
#include "runtimes/sorted.h"
#include "runtimes/tflite_gpu.h"

struct in_order {
  const struct records *records;
  const struct reallocation *graph; /* or NULL */
  struct objects *objects;
  struct heap in_use;
  struct sorted pool; /* free objects by size, then id */
  size_t *user;       /* with a graph: the last record that used each object */
};

#define NONE SIZE_MAX

/* The entry closest in size; the larger one of two equally close ones. */
static size_t nearest_in_size(const struct sorted *pool, neap_size size) {
  size_t above = sorted_find(pool, size, 0);
  if (above == 0) return pool->count > 0 ? 0 : NONE;
  /* The last of several equal sizes: the one with the largest id. */
  size_t below = above - 1;
  if (above == pool->count) return below;
  neap_size waste = pool->items[above].key - size, growth = size - pool->items[below].key;
  assert(waste >= 0 && growth > 0);
  return growth < waste ? below : above;
}

/* The entry closest in size among those that the reallocation graph allows. */
static size_t nearest_neighbour(const struct in_order *state, size_t record) {
  const struct sorted *pool = &state->pool;
  neap_size size = state->records->items[record].size, least = NEAP_MAX;
  size_t best = NONE;
  for (size_t at = 0; at < pool->count; at++) {
    neap_size key = pool->items[at].key, distance = key > size ? key - size : size - key;
    if (distance >= least && best != NONE) continue;
    if (!reallocation_has(state->graph, record, state->user[pool->items[at].id])) continue;
    least = distance;
    best = at;
  }
  return best;
}

static bool release_before(struct in_order *state, neap_time now) {
  size_t object;
  while (heap_pop_below(&state->in_use, now, &object))
    if (!sorted_add(&state->pool,
                    (struct sorted_entry){state->objects->sizes[object], object, object}))
      return false;
  return true;
}

static bool assign_object(struct in_order *state, size_t i) {
  const struct record *record = &state->records->items[i];
  struct objects *objects = state->objects;
  if (!release_before(state, record->first)) return false;
  size_t at =
      state->graph ? nearest_neighbour(state, i) : nearest_in_size(&state->pool, record->size);
  if (at != NONE) objects_assign(objects, i, sorted_take(&state->pool, at).id, record->size);
  else if (!objects_add(objects, i, record->size)) return false;
  if (state->user) state->user[objects->of[i]] = i;
  return heap_push_id(&state->in_use, record->last, objects->of[i]);
}

static neap_status assign_all(struct in_order *state, struct budget *budget,
                              neap_error *error) {
  for (size_t i = 0; i < state->records->count; i++) {
    if (!budget_tick(budget)) return NEAP_NO_PLAN;
    if (!assign_object(state, i)) return error_memory(error);
  }
  return NEAP_OK;
}

neap_status gpu_greedy_in_order_parallel(const struct records *records,
                                         const struct reallocation *graph,
                                         struct objects *objects, struct budget *budget,
                                         neap_error *error) {
  neap_status status = records_check(records, RECORDS_BY_FIRST, error);
  if (status != NEAP_OK) return status;
  struct in_order state = {.records = records, .graph = graph, .objects = objects};
  if (graph) {
    if (graph->graph.count != records->count)
      return error_set(error, NEAP_ERROR_INPUT,
                       "re-allocation graph: expected %zu tensors, found %zu", records->count,
                       graph->graph.count);
    state.user = memory_array(records->count, sizeof *state.user);
    if (!state.user) return error_memory(error);
  }
  if (!objects_init(objects, records->count)) status = error_memory(error);
  else status = assign_all(&state, budget, error);
  heap_clear(&state.in_use);
  sorted_clear(&state.pool);
  free(state.user);
  return status;
}

neap_status gpu_greedy_in_order(const struct records *records, struct objects *objects,
                                struct budget *budget, neap_error *error) {
  return gpu_greedy_in_order_parallel(records, NULL, objects, budget, error);
}
