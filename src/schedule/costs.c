/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which operators must run before which, and which bytes each one allocates and frees.
 *
 * An operator depends on the makers of its inputs.  Three kinds of operators also keep their given
 * order, because the graph does not show what passes between them: those that use one variable or
 * one input of an operator without outputs; those without outputs, which have side effects; and all
 * others on either side of an operator without inputs and outputs.
 *
 * The bytes alive after a set of operators depend only on the set: a tensor is alive if its maker
 * has run and not all of its readers have.  The searches (beam, improve) rely on this.
 *
 * O((links + dependences) log) time for sorting, O(links + dependences) memory.  A graph of n
 * operators without inputs and outputs has n * n / 2 dependences.
 */
#include "schedule/costs.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

#define NONE SIZE_MAX

/* ---------------------------------------------------------------- lists */

struct pair {
  size_t owner, item;
};

struct pairs {
  struct pair *items;
  size_t count, capacity;
};

static bool add_pair(struct pairs *pairs, size_t owner, size_t item) {
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

static bool list_pairs(struct costs_lists *lists, size_t owners, struct pairs *pairs) {
  make_unique(pairs);
  lists->ends = memory_array(owners, sizeof *lists->ends);
  lists->items = memory_array(pairs->count, sizeof *lists->items);
  if (!lists->ends || !lists->items) return false;
  for (size_t p = 0; p < pairs->count; p++) {
    assert(pairs->items[p].owner < owners);
    lists->ends[pairs->items[p].owner]++;
    lists->items[p] = pairs->items[p].item;
  }
  for (size_t k = 1; k < owners; k++)
    lists->ends[k] += lists->ends[k - 1];
  return true;
}

static void swap_pairs(struct pairs *pairs) {
  for (size_t p = 0; p < pairs->count; p++)
    pairs->items[p] = (struct pair){pairs->items[p].item, pairs->items[p].owner};
}

/* ---------------------------------------------------------------- what comes before what */

struct walk {
  const struct neap_graph *graph;
  const neap_liveness *options;
  struct costs *costs;
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

static bool add_before(struct walk *walk, size_t k, size_t before) {
  assert(before == NONE || before <= k);
  return before == NONE || before == k || add_pair(&walk->befores, k, before);
}

static bool keep_chain(struct walk *walk, size_t k, size_t tensor) {
  if (!walk->is_chained[tensor]) return true;
  size_t before = walk->touched[tensor];
  walk->touched[tensor] = k;
  return add_before(walk, k, before);
}

/* No operator may move across one without inputs and outputs. */
static bool keep_barriers(struct walk *walk, size_t k) {
  const struct graph_operator *node = &walk->graph->operators[k];
  bool has_outputs = node->outputs.begin < node->outputs.end;
  if (!add_before(walk, k, walk->barrier)) return false;
  if (has_outputs) return true;
  if (!add_before(walk, k, walk->silent)) return false;
  walk->silent = k;
  if (node->inputs.begin < node->inputs.end) return true;
  for (size_t before = walk->barrier == NONE ? 0 : walk->barrier + 1; before < k; before++)
    if (!add_before(walk, k, before)) return false;
  walk->barrier = k;
  return true;
}

/* ---------------------------------------------------------------- bytes */

static bool note_read(struct walk *walk, size_t k, size_t tensor) {
  return add_before(walk, k, walk->maker[tensor]) && keep_chain(walk, k, tensor) &&
         (walk->costs->sizes[tensor] == 0 || graph_stays(walk->graph, walk->options, tensor) ||
          add_pair(&walk->inputs, k, tensor));
}

static bool is_at_start(const neap_tensor *tensor) {
  return tensor->is_input || tensor->kind == NEAP_TENSOR_VARIABLE;
}

/* Tensors that exist from the start are alive already. */
static bool note_made(struct walk *walk, size_t k, size_t tensor) {
  walk->maker[tensor] = k;
  if (!is_at_start(&walk->graph->tensors[tensor]))
    walk->costs->made[k] += walk->costs->sizes[tensor];
  return keep_chain(walk, k, tensor);
}

static bool walk_operator(struct walk *walk, size_t k) {
  const struct graph_operator *node = &walk->graph->operators[k];
  const size_t *links = walk->graph->links;
  for (size_t i = node->inputs.begin; i < node->inputs.end; i++)
    if (!note_read(walk, k, links[i])) return false;
  for (size_t i = node->outputs.begin; i < node->outputs.end; i++)
    if (!note_made(walk, k, links[i])) return false;
  for (size_t i = node->temporaries.begin; i < node->temporaries.end; i++)
    if (!note_made(walk, k, links[i])) return false;
  return keep_barriers(walk, k);
}

static void find_sizes(struct walk *walk) {
  struct costs *costs = walk->costs;
  for (size_t t = 0; t < graph_tensor_count(walk->graph); t++) {
    const neap_tensor *info = &walk->graph->tensors[t];
    costs->sizes[t] = graph_is_planned(walk->graph, walk->options, t) ? info->bytes : 0;
    if (is_at_start(info)) costs->at_start += costs->sizes[t];
  }
}

/*
 * A tensor that does not stay and is never read ends with the operator that makes it.  An input that
 * is never read ends with the first operator, whichever that is.
 */
static void find_dropped(struct walk *walk) {
  struct costs *costs = walk->costs;
  for (size_t t = 0; t < graph_tensor_count(walk->graph); t++) {
    if (graph_stays(walk->graph, walk->options, t) ||
        costs_begin(&costs->readers, t) < costs->readers.ends[t])
      continue;
    if (walk->maker[t] != NONE) costs->dropped[walk->maker[t]] += costs->sizes[t];
    else if (is_at_start(&walk->graph->tensors[t])) costs->unread += costs->sizes[t];
  }
  assert(costs->unread <= costs->at_start);
}

/* ---------------------------------------------------------------- the whole */

static bool fill_costs(struct walk *walk) {
  struct costs *costs = walk->costs;
  size_t tensors = graph_tensor_count(walk->graph), count = costs->count;
  find_sizes(walk);
  find_chained(walk);
  for (size_t k = 0; k < count; k++)
    if (!walk_operator(walk, k)) return false;
  if (!list_pairs(&costs->befores, count, &walk->befores)) return false;
  swap_pairs(&walk->befores);
  if (!list_pairs(&costs->afters, count, &walk->befores) ||
      !list_pairs(&costs->inputs, count, &walk->inputs))
    return false;
  swap_pairs(&walk->inputs);
  if (!list_pairs(&costs->readers, tensors, &walk->inputs)) return false;
  find_dropped(walk);
  costs->edge_count = costs_begin(&costs->befores, count);
  return true;
}

neap_status costs_init(struct costs *costs, const struct neap_graph *graph,
                       const neap_liveness *options, neap_error *error) {
  size_t tensors = graph_tensor_count(graph), count = graph->operator_count;
  struct walk walk = {
      .graph = graph, .options = options, .costs = costs, .barrier = NONE, .silent = NONE};
  costs->count = count;
  costs->tensor_count = tensors;
  costs->sizes = memory_array(tensors, sizeof *costs->sizes);
  costs->made = memory_array(count, sizeof *costs->made);
  costs->dropped = memory_array(count, sizeof *costs->dropped);
  walk.maker = memory_array(tensors, sizeof *walk.maker);
  walk.touched = memory_array(tensors, sizeof *walk.touched);
  walk.is_chained = memory_array(tensors, sizeof *walk.is_chained);
  bool is_done = costs->sizes && costs->made && costs->dropped && walk.maker && walk.touched &&
                 walk.is_chained && fill_costs(&walk);
  free(walk.maker);
  free(walk.touched);
  free(walk.is_chained);
  free(walk.befores.items);
  free(walk.inputs.items);
  return is_done ? NEAP_OK : error_memory(error);
}

void costs_lists_clear(struct costs_lists *lists) {
  free(lists->ends);
  free(lists->items);
}

void costs_clear(struct costs *costs) {
  costs_lists_clear(&costs->befores);
  costs_lists_clear(&costs->afters);
  costs_lists_clear(&costs->inputs);
  costs_lists_clear(&costs->readers);
  free(costs->sizes);
  free(costs->made);
  free(costs->dropped);
}

/* ---------------------------------------------------------------- peaks */

void costs_start(const struct costs *costs, size_t *left) {
  const struct costs_lists *inputs = &costs->inputs;
  for (size_t i = 0; i < costs_begin(inputs, costs->count); i++) {
    size_t tensor = inputs->items[i];
    left[tensor] = costs->readers.ends[tensor] - costs_begin(&costs->readers, tensor);
  }
}

void costs_pass(const struct costs *costs, size_t k, size_t *left, neap_size *live,
                neap_size *peak) {
  const struct costs_lists *inputs = &costs->inputs;
  *live += costs->made[k];
  if (*live > *peak) *peak = *live;
  *live -= costs->dropped[k];
  for (size_t i = costs_begin(inputs, k); i < inputs->ends[k]; i++) {
    assert(left[inputs->items[i]] > 0);
    if (--left[inputs->items[i]] == 0) *live -= costs->sizes[inputs->items[i]];
  }
}

neap_size costs_peak(const struct costs *costs, const size_t *order, size_t *left) {
  neap_size live = costs->at_start, peak = live;
  costs_start(costs, left);
  for (size_t at = 0; at < costs->count; at++) {
    costs_pass(costs, order[at], left, &live, &peak);
    if (at == 0) live -= costs->unread;
    assert(live >= 0 && live <= peak);
  }
  return peak;
}

neap_size costs_least(const struct costs *costs) {
  neap_size least = 0;
  for (size_t k = 0; k < costs->count; k++) {
    neap_size bytes = costs->made[k];
    for (size_t i = costs_begin(&costs->inputs, k); i < costs->inputs.ends[k]; i++)
      bytes += costs->sizes[costs->inputs.items[i]];
    if (bytes > least) least = bytes;
  }
  return least;
}
