/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's arena_planner (doc/tflite-arena.md, section 3). It finds lifetimes by counting
 * references: a tensor is freed by the node that drops the last one. Tensors are then allocated in
 * the arena (runtimes/simple_memory_arena), those that live throughout first, then the largest.
 *
 * A plan takes O(tensors + edges), an execution O(tensors log tensors), plus the allocations.
 */
#include "runtimes/tflite_planner.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"

#define NOT_ASSIGNED ARENA_UNTIL_END

/* ---------------------------------------------------------------- checking */

static neap_status check_list(const struct arena_graph *graph, struct arena_list list,
                              bool may_be_absent, const char *what, neap_error *error) {
  for (size_t i = 0; i < list.count; i++) {
    int64_t tensor = list.items[i];
    if (tensor == ARENA_ABSENT && may_be_absent) continue;
    if (tensor < 0 || (uint64_t)tensor >= graph->tensor_count)
      return error_set(error, NEAP_ERROR_INPUT,
                       "%s: expected a tensor below %zu, found %" PRId64, what,
                       graph->tensor_count, tensor);
  }
  return NEAP_OK;
}

static neap_status check_graph(const struct arena_graph *graph, neap_error *error) {
  neap_status status = check_list(graph, graph->inputs, true, "graph inputs", error);
  if (status == NEAP_OK)
    status = check_list(graph, graph->outputs, true, "graph outputs", error);
  if (status == NEAP_OK)
    status = check_list(graph, graph->variables, false, "variables", error);
  for (size_t k = 0; k < graph->node_count && status == NEAP_OK; k++) {
    const struct arena_node *node = &graph->nodes[k];
    char what[64];
    snprintf(what, sizeof what, "node %zu", k);
    status = check_list(graph, node->inputs, true, what, error);
    if (status == NEAP_OK) status = check_list(graph, node->outputs, true, what, error);
    if (status == NEAP_OK) status = check_list(graph, node->temporaries, true, what, error);
  }
  for (size_t t = 0; t < graph->tensor_count && status == NEAP_OK; t++)
    if (graph->tensors[t].bytes < 0)
      status = error_set(error, NEAP_ERROR_INPUT, "tensor %zu: expected bytes, found %" PRId64,
                         t, graph->tensors[t].bytes);
  return status;
}

static neap_status check_arguments(const struct arena_graph *graph,
                                   const struct arena_options *options, neap_error *error) {
  neap_size alignment = options->alignment;
  if (alignment < 1 || alignment > ARENA_ALIGNMENT || (alignment & (alignment - 1)) != 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "arena: expected an alignment of a power of two up to %d, found %" PRId64,
                     ARENA_ALIGNMENT, alignment);
  return check_graph(graph, error);
}

/* ---------------------------------------------------------------- making */

static bool init_arrays(struct arena_planner *planner) {
  size_t count = planner->count;
  planner->alloc = memory_array(count, sizeof *planner->alloc);
  planner->free = memory_array(count, sizeof *planner->free);
  planner->shared = memory_array(count, sizeof *planner->shared);
  planner->records = memory_array(count, sizeof *planner->records);
  planner->pointers = memory_array(count, sizeof *planner->pointers);
  planner->uses = memory_array(count, sizeof *planner->uses);
  planner->lives = memory_array(count, sizeof *planner->lives);
  planner->born = memory_array(count, sizeof *planner->born);
  planner->list = memory_array(count, sizeof *planner->list);
  return planner->alloc && planner->free && planner->shared && planner->records &&
         planner->pointers && planner->uses && planner->lives && planner->born && planner->list;
}

neap_status arena_planner_new(struct arena_planner **planner, const struct arena_graph *graph,
                              const struct arena_options *options, neap_error *error) {
  neap_status status = check_arguments(graph, options, error);
  if (status != NEAP_OK) return status;
  struct arena_planner *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->graph = graph;
  made->options = *options;
  made->count = graph->tensor_count;
  made->normal.fit = options->fit;
  made->persistent.fit = options->fit;
  if (!init_arrays(made)) {
    arena_planner_free(made);
    return error_memory(error);
  }
  for (size_t t = 0; t < made->count; t++) {
    made->pointers[t] = NEAP_UNPLACED;
    made->alloc[t] = made->free[t] = NOT_ASSIGNED;
    made->shared[t] = made->born[t] = ARENA_ABSENT;
  }
  arena_planner_reset(made);
  *planner = made;
  return NEAP_OK;
}

void arena_planner_free(struct arena_planner *planner) {
  if (!planner) return;
  arena_clear(&planner->normal);
  arena_clear(&planner->persistent);
  free(planner->alloc);
  free(planner->free);
  free(planner->shared);
  free(planner->records);
  free(planner->pointers);
  free(planner->uses);
  free(planner->lives);
  free(planner->born);
  free(planner->list);
  free(planner);
}

void arena_planner_reset(struct arena_planner *planner) {
  arena_clear_plan(&planner->normal);
  arena_clear_plan(&planner->persistent);
  for (size_t t = 0; t < planner->count; t++)
    planner->records[t] = (struct arena_record){0, 0, t, -1, -1};
  planner->last_active = NOT_ASSIGNED;
}

/* ---------------------------------------------------------------- lives */

static bool is_in(struct arena_list list, int64_t tensor) {
  for (size_t i = 0; i < list.count; i++)
    if (list.items[i] == tensor) return true;
  return false;
}

static void begin_life(struct arena_planner *planner, int64_t tensor, int64_t node) {
  if (planner->alloc[tensor] == NOT_ASSIGNED) planner->alloc[tensor] = node;
  if (planner->born[tensor] == ARENA_ABSENT) planner->born[tensor] = node;
}

/*
 * Counts references from outside the nodes; tensors with such references live from the first
 * node.
 */
static void count_outside(struct arena_planner *planner) {
  const struct arena_graph *graph = planner->graph;
  const struct arena_list from_start[] = {graph->variables, graph->inputs};
  for (size_t i = 0; i < graph->outputs.count; i++)
    if (graph->outputs.items[i] != ARENA_ABSENT) planner->uses[graph->outputs.items[i]]++;
  for (size_t l = 0; l < 2; l++)
    for (size_t i = 0; i < from_start[l].count; i++) {
      int64_t tensor = from_start[l].items[i];
      if (tensor == ARENA_ABSENT) continue;
      planner->uses[tensor]++;
      begin_life(planner, tensor, 0);
    }
}

static void count_inputs(const struct arena_graph *graph, int64_t *counts,
                         const int64_t *shared) {
  for (size_t k = 0; k < graph->node_count; k++)
    for (size_t i = 0; i < graph->nodes[k].inputs.count; i++) {
      int64_t tensor = graph->nodes[k].inputs.items[i];
      if (tensor == ARENA_ABSENT) continue;
      if (shared && shared[tensor] != ARENA_ABSENT) tensor = shared[tensor];
      counts[tensor]++;
    }
}

static int64_t root_of(const struct arena_planner *planner, int64_t tensor) {
  return planner->shared[tensor] == ARENA_ABSENT ? tensor : planner->shared[tensor];
}

static bool may_share(const struct arena_planner *planner, int64_t input, int64_t output,
                      bool changed) {
  const struct arena_graph *graph = planner->graph;
  const struct arena_tensor *in = &graph->tensors[input], *out = &graph->tensors[output];
  if (changed && (in->bytes != out->bytes || in->bytes <= 4 || planner->uses[input] > 1))
    return false;
  if (is_in(graph->inputs, input) || is_in(graph->outputs, output)) return false;
  return in->type == out->type || in->type == ARENA_NORMAL;
}

static void share_at(struct arena_planner *planner, const struct arena_node *node) {
  static const unsigned bits[] = {ARENA_INPUT_0, ARENA_INPUT_1, ARENA_INPUT_2};
  if (node->outputs.count == 0 || node->flags == 0) return;
  int64_t output = node->outputs.items[0];
  if (output == ARENA_ABSENT) return;
  bool changed = !(node->flags & ARENA_UNMODIFIED);
  for (size_t i = 0; i < node->inputs.count && i < 3; i++) {
    int64_t input = node->inputs.items[i];
    if (input == ARENA_ABSENT || !(node->flags & bits[i]) ||
        !may_share(planner, input, output, changed))
      continue;
    int64_t root = root_of(planner, input);
    assert(root_of(planner, root) == root);
    if (!changed || planner->uses[root] <= 1) planner->shared[output] = root;
    return;
  }
}

static neap_status release_input(struct arena_planner *planner, int64_t tensor, int64_t node,
                                 neap_error *error) {
  int64_t root = root_of(planner, tensor);
  assert(planner->lives[root] > 0);
  if (--planner->lives[root] != 0 || planner->alloc[root] == NOT_ASSIGNED) return NEAP_OK;
  if (planner->free[root] != NOT_ASSIGNED)
    return error_set(error, NEAP_ERROR_INPUT, "tensor %" PRId64 " is freed twice", root);
  planner->free[root] = node;
  return NEAP_OK;
}

static neap_status walk_nodes(struct arena_planner *planner, neap_error *error) {
  const struct arena_graph *graph = planner->graph;
  for (size_t k = 0; k < graph->node_count; k++) {
    const struct arena_node *node = &graph->nodes[k];
    for (size_t o = 0; o < node->outputs.count; o++)
      if (node->outputs.items[o] != ARENA_ABSENT)
        begin_life(planner, node->outputs.items[o], (int64_t)k);
    if (planner->options.preserves_all) continue;
    for (size_t i = 0; i < node->inputs.count; i++) {
      if (node->inputs.items[i] == ARENA_ABSENT) continue;
      neap_status status = release_input(planner, node->inputs.items[i], (int64_t)k, error);
      if (status != NEAP_OK) return status;
    }
  }
  return NEAP_OK;
}

neap_status arena_planner_plan(struct arena_planner *planner, neap_error *error) {
  const struct arena_graph *graph = planner->graph;
  arena_planner_reset(planner);
  for (size_t t = 0; t < planner->count; t++) {
    planner->alloc[t] = planner->free[t] = NOT_ASSIGNED;
    planner->born[t] = planner->shared[t] = ARENA_ABSENT;
    planner->uses[t] = 0;
  }
  count_outside(planner);
  memcpy(planner->lives, planner->uses, planner->count * sizeof *planner->lives);
  count_inputs(graph, planner->uses, NULL);
  if (planner->options.shares && !planner->options.preserves_all)
    for (size_t k = 0; k < graph->node_count; k++)
      share_at(planner, &graph->nodes[k]);
  count_inputs(graph, planner->lives, planner->shared);
  return walk_nodes(planner, error);
}

/* ---------------------------------------------------------------- execution */

static void take_temporaries(struct arena_planner *planner, size_t first, size_t last) {
  for (size_t k = first; k <= last && k < planner->graph->node_count; k++) {
    struct arena_list list = planner->graph->nodes[k].temporaries;
    for (size_t i = 0; i < list.count; i++) {
      int64_t tensor = list.items[i];
      if (tensor == ARENA_ABSENT) continue;
      planner->alloc[tensor] = planner->born[tensor] = (int64_t)k;
      if (!planner->options.preserves_all) planner->free[tensor] = (int64_t)k;
    }
  }
}

static bool needs_memory(const struct arena_planner *planner, size_t tensor) {
  switch (planner->graph->tensors[tensor].type) {
  case ARENA_NORMAL:
    return planner->records[tensor].size < planner->graph->tensors[tensor].bytes;
  case ARENA_PERSISTENT:
    return true;
  case ARENA_ELSEWHERE:
    break;
  }
  return false;
}

/*
 * Tensors that are alive throughout come first, by number; then the largest, then the earliest.
 */
static int by_urgency(const void *left, const void *right, void *context) {
  const struct arena_planner *planner = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  bool a_whole = planner->alloc[a] == 0 && planner->free[a] == NOT_ASSIGNED;
  bool b_whole = planner->alloc[b] == 0 && planner->free[b] == NOT_ASSIGNED;
  if (a_whole != b_whole) return a_whole ? -1 : 1;
  neap_size x = planner->graph->tensors[a].bytes, y = planner->graph->tensors[b].bytes;
  if (!a_whole && x != y) return x > y ? -1 : 1;
  if (!a_whole && planner->alloc[a] != planner->alloc[b])
    return planner->alloc[a] < planner->alloc[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void make_list(struct arena_planner *planner, size_t first, size_t last) {
  planner->list_count = 0;
  for (size_t t = 0; t < planner->count; t++)
    if (planner->born[t] >= (int64_t)first && planner->born[t] <= (int64_t)last &&
        needs_memory(planner, t))
      planner->list[planner->list_count++] = t;
  if (planner->list_count > 0)
    qsort_r(planner->list, planner->list_count, sizeof *planner->list, by_urgency, planner);
}

/* Whether the tensor still uses another one's memory; it stops when their sizes differ. */
static bool still_shares(struct arena_planner *planner, size_t tensor) {
  int64_t root = planner->shared[tensor];
  if (root == ARENA_ABSENT) return false;
  const struct arena_tensor *tensors = planner->graph->tensors;
  if (tensors[root].type == ARENA_NORMAL && tensors[root].bytes == tensors[tensor].bytes)
    return true;
  planner->shared[tensor] = ARENA_ABSENT;
  return false;
}

static neap_status allocate_tensor(struct arena_planner *planner, size_t tensor,
                                   neap_error *error) {
  const struct arena_tensor *info = &planner->graph->tensors[tensor];
  struct arena_record *record = &planner->records[tensor];
  if (still_shares(planner, tensor)) return NEAP_OK;
  bool persistent = info->type == ARENA_PERSISTENT;
  if (persistent && (record->size > 0 || info->bytes == 0)) return NEAP_OK;
  *record = (struct arena_record){0, info->bytes, tensor, planner->alloc[tensor],
                                  persistent ? ARENA_UNTIL_END : planner->free[tensor]};
  assert(record->first <= record->last);
  return arena_allocate(persistent ? &planner->persistent : &planner->normal,
                        planner->options.alignment, record, error);
}

static neap_status allocate_list(struct arena_planner *planner, int64_t first, int64_t last,
                                 neap_error *error) {
  if (first < planner->last_active) {
    arena_reset(&planner->normal);
    planner->last_active = first;
  } else {
    arena_purge_before(&planner->normal, first);
  }
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < planner->list_count && status == NEAP_OK; i++)
    status = allocate_tensor(planner, planner->list[i], error);
  planner->last_active = last;
  return status;
}

void arena_planner_resolve(struct arena_planner *planner, size_t tensor) {
  const struct arena_tensor *tensors = planner->graph->tensors;
  size_t owner = tensor;
  int64_t root = planner->shared[tensor];
  if (root != ARENA_ABSENT && tensors[root].type == tensors[tensor].type) owner = (size_t)root;
  const struct arena_record *record = &planner->records[owner];
  if (tensors[owner].type == ARENA_NORMAL && record->size != 0)
    planner->pointers[owner] = record->offset;
  else if (tensors[owner].type == ARENA_PERSISTENT)
    planner->pointers[owner] = record->size == 0 ? NEAP_UNPLACED : record->offset;
  planner->pointers[tensor] = planner->pointers[owner];
}

neap_status arena_planner_execute(struct arena_planner *planner, size_t first, size_t last,
                                  neap_error *error) {
  take_temporaries(planner, first, last);
  make_list(planner, first, last);
  neap_status status = NEAP_OK;
  if (planner->list_count > 0)
    status = allocate_list(planner, (int64_t)first, (int64_t)last, error);
  else planner->last_active = (int64_t)last;
  if (status != NEAP_OK) return status;
  bool normal_moved, persistent_moved;
  arena_commit(&planner->normal, &normal_moved);
  arena_commit(&planner->persistent, &persistent_moved);
  planner->has_normal = true;
  if (normal_moved || persistent_moved)
    for (size_t t = 0; t < planner->count; t++)
      arena_planner_resolve(planner, t);
  else
    for (size_t i = 0; i < planner->list_count; i++)
      arena_planner_resolve(planner, planner->list[i]);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- asking */

struct arena_tensor_state arena_planner_tensor(const struct arena_planner *planner,
                                               size_t tensor) {
  assert(tensor < planner->count);
  return (struct arena_tensor_state){planner->pointers[tensor], planner->alloc[tensor],
                                     planner->free[tensor], planner->shared[tensor]};
}

struct arena_sizes arena_planner_sizes(const struct arena_planner *planner) {
  return (struct arena_sizes){planner->normal.size, planner->persistent.size,
                              planner->has_normal};
}
