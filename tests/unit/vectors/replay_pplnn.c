/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays PPL.NN's buffer managers, node order and runs (doc/pplnn.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "runtimes/pplnn.h"
#include "tests/unit/vectors/replay.h"

/* ---------------------------------------------------------------- order and runs */

/* PPL.NN's order of nodes, the last consumer of every edge, and its sequential run. */

/*
 * PPL.NN's runtime around its buffer managers: the order of nodes, the last consumer of every
 * edge, and a run (doc/pplnn.md, sections 7 to 9). The engines keep the order of the graph that
 * is given, so only the vectors need this.
 */

#define PPLNN_ABSENT (-1)
#define PPLNN_NONE SIZE_MAX

struct pplnn_edges {
  const int64_t *items; /* edges, or PPLNN_ABSENT */
  size_t count;
};

struct pplnn_node {
  struct pplnn_edges inputs, extra_inputs, outputs;
  int64_t transfer;    /* the input position whose buffer the first output takes over, or -1 */
  neap_size temporary; /* bytes needed while the node runs */
};

/* The caller owns all arrays. */
struct pplnn_graph {
  const struct pplnn_node *nodes;
  size_t node_count, edge_count;
  const neap_size *edge_bytes; /* only needed to run */
  struct pplnn_edges inputs, extra_inputs, constants, outputs, reserved;
};

enum pplnn_event_kind {
  PPLNN_ALLOC,
  PPLNN_FREE,
  PPLNN_TRANSFER,
  PPLNN_TEMPORARY_ALLOC,
  PPLNN_TEMPORARY_FREE
};

struct pplnn_event {
  enum pplnn_event_kind kind;
  size_t edge; /* for a temporary: the node */
  neap_size bytes;
  struct pplnn_handle handle; /* the buffer */
  size_t from;                /* for a transfer: the input edge */
};

typedef neap_status pplnn_observer(const struct pplnn_event *event, void *user,
                                   neap_error *error);

struct schedule {
  const struct pplnn_graph *graph;
  size_t *producer;  /* per edge: a node or PPLNN_NONE */
  size_t *consumers; /* per edge: the number of inputs that it feeds */
  size_t *level;     /* per node */
  bool *visited;
  size_t *stack, stack_count, stack_capacity;    /* 2 * node, plus 1 once it is resolved */
  size_t *nearby, nearby_count, nearby_capacity; /* the producers of one node */
  size_t *seen; /* per node: 1 + the last node that has it as a producer */
};

/* ---------------------------------------------------------------- checking */

static neap_status check_edges(const struct pplnn_graph *graph, struct pplnn_edges edges,
                               const char *what, neap_error *error) {
  for (size_t i = 0; i < edges.count; i++)
    if (edges.items[i] != PPLNN_ABSENT &&
        (edges.items[i] < 0 || (uint64_t)edges.items[i] >= graph->edge_count))
      return error_set(error, NEAP_ERROR_INPUT,
                       "%s: expected an edge below %zu, found %" PRId64, what,
                       graph->edge_count, edges.items[i]);
  return NEAP_OK;
}

static neap_status check_graph(const struct pplnn_graph *graph, neap_error *error) {
  const struct pplnn_edges *lists[] = {&graph->inputs, &graph->extra_inputs, &graph->constants,
                                       &graph->outputs, &graph->reserved};
  neap_status status = NEAP_OK;
  for (size_t l = 0; l < sizeof lists / sizeof *lists && status == NEAP_OK; l++)
    status = check_edges(graph, *lists[l], "graph", error);
  for (size_t n = 0; n < graph->node_count && status == NEAP_OK; n++) {
    const struct pplnn_node *node = &graph->nodes[n];
    char what[64];
    snprintf(what, sizeof what, "node %zu", n);
    status = check_edges(graph, node->inputs, what, error);
    if (status == NEAP_OK) status = check_edges(graph, node->extra_inputs, what, error);
    if (status == NEAP_OK) status = check_edges(graph, node->outputs, what, error);
  }
  return status;
}

/* ---------------------------------------------------------------- levels */

static void note_ends(struct schedule *state) {
  const struct pplnn_graph *graph = state->graph;
  for (size_t e = 0; e < graph->edge_count; e++)
    state->producer[e] = PPLNN_NONE;
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct pplnn_node *node = &graph->nodes[n];
    const struct pplnn_edges inputs[] = {node->inputs, node->extra_inputs};
    for (size_t o = 0; o < node->outputs.count; o++)
      if (node->outputs.items[o] != PPLNN_ABSENT) state->producer[node->outputs.items[o]] = n;
    for (size_t l = 0; l < 2; l++)
      for (size_t i = 0; i < inputs[l].count; i++)
        if (inputs[l].items[i] != PPLNN_ABSENT) state->consumers[inputs[l].items[i]]++;
  }
}

/* Lists the producers of a node, each once. */
static bool list_producers(struct schedule *state, size_t n) {
  const struct pplnn_node *node = &state->graph->nodes[n];
  const struct pplnn_edges inputs[] = {node->inputs, node->extra_inputs};
  state->nearby_count = 0;
  for (size_t l = 0; l < 2; l++)
    for (size_t i = 0; i < inputs[l].count; i++) {
      if (inputs[l].items[i] == PPLNN_ABSENT) continue;
      size_t producer = state->producer[inputs[l].items[i]];
      if (producer == PPLNN_NONE || state->seen[producer] == n + 1) continue;
      state->seen[producer] = n + 1;
      if (!memory_reserve(&state->nearby, &state->nearby_capacity, state->nearby_count + 1,
                          sizeof *state->nearby))
        return false;
      state->nearby[state->nearby_count++] = producer;
    }
  return true;
}

static bool push_entry(struct schedule *state, size_t entry) {
  if (!memory_reserve(&state->stack, &state->stack_capacity, state->stack_count + 1,
                      sizeof *state->stack))
    return false;
  state->stack[state->stack_count++] = entry;
  return true;
}

/* Lists the consumers of all edges; those of edge e end at ends[e]. */
static void list_consumers(const struct schedule *state, size_t *ends, size_t *consumers) {
  const struct pplnn_graph *graph = state->graph;
  for (size_t e = 0, end = 0; e < graph->edge_count; e++) {
    ends[e] = end;
    end += state->consumers[e];
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct pplnn_edges inputs[] = {graph->nodes[n].inputs, graph->nodes[n].extra_inputs};
    for (size_t l = 0; l < 2; l++)
      for (size_t i = 0; i < inputs[l].count; i++)
        if (inputs[l].items[i] != PPLNN_ABSENT) consumers[ends[inputs[l].items[i]]++] = n;
  }
}

/* Counts the inputs of each node that have a producer. */
static void count_waiting(const struct schedule *state, size_t *waiting) {
  const struct pplnn_graph *graph = state->graph;
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct pplnn_edges inputs[] = {graph->nodes[n].inputs, graph->nodes[n].extra_inputs};
    for (size_t l = 0; l < 2; l++)
      for (size_t i = 0; i < inputs[l].count; i++)
        if (inputs[l].items[i] != PPLNN_ABSENT &&
            state->producer[inputs[l].items[i]] != PPLNN_NONE)
          waiting[n]++;
  }
}

/*
 * Passes the level of a node to its consumers; pushes those whose producers all have levels
 * now.
 */
static bool pass_on(struct schedule *state, size_t n, const size_t *ends,
                    const size_t *consumers, size_t *waiting) {
  struct pplnn_edges outputs = state->graph->nodes[n].outputs;
  for (size_t o = 0; o < outputs.count; o++) {
    int64_t edge = outputs.items[o];
    if (edge == PPLNN_ABSENT || state->producer[edge] != n) continue;
    for (size_t c = edge == 0 ? 0 : ends[edge - 1]; c < ends[edge]; c++) {
      size_t consumer = consumers[c];
      if (state->level[consumer] < state->level[n] + 1)
        state->level[consumer] = state->level[n] + 1;
      if (--waiting[consumer] == 0 && !push_entry(state, consumer)) return false;
    }
  }
  return true;
}

static neap_status set_levels(struct schedule *state, const size_t *ends,
                              const size_t *consumers, size_t *waiting, neap_error *error) {
  size_t done = 0;
  for (size_t n = 0; n < state->graph->node_count; n++)
    if (waiting[n] == 0 && !push_entry(state, n)) return error_memory(error);
  for (; state->stack_count > 0; done++)
    if (!pass_on(state, state->stack[--state->stack_count], ends, consumers, waiting))
      return error_memory(error);
  for (size_t n = 0; n < state->graph->node_count && done < state->graph->node_count; n++)
    if (waiting[n] > 0)
      return error_set(error, NEAP_ERROR_INPUT, "node %zu is on a cycle or depends on one", n);
  return NEAP_OK;
}

/* Nodes without producers have level 0; all others are one above their highest producer. */
static neap_status find_levels(struct schedule *state, neap_error *error) {
  const struct pplnn_graph *graph = state->graph;
  size_t total = 0;
  for (size_t e = 0; e < graph->edge_count; e++)
    total += state->consumers[e];
  size_t *ends = memory_array(graph->edge_count, sizeof *ends);
  size_t *consumers = memory_array(total, sizeof *consumers);
  size_t *waiting = memory_array(graph->node_count, sizeof *waiting);
  neap_status status;
  if (!ends || !consumers || !waiting) {
    status = error_memory(error);
  } else {
    list_consumers(state, ends, consumers);
    count_waiting(state, waiting);
    status = set_levels(state, ends, consumers, waiting, error);
  }
  free(ends);
  free(consumers);
  free(waiting);
  return status;
}

/* ---------------------------------------------------------------- order */

/* Insertion sort, which is stable: a node has few producers. */
static void sort_by_level(struct schedule *state) {
  for (size_t i = 1; i < state->nearby_count; i++) {
    size_t node = state->nearby[i], at = i;
    for (; at > 0 && state->level[node] < state->level[state->nearby[at - 1]]; at--)
      state->nearby[at] = state->nearby[at - 1];
    state->nearby[at] = node;
  }
}

static bool visit_node(struct schedule *state, size_t n) {
  state->visited[n] = true;
  if (!push_entry(state, 2 * n + 1) || !list_producers(state, n)) return false;
  sort_by_level(state);
  for (size_t i = 0; i < state->nearby_count; i++)
    if (!state->visited[state->nearby[i]] && !push_entry(state, 2 * state->nearby[i]))
      return false;
  return true;
}

static bool order_nodes(struct schedule *state, size_t *order, size_t *count) {
  const struct pplnn_graph *graph = state->graph;
  *count = 0;
  for (size_t n = 0; n < graph->node_count; n++) {
    state->visited[n] = false;
    state->seen[n] = 0;
  }
  for (size_t e = 0; e < graph->edge_count; e++)
    if (state->producer[e] != PPLNN_NONE && state->consumers[e] == 0 &&
        !push_entry(state, 2 * state->producer[e]))
      return false;
  while (state->stack_count > 0) {
    size_t entry = state->stack[--state->stack_count], n = entry / 2;
    if (entry % 2 == 1) order[(*count)++] = n;
    else if (!state->visited[n] && !visit_node(state, n)) return false;
  }
  return true;
}

/* ---------------------------------------------------------------- last consumers */

static neap_status release_edge(int64_t *references, size_t *last_consumer, int64_t edge,
                                size_t node, neap_error *error) {
  if (edge == PPLNN_ABSENT) return NEAP_OK;
  if (references[edge] <= 0)
    return error_set(error, NEAP_ERROR_INPUT, "edge %" PRId64 " is released too often", edge);
  if (--references[edge] == 0) last_consumer[edge] = node;
  return NEAP_OK;
}

static void count_references(const struct schedule *state, int64_t *references) {
  const struct pplnn_graph *graph = state->graph;
  const struct pplnn_edges *lists[] = {&graph->inputs, &graph->extra_inputs, &graph->constants,
                                       &graph->outputs, &graph->reserved};
  for (size_t e = 0; e < graph->edge_count; e++)
    references[e] = (int64_t)state->consumers[e] + (state->producer[e] == PPLNN_NONE ? 0 : 1);
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
    for (size_t i = 0; i < lists[l]->count; i++)
      if (lists[l]->items[i] != PPLNN_ABSENT) references[lists[l]->items[i]]++;
}

static neap_status find_last(const struct schedule *state, const size_t *order, size_t count,
                             size_t *last_consumer, neap_error *error) {
  const struct pplnn_graph *graph = state->graph;
  int64_t *references = memory_array(graph->edge_count, sizeof *references);
  if (!references) return error_memory(error);
  count_references(state, references);
  for (size_t e = 0; e < graph->edge_count; e++)
    last_consumer[e] = PPLNN_NONE;
  neap_status status = NEAP_OK;
  for (size_t k = 0; k < count; k++) {
    const struct pplnn_node *node = &graph->nodes[order[k]];
    const struct pplnn_edges lists[] = {node->inputs, node->extra_inputs, node->outputs};
    for (size_t l = 0; l < 3; l++)
      for (size_t i = 0; i < lists[l].count && status == NEAP_OK; i++)
        status = release_edge(references, last_consumer, lists[l].items[i], order[k], error);
  }
  free(references);
  return status;
}

/* ---------------------------------------------------------------- the whole */

/*
 * Orders the nodes, deepest producer first, and finds for each edge the node after which it is
 * released, or PPLNN_NONE if the run never releases it. `order` has room for node_count nodes;
 * *count of them are used, since nodes that no result depends on are left out.
 */
static neap_status pplnn_schedule(const struct pplnn_graph *graph, size_t *order, size_t *count,
                                  size_t *last_consumer, neap_error *error) {
  neap_status status = check_graph(graph, error);
  if (status != NEAP_OK) return status;
  struct schedule state = {.graph = graph};
  state.producer = memory_array(graph->edge_count, sizeof *state.producer);
  state.consumers = memory_array(graph->edge_count, sizeof *state.consumers);
  state.level = memory_array(graph->node_count, sizeof *state.level);
  state.visited = memory_array(graph->node_count, sizeof *state.visited);
  state.seen = memory_array(graph->node_count, sizeof *state.seen);
  if (!state.producer || !state.consumers || !state.level || !state.visited || !state.seen) {
    status = error_memory(error);
  } else {
    note_ends(&state);
    status = find_levels(&state, error);
  }
  if (status == NEAP_OK && !order_nodes(&state, order, count)) status = error_memory(error);
  if (status == NEAP_OK) status = find_last(&state, order, *count, last_consumer, error);
  free(state.producer);
  free(state.consumers);
  free(state.level);
  free(state.visited);
  free(state.stack);
  free(state.nearby);
  free(state.seen);
  return status;
}

/* ---------------------------------------------------------------- the run */

/* Allocates outputs, computes, and releases buffers that are no longer read. */

struct run {
  const struct pplnn_graph *graph;
  struct pplnn_manager *manager;
  pplnn_observer *observer;
  void *user;
  struct pplnn_handle *handles; /* per edge */
  bool *exists;                 /* per edge: whether it has a tensor */
  bool *is_kept;                /* per edge: whether its buffer must not be transferred */
  const size_t *last_consumer;
};

static neap_status report_event(const struct run *run, struct pplnn_event event,
                                neap_error *error) {
  return run->observer ? run->observer(&event, run->user, error) : NEAP_OK;
}

static neap_status allocate_edge(struct run *run, size_t edge, neap_error *error) {
  neap_size bytes = run->graph->edge_bytes[edge];
  run->exists[edge] = true;
  neap_status status = pplnn_realloc(run->manager, bytes, &run->handles[edge], error);
  if (status != NEAP_OK) return status;
  return report_event(
      run, (struct pplnn_event){PPLNN_ALLOC, edge, bytes, run->handles[edge], 0}, error);
}

/* The edge whose buffer the first output of a node takes over, or PPLNN_NONE. */
static size_t source_of(const struct run *run, size_t n) {
  const struct pplnn_node *node = &run->graph->nodes[n];
  if (node->transfer < 0 || (uint64_t)node->transfer >= node->inputs.count) return PPLNN_NONE;
  int64_t edge = node->inputs.items[node->transfer];
  if (edge == PPLNN_ABSENT || run->last_consumer[edge] != n || run->is_kept[edge] ||
      !run->handles[edge].has_buffer || node->outputs.count == 0 ||
      node->outputs.items[0] == PPLNN_ABSENT ||
      run->graph->edge_bytes[edge] != run->graph->edge_bytes[node->outputs.items[0]])
    return PPLNN_NONE;
  return (size_t)edge;
}

static neap_status transfer_buffer(struct run *run, size_t from, size_t to, neap_error *error) {
  static const struct pplnn_handle none = PPLNN_NO_BUFFER;
  run->handles[to] = run->handles[from];
  run->handles[from] = none;
  run->exists[to] = true;
  return report_event(run, (struct pplnn_event){PPLNN_TRANSFER, to, 0, run->handles[to], from},
                      error);
}

static neap_status make_outputs(struct run *run, size_t n, neap_error *error) {
  const struct pplnn_node *node = &run->graph->nodes[n];
  size_t from = source_of(run, n);
  neap_status status = NEAP_OK;
  for (size_t o = 0; o < node->outputs.count && status == NEAP_OK; o++) {
    if (node->outputs.items[o] == PPLNN_ABSENT) continue;
    size_t edge = (size_t)node->outputs.items[o];
    if (o == 0 && from != PPLNN_NONE) status = transfer_buffer(run, from, edge, error);
    else status = allocate_edge(run, edge, error);
  }
  return status;
}

static neap_status use_temporary(struct run *run, size_t n, neap_error *error) {
  neap_size bytes = run->graph->nodes[n].temporary;
  struct pplnn_handle handle = PPLNN_NO_BUFFER;
  if (bytes == 0) return NEAP_OK;
  neap_status status = pplnn_realloc(run->manager, bytes, &handle, error);
  if (status == NEAP_OK)
    status = report_event(run, (struct pplnn_event){PPLNN_TEMPORARY_ALLOC, n, bytes, handle, 0},
                          error);
  if (status == NEAP_OK) status = pplnn_free(run->manager, &handle, error);
  if (status == NEAP_OK)
    status = report_event(run, (struct pplnn_event){PPLNN_TEMPORARY_FREE, n, bytes, handle, 0},
                          error);
  return status;
}

static neap_status give_up_edge(struct run *run, size_t edge, neap_error *error) {
  run->exists[edge] = false;
  if (!run->handles[edge].has_buffer) return NEAP_OK;
  neap_status status = pplnn_free(run->manager, &run->handles[edge], error);
  if (status != NEAP_OK) return status;
  return report_event(run, (struct pplnn_event){PPLNN_FREE, edge, 0, run->handles[edge], 0},
                      error);
}

static neap_status release_after(struct run *run, size_t n, neap_error *error) {
  const struct pplnn_node *node = &run->graph->nodes[n];
  const struct pplnn_edges lists[] = {node->inputs, node->extra_inputs, node->outputs};
  neap_status status = NEAP_OK;
  for (size_t l = 0; l < 3; l++)
    for (size_t i = 0; i < lists[l].count && status == NEAP_OK; i++) {
      int64_t edge = lists[l].items[i];
      if (edge != PPLNN_ABSENT && run->last_consumer[edge] == n && run->exists[edge])
        status = give_up_edge(run, (size_t)edge, error);
    }
  return status;
}

static neap_status run_nodes(struct run *run, const size_t *order, size_t count,
                             neap_error *error) {
  const struct pplnn_edges inputs = run->graph->inputs;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < inputs.count && status == NEAP_OK; i++)
    if (inputs.items[i] != PPLNN_ABSENT)
      status = allocate_edge(run, (size_t)inputs.items[i], error);
  for (size_t k = 0; k < count && status == NEAP_OK; k++) {
    status = make_outputs(run, order[k], error);
    if (status == NEAP_OK) status = use_temporary(run, order[k], error);
    if (status == NEAP_OK) status = release_after(run, order[k], error);
  }
  return status;
}

static void note_kept(struct run *run) {
  const struct pplnn_graph *graph = run->graph;
  const struct pplnn_edges *lists[] = {&graph->inputs, &graph->extra_inputs, &graph->constants,
                                       &graph->outputs, &graph->reserved};
  for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
    for (size_t i = 0; i < lists[l]->count; i++)
      if (lists[l]->items[i] != PPLNN_ABSENT) run->is_kept[lists[l]->items[i]] = true;
}

/*
 * Runs the graph once: first the inputs, then one node after another. Calls `observer` for
 * every event.
 */
static neap_status pplnn_run(const struct pplnn_graph *graph, struct pplnn_manager *manager,
                             pplnn_observer *observer, void *user, neap_error *error) {
  static const struct pplnn_handle none = PPLNN_NO_BUFFER;
  struct run run = {.graph = graph, .manager = manager, .observer = observer, .user = user};
  size_t *order = memory_array(graph->node_count, sizeof *order), count;
  size_t *last_consumer = memory_array(graph->edge_count, sizeof *last_consumer);
  run.handles = memory_array(graph->edge_count, sizeof *run.handles);
  run.exists = memory_array(graph->edge_count, sizeof *run.exists);
  run.is_kept = memory_array(graph->edge_count, sizeof *run.is_kept);
  neap_status status = NEAP_OK;
  if (!order || !last_consumer || !run.handles || !run.exists || !run.is_kept)
    status = error_memory(error);
  if (status == NEAP_OK) status = pplnn_schedule(graph, order, &count, last_consumer, error);
  if (status == NEAP_OK) {
    for (size_t e = 0; e < graph->edge_count; e++)
      run.handles[e] = none;
    note_kept(&run);
    run.last_consumer = last_consumer;
    status = run_nodes(&run, order, count, error);
  }
  free(order);
  free(last_consumer);
  free(run.handles);
  free(run.exists);
  free(run.is_kept);
  return status;
}

/* ---------------------------------------------------------------- replaying */

#define HANDLES 64

/* ---------------------------------------------------------------- managers */

static int64_t config_integer(const json_t *config, const char *key, int64_t otherwise) {
  const json_t *value = json_object_get(config, key);
  return value ? json_integer_value(value) : otherwise;
}

static struct pplnn_options read_options(const json_t *config) {
  static const char *const names[] = {"plain", "stack_mru", "stack_bestfit", "compact_vm",
                                      "compact_block"};
  struct pplnn_options options = PPLNN_DEFAULTS;
  const char *manager = member_text(config, "manager");
  bool known = false;
  for (size_t p = 0; p < SAMPLE_COUNT(names); p++)
    if (strcmp(names[p], manager) == 0) {
      options.policy = (enum pplnn_policy)p;
      known = true;
    }
  if (!known) fail_msg("unknown manager %s", manager);
  options.granularity = config_integer(config, "granularity", 1);
  options.gap = config_integer(config, "gap", 0);
  options.capacity = config_integer(config, "capacity", NEAP_MAX);
  options.alignment = config_integer(config, "alignment", 1);
  return options;
}

static void expect_member(const json_t *expected, const char *key, int64_t found) {
  const json_t *value = json_object_get(expected, key);
  if (value && !json_is_null(value) && json_integer_value(value) != found)
    fail_msg("%s: expected %lld, found %lld", key, (long long)json_integer_value(value),
             (long long)found);
}

static void expect_free_blocks(const struct compact *compact, const json_t *blocks) {
  const struct sorted *found = &compact->by_address;
  assert_int_equal(json_array_size(blocks), found->count);
  for (size_t i = 0; i < found->count; i++) {
    const json_t *block = json_array_get(blocks, i);
    assert_int_equal(found->items[i].key, element_integer(block, 0));
    assert_int_equal(found->items[i].id, element_integer(block, 1));
  }
}

/* The free blocks of a compact manager, or the idle slots from the bottom of the stack up. */
static void expect_idle(const struct pplnn_manager *manager, const json_t *expected) {
  const json_t *blocks = json_object_get(expected, "free");
  const json_t *stack = json_object_get(expected, "stack");
  if (blocks) expect_free_blocks(&manager->compact, blocks);
  else if (stack) expect_sizes(stack, manager->stack, manager->stack_count, "stack");
}

static void step_manager(struct pplnn_manager *manager, struct pplnn_handle *handles,
                         const json_t *step, const json_t *expected) {
  size_t h = (size_t)element_integer(step, 1);
  assert_in_range(h, 0, HANDLES - 1);
  neap_error error;
  if (strcmp(json_string_value(json_array_get(step, 0)), "free") == 0) {
    assert_ok(pplnn_free(manager, &handles[h], &error), &error);
  } else {
    neap_status status = pplnn_realloc(manager, element_integer(step, 2), &handles[h], &error);
    expect_member(expected, "rc", status == NEAP_OK ? 0 : 1);
    expect_member(expected, "has_addr", handles[h].has_buffer);
    if (handles[h].has_buffer) {
      expect_member(expected, "addr", handles[h].address);
      expect_member(expected, "bytes", handles[h].bytes);
      expect_member(expected, "slot", (int64_t)handles[h].slot);
    }
  }
  struct pplnn_figures figures = manager->figures;
  expect_member(expected, "buffered", figures.buffered);
  expect_member(expected, "raw_allocs", (int64_t)figures.requests);
  expect_member(expected, "raw_frees", (int64_t)figures.returns);
  expect_idle(manager, expected);
}

void replay_pplnn_manager(const json_t *vector) {
  const json_t *steps = member_array(vector, "steps");
  const json_t *expected = member_array(vector, "expected");
  struct pplnn_options options = read_options(member(vector, "config"));
  struct pplnn_handle handles[HANDLES];
  struct pplnn_manager *manager;
  neap_error error;
  for (size_t h = 0; h < HANDLES; h++)
    handles[h] = (struct pplnn_handle)PPLNN_NO_BUFFER;
  assert_ok(pplnn_manager_new(&manager, &options, &error), &error);
  assert_int_equal(json_array_size(steps), json_array_size(expected));
  for (size_t s = 0; s < json_array_size(steps); s++)
    step_manager(manager, handles, json_array_get(steps, s), json_array_get(expected, s));
  pplnn_manager_free(manager);
}

/* ---------------------------------------------------------------- graphs */

static struct pplnn_edges read_edges(const json_t *array) {
  return (struct pplnn_edges){vector_integers(array), json_array_size(array)};
}

static void free_edges(struct pplnn_edges edges) {
  int64_t *items = (int64_t *)(uintptr_t)edges.items;
  test_free(items);
}

static struct pplnn_node *read_nodes(const json_t *nodes) {
  struct pplnn_node *made = test_calloc(json_array_size(nodes) + 1, sizeof *made);
  for (size_t n = 0; n < json_array_size(nodes); n++) {
    const json_t *node = json_array_get(nodes, n);
    const json_t *transfer = json_object_get(node, "transfer_input");
    made[n] = (struct pplnn_node){read_edges(member_array(node, "inputs")),
                                  read_edges(member_array(node, "extra_inputs")),
                                  read_edges(member_array(node, "outputs")),
                                  json_is_integer(transfer) ? json_integer_value(transfer) : -1,
                                  config_integer(node, "tmp_bytes", 0)};
  }
  return made;
}

static struct pplnn_graph read_graph(const json_t *vector) {
  const json_t *nodes = member_array(vector, "nodes");
  const json_t *bytes = json_object_get(vector, "edge_bytes");
  return (struct pplnn_graph){.nodes = read_nodes(nodes),
                              .node_count = json_array_size(nodes),
                              .edge_count = (size_t)member_integer(vector, "edge_count"),
                              .edge_bytes = bytes ? vector_integers(bytes) : NULL,
                              .inputs = read_edges(member_array(vector, "graph_inputs")),
                              .extra_inputs =
                                  read_edges(member_array(vector, "graph_extra_inputs")),
                              .constants = read_edges(member_array(vector, "constants")),
                              .outputs = read_edges(member_array(vector, "graph_outputs")),
                              .reserved = read_edges(member_array(vector, "reserved"))};
}

static void free_graph(struct pplnn_graph *graph) {
  for (size_t n = 0; n < graph->node_count; n++) {
    free_edges(graph->nodes[n].inputs);
    free_edges(graph->nodes[n].extra_inputs);
    free_edges(graph->nodes[n].outputs);
  }
  struct pplnn_node *nodes = (struct pplnn_node *)(uintptr_t)graph->nodes;
  neap_size *bytes = (neap_size *)(uintptr_t)graph->edge_bytes;
  test_free(nodes);
  if (bytes) test_free(bytes);
  free_edges(graph->inputs);
  free_edges(graph->extra_inputs);
  free_edges(graph->constants);
  free_edges(graph->outputs);
  free_edges(graph->reserved);
}

static void expect_schedule(const json_t *vector, const struct pplnn_graph *graph) {
  const json_t *expected = member(vector, "expected");
  size_t *order = test_calloc(graph->node_count + 1, sizeof *order), count;
  size_t *last = test_calloc(graph->edge_count + 1, sizeof *last);
  int64_t *consumers = test_calloc(graph->edge_count + 1, sizeof *consumers);
  neap_error error;
  assert_ok(pplnn_schedule(graph, order, &count, last, &error), &error);
  expect_sizes(member_array(expected, "sorted_nodes"), order, count, "sorted_nodes");
  for (size_t e = 0; e < graph->edge_count; e++)
    consumers[e] = last[e] == PPLNN_NONE ? -1 : (int64_t)last[e];
  expect_optional(member_array(expected, "edge_last_consumer"), consumers, graph->edge_count,
                  -1, "edge_last_consumer");
  test_free(order);
  test_free(last);
  test_free(consumers);
}

void replay_pplnn_graph(const json_t *vector) {
  struct pplnn_graph graph = read_graph(vector);
  expect_schedule(vector, &graph);
  free_graph(&graph);
}

/* ---------------------------------------------------------------- runs */

struct trace {
  const json_t *expected;
  size_t at;
  enum pplnn_policy policy;
};

static neap_status compare_event(const struct pplnn_event *event, void *user,
                                 neap_error *error) {
  static const char *const kinds[] = {"alloc", "free", "transfer", "tmp_alloc", "tmp_free"};
  (void)error;
  struct trace *trace = user;
  const json_t *wanted = json_array_get(trace->expected, trace->at++);
  assert_non_null(wanted);
  assert_string_equal(json_string_value(json_array_get(wanted, 0)), kinds[event->kind]);
  assert_int_equal(element_integer(wanted, 1), event->edge);
  if (event->kind == PPLNN_TRANSFER) assert_int_equal(element_integer(wanted, 3), event->from);
  if (event->kind != PPLNN_ALLOC) return NEAP_OK;
  assert_int_equal(element_integer(wanted, 2), event->bytes);
  if (trace->policy == PPLNN_PLAIN) return NEAP_OK;
  bool slots = trace->policy == PPLNN_MRU || trace->policy == PPLNN_BEST_FIT;
  assert_int_equal(element_integer(wanted, 3),
                   slots ? (int64_t)event->handle.slot : event->handle.address);
  return NEAP_OK;
}

void replay_pplnn_run(const json_t *vector) {
  const json_t *expected = member(vector, "expected");
  struct pplnn_graph graph = read_graph(vector);
  struct pplnn_options options = read_options(member(vector, "config"));
  struct trace trace = {member_array(expected, "trace"), 0, options.policy};
  struct pplnn_manager *manager;
  neap_error error;
  expect_schedule(vector, &graph);
  assert_ok(pplnn_manager_new(&manager, &options, &error), &error);
  assert_ok(pplnn_run(&graph, manager, compare_event, &trace, &error), &error);
  assert_int_equal(trace.at, json_array_size(trace.expected));
  struct pplnn_figures figures = manager->figures;
  assert_int_equal(options.policy == PPLNN_PLAIN ? figures.peak : figures.buffered,
                   member_integer(expected, "buffered_bytes"));
  pplnn_manager_free(manager);
  free_graph(&graph);
}
