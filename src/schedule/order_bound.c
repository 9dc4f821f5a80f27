/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lower bound on the peak of every order, without a search.
 *
 * While operator k runs, its own tensors are alive in every order.  So is each tensor that exists
 * before k in every order (the graph starts with it, or k depends on its maker) and that is
 * needed later in every order (it stays, or k or something that depends on k reads it).  At the end
 * all tensors that stay are alive together.
 *
 * Tensors that may share bytes in place count once, with the fewest bytes of any of them.
 *
 * O(operators * (operators + dependences + links)) time.  If that exceeds WORK_MAX, only the tensors
 * of each operator count, and those alive at the end.
 */
#include "schedule/order_bound.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

#define NONE SIZE_MAX
#define WORK_MAX 100000000

/* When an operator runs, relative to the current one. */
enum side { EITHER, BEFORE, SELF, AFTER };

struct walk {
  const struct costs *costs;
  const struct neap_graph *graph;
  const neap_liveness *options;
  size_t tensor_count;
  size_t *maker;       /* per tensor, or NONE */
  size_t *group;       /* per tensor: a representative of those that may share its bytes */
  neap_size *sizes;    /* of each group */
  size_t *counted;     /* per group: one more than the operator for which it counted last */
  unsigned char *side; /* of each operator */
  size_t *stack;
};

/* ---------------------------------------------------------------- groups */

static size_t group_of(struct walk *walk, size_t tensor) {
  while (walk->group[tensor] != tensor)
    tensor = walk->group[tensor] = walk->group[walk->group[tensor]];
  return tensor;
}

/* The two tensors of a pair; false if their sizes differ, so that they never share. */
static bool may_share(const struct neap_graph *graph, const struct graph_operator *node,
                      const neap_in_place *pair, size_t *input, size_t *output) {
  *input = graph->links[node->inputs.begin + pair->input];
  *output = graph->links[node->outputs.begin + pair->output];
  return graph->tensors[*input].bytes == graph->tensors[*output].bytes;
}

static void find_groups(struct walk *walk, bool shared) {
  const struct neap_graph *graph = walk->graph;
  for (size_t t = 0; t < walk->tensor_count; t++)
    walk->group[t] = t;
  for (size_t k = 0; k < graph->operator_count && shared; k++) {
    const struct graph_operator *node = &graph->operators[k];
    for (size_t p = node->pairs_begin; p < node->pairs_end; p++) {
      size_t input, output;
      if (may_share(graph, node, &graph->pairs[p], &input, &output))
        walk->group[group_of(walk, input)] = group_of(walk, output);
    }
  }
  for (size_t t = 0; t < walk->tensor_count; t++)
    walk->sizes[t] = NEAP_MAX;
  for (size_t t = 0; t < walk->tensor_count; t++) {
    size_t group = group_of(walk, t);
    if (walk->costs->sizes[t] < walk->sizes[group]) walk->sizes[group] = walk->costs->sizes[t];
  }
}

/* ---------------------------------------------------------------- one operator */

/* Marks what `k` reaches through `lists`. */
static void mark_reached(struct walk *walk, size_t k, const struct costs_lists *lists,
                         enum side side) {
  size_t height = 0;
  walk->stack[height++] = k;
  while (height > 0) {
    size_t top = walk->stack[--height];
    for (size_t i = costs_begin(lists, top); i < lists->ends[top]; i++) {
      size_t next = lists->items[i];
      assert(walk->side[next] == EITHER || walk->side[next] == side); /* there is no cycle */
      if (walk->side[next] != EITHER) continue;
      walk->side[next] = (unsigned char)side;
      walk->stack[height++] = next;
      assert(height <= walk->costs->count);
    }
  }
}

static void find_sides(struct walk *walk, size_t k) {
  for (size_t i = 0; i < walk->costs->count; i++)
    walk->side[i] = EITHER;
  walk->side[k] = SELF;
  mark_reached(walk, k, &walk->costs->befores, BEFORE);
  mark_reached(walk, k, &walk->costs->afters, AFTER);
}

static bool starts_alive(const struct walk *walk, size_t tensor) {
  const neap_tensor *info = &walk->graph->tensors[tensor];
  return info->is_input || info->kind == NEAP_TENSOR_VARIABLE;
}

static bool stays_alive(const struct walk *walk, size_t tensor) {
  return graph_stays(walk->graph, walk->options, tensor);
}

static bool is_alive(const struct walk *walk, size_t tensor) {
  const struct costs_lists *readers = &walk->costs->readers;
  size_t maker = walk->maker[tensor];
  bool is_needed = stays_alive(walk, tensor), is_there = starts_alive(walk, tensor);
  if (maker != NONE && walk->side[maker] == SELF) return true;
  if (maker != NONE && walk->side[maker] == BEFORE) is_there = true;
  for (size_t r = costs_begin(readers, tensor); r < readers->ends[tensor]; r++) {
    enum side side = walk->side[readers->items[r]];
    if (side == SELF) return true;
    is_needed = is_needed || side == AFTER;
  }
  return is_there && is_needed;
}

/* Bytes of a tensor whose group has not counted at moment `at` yet. */
static neap_size count_group(struct walk *walk, size_t tensor, size_t at) {
  size_t group = group_of(walk, tensor);
  if (walk->counted[group] == at + 1) return 0;
  assert(walk->sizes[group] <= walk->costs->sizes[tensor]);
  walk->counted[group] = at + 1;
  return walk->sizes[group];
}

static neap_size alive_at(struct walk *walk, size_t k) {
  neap_size bytes = 0;
  for (size_t t = 0; t < walk->tensor_count; t++)
    if (walk->costs->sizes[t] > 0 && is_alive(walk, t)) bytes += count_group(walk, t, k);
  return bytes;
}

static neap_size alive_at_end(struct walk *walk) {
  neap_size bytes = 0;
  for (size_t t = 0; t < walk->tensor_count; t++)
    if (stays_alive(walk, t) && (starts_alive(walk, t) || walk->maker[t] != NONE))
      bytes += count_group(walk, t, walk->costs->count);
  return bytes;
}

/* ---------------------------------------------------------------- all of them */

static void find_makers(struct walk *walk) {
  const struct neap_graph *graph = walk->graph;
  for (size_t t = 0; t < walk->tensor_count; t++)
    walk->maker[t] = NONE;
  for (size_t k = 0; k < graph->operator_count; k++) {
    const struct graph_operator *node = &graph->operators[k];
    for (size_t i = node->outputs.begin; i < node->outputs.end; i++)
      walk->maker[graph->links[i]] = k;
    for (size_t i = node->temporaries.begin; i < node->temporaries.end; i++)
      walk->maker[graph->links[i]] = k;
  }
}

static bool is_cheap(const struct walk *walk) {
  const struct costs *costs = walk->costs;
  size_t step = costs->count + costs->edge_count + walk->graph->link_count, work;
  return !__builtin_mul_overflow(step + walk->tensor_count, costs->count, &work) &&
         work <= WORK_MAX;
}

static neap_size find_most(struct walk *walk, bool shared) {
  neap_size most = 0;
  if (walk->costs->count == 0) return most;
  find_makers(walk);
  find_groups(walk, shared);
  most = alive_at_end(walk);
  if (!is_cheap(walk)) {
    neap_size least = shared ? 0 : costs_least(walk->costs);
    return least > most ? least : most;
  }
  for (size_t k = 0; k < walk->costs->count; k++) {
    find_sides(walk, k);
    neap_size bytes = alive_at(walk, k);
    if (bytes > most) most = bytes;
  }
  return most;
}

static bool walk_init(struct walk *walk) {
  size_t tensors = walk->tensor_count, count = walk->costs->count;
  walk->maker = memory_array(tensors, sizeof *walk->maker);
  walk->group = memory_array(tensors, sizeof *walk->group);
  walk->sizes = memory_array(tensors, sizeof *walk->sizes);
  walk->counted = memory_array(tensors, sizeof *walk->counted);
  walk->side = memory_array(count, sizeof *walk->side);
  walk->stack = memory_array(count, sizeof *walk->stack);
  return walk->maker && walk->group && walk->sizes && walk->counted && walk->side &&
         walk->stack;
}

static void walk_clear(struct walk *walk) {
  free(walk->maker);
  free(walk->group);
  free(walk->sizes);
  free(walk->counted);
  free(walk->side);
  free(walk->stack);
}

neap_status order_bound(const struct costs *costs, const struct neap_graph *graph,
                        const neap_liveness *options, bool shared, neap_size *bytes,
                        neap_error *error) {
  struct walk walk = {.costs = costs,
                      .graph = graph,
                      .options = options,
                      .tensor_count = graph_tensor_count(graph)};
  bool has_room = walk_init(&walk);
  if (has_room) *bytes = find_most(&walk, shared);
  walk_clear(&walk);
  return has_room ? NEAP_OK : error_memory(error);
}

bool order_bound_shares(const struct neap_graph *graph, const neap_liveness *options) {
  for (size_t k = 0; k < graph->operator_count && options->in_place; k++) {
    const struct graph_operator *node = &graph->operators[k];
    for (size_t p = node->pairs_begin; p < node->pairs_end; p++) {
      size_t input, output;
      if (may_share(graph, node, &graph->pairs[p], &input, &output)) return true;
    }
  }
  return false;
}
