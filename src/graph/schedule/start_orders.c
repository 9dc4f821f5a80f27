/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule/schedule.h"

#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"

/* ---------------------------------------------------------------- depth first */

/*
 * Depth-first order, as in register allocation for expression trees: of an operator's
 * dependences, the one that needs the most memory in excess of its result comes first (R. Sethi
 * and J. D. Ullman, The generation of optimal code for arithmetic expressions, 1970).  This is
 * optimal for trees; in other graphs, a result that several operators read counts for each of
 * them.
 *
 * O((operators + dependences) log dependences).
 */

struct need {
  size_t k;
  neap_size beyond; /* the largest excess of memory needed over the result */
  neap_size made;
};

struct depth {
  const struct costs *costs;
  struct need *needs; /* per operator: its dependences, in the order of visits */
  neap_size *rooms;   /* per operator: the memory needed by it and its dependences */
  size_t *next;       /* per operator: the next dependence to visit */
  bool *is_visited;
  size_t *stack;
};

static int by_beyond(const void *left, const void *right) {
  const struct need *a = left, *b = right;
  if (a->beyond != b->beyond) return a->beyond > b->beyond ? -1 : 1;
  return a->k < b->k ? -1 : a->k > b->k;
}

/* Saturates: counting shared results repeatedly can overflow. */
static neap_size add_saturated(neap_size a, neap_size b) {
  neap_size sum;
  return checked_add(a, b, &sum) ? sum : NEAP_MAX;
}

/* The dependences' rooms are known, because operators are numbered in a topological order. */
static void find_room(struct depth *depth, size_t k) {
  const struct costs_lists *befores = &depth->costs->befores;
  size_t begin = costs_begin(befores, k), end = befores->ends[k];
  neap_size kept = 0, room = 0;
  for (size_t i = begin; i < end; i++) {
    size_t before = befores->items[i];
    neap_size made = depth->costs->made[before];
    assert(before < k && depth->rooms[before] >= made);
    depth->needs[i] = (struct need){before, depth->rooms[before] - made, made};
  }
  if (end > begin) qsort(depth->needs + begin, end - begin, sizeof *depth->needs, by_beyond);
  for (size_t i = begin; i < end; i++) {
    neap_size while_making =
        add_saturated(kept, add_saturated(depth->needs[i].beyond, depth->needs[i].made));
    if (while_making > room) room = while_making;
    kept = add_saturated(kept, depth->needs[i].made);
  }
  neap_size own = add_saturated(kept, depth->costs->made[k]);
  depth->rooms[k] = own > room ? own : room;
  depth->next[k] = begin;
}

/* Appends k, preceded by every operator that it depends on. */
static void append_with_needs(struct depth *depth, size_t k, size_t *order, size_t *count) {
  size_t height = 0;
  if (depth->is_visited[k]) return;
  depth->is_visited[k] = true;
  depth->stack[height++] = k;
  while (height > 0) {
    size_t top = depth->stack[height - 1];
    if (depth->next[top] == depth->costs->befores.ends[top]) {
      order[(*count)++] = top;
      height--;
      continue;
    }
    size_t before = depth->needs[depth->next[top]++].k;
    if (depth->is_visited[before]) continue;
    depth->is_visited[before] = true;
    depth->stack[height++] = before;
  }
}

static void fill_order(struct depth *depth, size_t *order) {
  const struct costs *costs = depth->costs;
  size_t count = 0;
  for (size_t k = 0; k < costs->count; k++)
    find_room(depth, k);
  for (size_t k = 0; k < costs->count; k++)
    if (costs_begin(&costs->afters, k) == costs->afters.ends[k])
      append_with_needs(depth, k, order, &count);
  assert(count == costs->count);
}

neap_status depth_first_order(const struct costs *costs, size_t *order, neap_error *error) {
  struct depth depth = {.costs = costs};
  depth.needs = memory_array(costs->edge_count, sizeof *depth.needs);
  depth.rooms = memory_array(costs->count, sizeof *depth.rooms);
  depth.next = memory_array(costs->count, sizeof *depth.next);
  depth.is_visited = memory_array(costs->count, sizeof *depth.is_visited);
  depth.stack = memory_array(costs->count, sizeof *depth.stack);
  bool has_room = depth.needs && depth.rooms && depth.next && depth.is_visited && depth.stack;
  if (has_room) fill_order(&depth, order);
  free(depth.needs);
  free(depth.rooms);
  free(depth.next);
  free(depth.is_visited);
  free(depth.stack);
  return has_room ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- latest first */

/*
 * Appends the latest operator that can run, until all have run; `waits` counts the dependences
 * of each that have not run.
 */
static void run_latest(const struct costs *costs, struct heap *ready, size_t *waits,
                       size_t *order) {
  const struct costs_lists *befores = &costs->befores, *afters = &costs->afters;
  for (size_t k = 0; k < costs->count; k++) {
    waits[k] = befores->ends[k] - costs_begin(befores, k);
    if (waits[k] == 0) heap_push_id(ready, -(int64_t)k, k);
  }
  for (size_t at = 0; at < costs->count; at++) {
    size_t k = order[at] = heap_pop(ready).id;
    for (size_t i = costs_begin(afters, k); i < afters->ends[k]; i++)
      if (--waits[afters->items[i]] == 0)
        heap_push_id(ready, -(int64_t)afters->items[i], afters->items[i]);
  }
}

neap_status latest_first_order(const struct costs *costs, size_t *order, neap_error *error) {
  struct heap ready = {.count = 0};
  size_t *waits = memory_array(costs->count, sizeof *waits);
  bool has_room = heap_reserve(&ready, costs->count) && waits;
  if (has_room) run_latest(costs, &ready, waits, order);
  heap_clear(&ready);
  free(waits);
  return has_room ? NEAP_OK : error_memory(error);
}
