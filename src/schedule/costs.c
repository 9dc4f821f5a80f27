/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "schedule/costs.h"

#define NONE SIZE_MAX

/* ---------------------------------------------------------------- lists */

struct pair {
  size_t owner, item;
};

struct pairs {
  struct pair *items;
  size_t count, capacity;
};

static bool add(struct pairs *pairs, size_t owner, size_t item) {
  if (!memory_reserve(&pairs->items, &pairs->capacity, pairs->count + 1, sizeof *pairs->items))
    return false;
  pairs->items[pairs->count++] = (struct pair){owner, item};
  return true;
}

static int by_owner(const void *left, const void *right) {
  const struct pair *a = left, *b = right;
  if (a->owner != b->owner) return a->owner < b->owner ? -1 : 1;
  return a->item < b->item ? -1 : a->item > b->item;
}

/* Sorts the pairs and removes duplicates. */
static void make_unique(struct pairs *pairs) {
  size_t kept = 0;
  if (pairs->count > 0) qsort(pairs->items, pairs->count, sizeof *pairs->items, by_owner);
  for (size_t p = 0; p < pairs->count; p++)
    if (kept == 0 || by_owner(&pairs->items[kept - 1], &pairs->items[p]) != 0)
      pairs->items[kept++] = pairs->items[p];
  pairs->count = kept;
}

static bool list(struct schedule_lists *lists, size_t owners, struct pairs *pairs) {
  make_unique(pairs);
  lists->ends = memory_array(owners, sizeof *lists->ends);
  lists->items = memory_array(pairs->count, sizeof *lists->items);
  if (!lists->ends || !lists->items) return false;
  for (size_t p = 0; p < pairs->count; p++) {
    lists->ends[pairs->items[p].owner]++;
    lists->items[p] = pairs->items[p].item;
  }
  for (size_t k = 1; k < owners; k++)
    lists->ends[k] += lists->ends[k - 1];
  return true;
}

static void turn(struct pairs *pairs) {
  for (size_t p = 0; p < pairs->count; p++)
    pairs->items[p] = (struct pair){pairs->items[p].item, pairs->items[p].owner};
}

/* ---------------------------------------------------------------- what comes before what */

struct walk {
  const struct neap_graph *graph;
  const neap_liveness *options;
  struct schedule *schedule;
  size_t *maker;   /* per tensor */
  size_t *touched; /* per tensor whose users keep their order: the last of them */
  bool *is_chained;
  struct pairs befores, inputs;
  size_t barrier, silent; /* the last of each kind, or NONE */
};

/* Operators that read a variable may write it, and those without outputs have side effects. */
static void find_chained(struct walk *walk) {
  const struct neap_graph *graph = walk->graph;
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    walk->maker[t] = walk->touched[t] = NONE;
    walk->is_chained[t] = graph->tensors[t].kind == NEAP_TENSOR_VARIABLE;
  }
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    if (node->outputs.begin < node->outputs.end) continue;
    for (size_t i = node->inputs.begin; i < node->inputs.end; i++)
      walk->is_chained[graph->links[i]] = true;
  }
}

static bool come_after(struct walk *walk, size_t k, size_t before) {
  return before == NONE || before == k || add(&walk->befores, k, before);
}

static bool touch(struct walk *walk, size_t k, size_t tensor) {
  if (!walk->is_chained[tensor]) return true;
  size_t before = walk->touched[tensor];
  walk->touched[tensor] = k;
  return come_after(walk, k, before);
}

/* No operator may move across one without inputs and outputs. */
static bool keep_barriers(struct walk *walk, size_t k) {
  const struct graph_operator *node = &walk->graph->operators[k];
  bool has_outputs = node->outputs.begin < node->outputs.end;
  if (!come_after(walk, k, walk->barrier)) return false;
  if (has_outputs) return true;
  if (!come_after(walk, k, walk->silent)) return false;
  walk->silent = k;
  if (node->inputs.begin < node->inputs.end) return true;
  for (size_t before = walk->barrier == NONE ? 0 : walk->barrier + 1; before < k; before++)
    if (!come_after(walk, k, before)) return false;
  walk->barrier = k;
  return true;
}

/* ---------------------------------------------------------------- bytes */

static bool read(struct walk *walk, size_t k, size_t tensor) {
  return come_after(walk, k, walk->maker[tensor]) && touch(walk, k, tensor) &&
         (walk->schedule->sizes[tensor] == 0 ||
          graph_stays(walk->graph, walk->options, tensor) || add(&walk->inputs, k, tensor));
}

static bool is_at_start(const neap_tensor *tensor) {
  return tensor->is_input || tensor->kind == NEAP_TENSOR_VARIABLE;
}

/* Tensors that exist from the start are alive already. */
static bool make(struct walk *walk, size_t k, size_t tensor) {
  walk->maker[tensor] = k;
  if (!is_at_start(&walk->graph->tensors[tensor]))
    walk->schedule->made[k] += walk->schedule->sizes[tensor];
  return touch(walk, k, tensor);
}

static bool walk_operator(struct walk *walk, size_t k) {
  const struct graph_operator *node = &walk->graph->operators[k];
  const size_t *links = walk->graph->links;
  for (size_t i = node->inputs.begin; i < node->inputs.end; i++)
    if (!read(walk, k, links[i])) return false;
  for (size_t i = node->outputs.begin; i < node->outputs.end; i++)
    if (!make(walk, k, links[i])) return false;
  for (size_t i = node->temporaries.begin; i < node->temporaries.end; i++)
    if (!make(walk, k, links[i])) return false;
  return keep_barriers(walk, k);
}

static void find_sizes(struct walk *walk) {
  struct schedule *schedule = walk->schedule;
  for (size_t t = 0; t < graph_tensor_count(walk->graph); t++) {
    const neap_tensor *info = &walk->graph->tensors[t];
    schedule->sizes[t] = graph_is_planned(walk->graph, walk->options, t) ? info->bytes : 0;
    if (is_at_start(info)) schedule->at_start += schedule->sizes[t];
  }
}

/*
 * A tensor that does not stay and is never read ends with the operator that makes it.  An input that
 * is never read ends with the first operator, whichever that is.
 */
static void find_dropped(struct walk *walk) {
  struct schedule *schedule = walk->schedule;
  for (size_t t = 0; t < graph_tensor_count(walk->graph); t++) {
    if (graph_stays(walk->graph, walk->options, t) ||
        schedule_begin(&schedule->readers, t) < schedule->readers.ends[t])
      continue;
    if (walk->maker[t] != NONE) schedule->dropped[walk->maker[t]] += schedule->sizes[t];
    else if (is_at_start(&walk->graph->tensors[t])) schedule->unread += schedule->sizes[t];
  }
}

/* ---------------------------------------------------------------- the whole */

static bool list_edges(struct schedule *schedule) {
  schedule->edge_count = schedule_begin(&schedule->befores, schedule->count);
  schedule->edges = memory_array(schedule->edge_count, sizeof *schedule->edges);
  if (!schedule->edges) return false;
  for (size_t k = 0; k < schedule->count; k++)
    for (size_t i = schedule_begin(&schedule->befores, k); i < schedule->befores.ends[k]; i++)
      schedule->edges[i] = (struct topology_edge){schedule->befores.items[i], k};
  return true;
}

static bool fill(struct walk *walk) {
  struct schedule *schedule = walk->schedule;
  size_t tensors = graph_tensor_count(walk->graph), count = schedule->count;
  find_sizes(walk);
  find_chained(walk);
  for (size_t k = 0; k < count; k++)
    if (!walk_operator(walk, k)) return false;
  if (!list(&schedule->befores, count, &walk->befores)) return false;
  turn(&walk->befores);
  if (!list(&schedule->afters, count, &walk->befores) ||
      !list(&schedule->inputs, count, &walk->inputs))
    return false;
  turn(&walk->inputs);
  if (!list(&schedule->readers, tensors, &walk->inputs)) return false;
  find_dropped(walk);
  return list_edges(schedule);
}

neap_status schedule_init(struct schedule *schedule, const struct neap_graph *graph,
                          const neap_liveness *options, neap_error *error) {
  size_t tensors = graph_tensor_count(graph), count = graph->operator_count;
  struct walk walk = {.graph = graph,
                      .options = options,
                      .schedule = schedule,
                      .barrier = NONE,
                      .silent = NONE};
  schedule->count = count;
  schedule->sizes = memory_array(tensors, sizeof *schedule->sizes);
  schedule->made = memory_array(count, sizeof *schedule->made);
  schedule->dropped = memory_array(count, sizeof *schedule->dropped);
  walk.maker = memory_array(tensors, sizeof *walk.maker);
  walk.touched = memory_array(tensors, sizeof *walk.touched);
  walk.is_chained = memory_array(tensors, sizeof *walk.is_chained);
  bool is_done = schedule->sizes && schedule->made && schedule->dropped && walk.maker &&
                 walk.touched && walk.is_chained && fill(&walk);
  free(walk.maker);
  free(walk.touched);
  free(walk.is_chained);
  free(walk.befores.items);
  free(walk.inputs.items);
  return is_done ? NEAP_OK : error_memory(error);
}

void schedule_lists_clear(struct schedule_lists *lists) {
  free(lists->ends);
  free(lists->items);
}

void schedule_clear(struct schedule *schedule) {
  schedule_lists_clear(&schedule->befores);
  schedule_lists_clear(&schedule->afters);
  schedule_lists_clear(&schedule->inputs);
  schedule_lists_clear(&schedule->readers);
  free(schedule->sizes);
  free(schedule->made);
  free(schedule->dropped);
  free(schedule->edges);
}

/* ---------------------------------------------------------------- peaks */

void schedule_start(const struct schedule *schedule, size_t *left) {
  const struct schedule_lists *inputs = &schedule->inputs;
  for (size_t i = 0; i < schedule_begin(inputs, schedule->count); i++) {
    size_t tensor = inputs->items[i];
    left[tensor] = schedule->readers.ends[tensor] - schedule_begin(&schedule->readers, tensor);
  }
}

void schedule_pass(const struct schedule *schedule, size_t k, size_t *left, neap_size *live,
                   neap_size *peak) {
  const struct schedule_lists *inputs = &schedule->inputs;
  *live += schedule->made[k];
  if (*live > *peak) *peak = *live;
  *live -= schedule->dropped[k];
  for (size_t i = schedule_begin(inputs, k); i < inputs->ends[k]; i++)
    if (--left[inputs->items[i]] == 0) *live -= schedule->sizes[inputs->items[i]];
}

neap_size schedule_peak(const struct schedule *schedule, const size_t *order, size_t *left) {
  neap_size live = schedule->at_start, peak = live;
  schedule_start(schedule, left);
  for (size_t at = 0; at < schedule->count; at++) {
    schedule_pass(schedule, order[at], left, &live, &peak);
    if (at == 0) live -= schedule->unread;
  }
  return peak;
}

neap_size schedule_least(const struct schedule *schedule) {
  neap_size least = 0;
  for (size_t k = 0; k < schedule->count; k++) {
    neap_size bytes = schedule->made[k];
    for (size_t i = schedule_begin(&schedule->inputs, k); i < schedule->inputs.ends[k]; i++)
      bytes += schedule->sizes[schedule->inputs.items[i]];
    if (bytes > least) least = bytes;
  }
  return least;
}
