/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays PPL.NN's buffer managers, node order and runs (doc/pplnn.md). */
#include <string.h>

#include "runtimes/pplnn_manager.h"
#include "tests/vectors/pplnn_graph.h"
#include "tests/vectors/replay.h"

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
  struct pplnn_figures figures = pplnn_manager_figures(manager);
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
  struct pplnn_figures figures = pplnn_manager_figures(manager);
  assert_int_equal(options.policy == PPLNN_PLAIN ? figures.peak : figures.buffered,
                   member_integer(expected, "buffered_bytes"));
  pplnn_manager_free(manager);
  free_graph(&graph);
}
