/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays NNVM's memory pass (doc/nnvm.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "runtimes/nnvm.h"
#include "tests/unit/vectors/replay.h"

/* ---------------------------------------------------------------- colouring */

/* Repeatedly gives a colour to the longest path of uncoloured nodes. */

/*
 * NNVM's colouring, for operators that run in parallel (doc/nnvm.md, section 6). The engines plan
 * for one operator at a time, as NNVM does by default, so only the vectors need this.
 */

#define NO_COLOUR SIZE_MAX

struct paths {
  const struct nnvm_graph *graph;
  uint64_t *reward, *best;
  size_t *next, *producer; /* of each entry */
};

/* The first node of the best path; its reward is best[node]. */
static size_t find_path(struct paths *paths) {
  size_t count = paths->graph->node_count, start = count;
  uint64_t most = 0;
  for (size_t v = 0; v < count; v++) {
    paths->best[v] = 0;
    paths->next[v] = count;
  }
  for (size_t v = count; v-- > 0;) {
    const struct nnvm_node *node = &paths->graph->nodes[v];
    paths->best[v] += paths->reward[v];
    if (paths->best[v] > most) {
      most = paths->best[v];
      start = v;
    }
    for (size_t i = 0; i < node->input_count; i++) {
      size_t producer = paths->producer[node->inputs[i]];
      if (paths->best[v] <= paths->best[producer]) continue;
      paths->best[producer] = paths->best[v];
      paths->next[producer] = v;
    }
  }
  return start;
}

static void colour_paths(struct paths *paths, size_t max_colours, size_t *colours,
                         size_t *count) {
  size_t nodes = paths->graph->node_count, colour = 0;
  for (; colour < max_colours - 1; colour++) {
    size_t start = find_path(paths);
    if (start == nodes) break;
    for (size_t v = start; v != nodes; v = paths->next[v]) {
      if (paths->reward[v] == 0) continue;
      colours[v] = colour;
      paths->reward[v] = 0;
    }
  }
  for (size_t v = 0; v < nodes; v++)
    if (colours[v] == NO_COLOUR) colours[v] = colour;
  *count = colour + 1;
}

/*
 * Colours the nodes so that all nodes of a colour lie on one path. `colours` has one element
 * per node.
 */
static neap_status nnvm_colour(const struct nnvm_graph *graph, size_t max_colours,
                               size_t *colours, size_t *count, neap_error *error) {
  if (max_colours < 1)
    return error_set(error, NEAP_ERROR_ARGUMENT, "nnvm: expected at least one colour, found 0");
  struct paths paths = {.graph = graph};
  paths.reward = memory_array(graph->node_count, sizeof *paths.reward);
  paths.best = memory_array(graph->node_count, sizeof *paths.best);
  paths.next = memory_array(graph->node_count, sizeof *paths.next);
  paths.producer = memory_array(graph->entry_count, sizeof *paths.producer);
  bool good = paths.reward && paths.best && paths.next && paths.producer;
  for (size_t v = 0; v < graph->node_count && good; v++) {
    const struct nnvm_node *node = &graph->nodes[v];
    paths.reward[v] = node->is_variable ? 0 : 1;
    colours[v] = NO_COLOUR;
    for (size_t o = 0; o < node->output_count; o++)
      paths.producer[node->first_entry + o] = v;
  }
  if (good) colour_paths(&paths, max_colours, colours, count);
  free(paths.reward);
  free(paths.best);
  free(paths.next);
  free(paths.producer);
  return good ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- assignments */

/*
 * What NNVM's compiler and runtime do with the pass's plan: they give storage to variables and
 * assignments, and allocate the pool (doc/nnvm.md, sections 7 and 8). No engine needs this, but
 * the vectors do.
 */

/* How a node assigns its second input to the variable that is its first input. */
enum nnvm_assign {
  NNVM_NO_ASSIGN,
  NNVM_ASSIGN,          /* by copying */
  NNVM_ASSIGN_COLLAPSED /* its second input is computed directly in the variable's storage */
};

static int64_t next_id(const struct nnvm_graph *graph, const int64_t *storage) {
  int64_t next = 0;
  for (size_t e = 0; e < graph->entry_count; e++)
    if (storage[e] >= next) next = storage[e] + 1;
  return next;
}

static size_t producer_of(const struct nnvm_graph *graph, size_t entry) {
  struct bisection search = bisection_of(0, graph->node_count - 1);
  while (bisection_open(&search)) {
    const struct nnvm_node *node = &graph->nodes[search.middle];
    bisection_step(&search, node->first_entry + node->output_count <= entry);
  }
  return search.low;
}

/*
 * A collapsed assignment writes the variable when its second input is computed. That is wrong
 * if another node reads the variable between then and the assignment.
 */
static neap_status check_collapsed(const struct nnvm_graph *graph, size_t n,
                                   neap_error *error) {
  const struct nnvm_node *node = &graph->nodes[n];
  size_t from = producer_of(graph, node->inputs[1]);
  for (size_t other = from + 1; other < n; other++)
    for (size_t i = 0; i < graph->nodes[other].input_count; i++)
      if (graph->nodes[other].inputs[i] == node->inputs[0])
        return error_set(error, NEAP_ERROR_INPUT,
                         "node %zu: a collapsed assignment would overwrite the variable before "
                         "node %zu has read it",
                         n, other);
  return NEAP_OK;
}

/*
 * Gives each variable its own storage, and each assignment the storage of its variable.
 * NEAP_ERROR_INPUT if an entry has no storage, or if a collapsed assignment would be wrong
 * because its second input shares a block with another entry or because the variable's old
 * value is still read.
 */
static neap_status nnvm_decorate(const struct nnvm_graph *graph,
                                 const enum nnvm_assign *assigns, int64_t *storage,
                                 neap_error *error) {
  int64_t next = next_id(graph, storage);
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct nnvm_node *node = &graph->nodes[n];
    for (size_t o = 0; o < node->output_count; o++) {
      if (node->is_variable) storage[node->first_entry + o] = next++;
      else if (storage[node->first_entry + o] < 0)
        return error_set(
            error, NEAP_ERROR_INPUT,
            "node %zu: output %zu has no storage; only static graphs can be planned", n, o);
    }
  }
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct nnvm_node *node = &graph->nodes[n];
    if (assigns[n] == NNVM_NO_ASSIGN) continue;
    if (node->input_count != 2)
      return error_set(error, NEAP_ERROR_INPUT,
                       "node %zu: expected an assignment to have two inputs, found %zu", n,
                       node->input_count);
    storage[node->first_entry] = storage[node->inputs[0]];
    if (assigns[n] != NNVM_ASSIGN_COLLAPSED) continue;
    neap_status status = check_collapsed(graph, n, error);
    if (status != NEAP_OK) return status;
    storage[node->inputs[1]] = storage[node->inputs[0]];
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the pool */

static neap_status grow_slot(const struct nnvm_graph *graph, size_t entry, neap_size *slot,
                             neap_error *error) {
  const struct nnvm_entry *info = &graph->entries[entry];
  int bits = info->type.bits * info->type.lanes;
  neap_size bytes;
  if (bits % 8 != 0 && bits != 1)
    return error_set(error, NEAP_ERROR_INPUT,
                     "entry %zu: expected elements of whole bytes or of one bit, found %d bits",
                     entry, bits);
  if (info->elements < 0 || !checked_mul(info->elements, (bits + 7) / 8, &bytes))
    return error_set(error, NEAP_ERROR_INPUT, "entry %zu: its size is unknown or too large",
                     entry);
  if (bytes > *slot) *slot = bytes;
  return NEAP_OK;
}

/*
 * The pool that the runtime allocates: for each storage id, the bytes of its largest entry, by
 * true element widths and in units of four. *bytes is released with free().
 */
static neap_status nnvm_pool(const struct nnvm_graph *graph, const int64_t *storage,
                             neap_size **bytes, size_t *count, neap_error *error) {
  *count = (size_t)next_id(graph, storage);
  *bytes = memory_array(*count, sizeof **bytes);
  int *devices = memory_array(*count, sizeof *devices);
  bool *used = memory_array(*count, sizeof *used);
  neap_status status = *bytes && devices && used ? NEAP_OK : error_memory(error);
  for (size_t n = 0; n < graph->node_count; n++) {
    const struct nnvm_node *node = &graph->nodes[n];
    for (size_t e = node->first_entry;
         e < node->first_entry + node->output_count && status == NEAP_OK; e++) {
      int64_t id = storage[e];
      if (id < 0) status = error_set(error, NEAP_ERROR_INPUT, "entry %zu has no storage", e);
      else if (used[id] && devices[id] != node->device)
        status = error_set(error, NEAP_ERROR_INPUT,
                           "storage %" PRId64 ": its entries are on devices %d and %d", id,
                           devices[id], node->device);
      else {
        used[id] = true;
        devices[id] = node->device;
        status = grow_slot(graph, e, &(*bytes)[id], error);
      }
    }
  }
  free(devices);
  free(used);
  if (status == NEAP_OK) return NEAP_OK;
  free(*bytes);
  *bytes = NULL;
  return status;
}

/* ---------------------------------------------------------------- replaying */

struct nnvm_case {
  struct nnvm_graph graph;
  struct nnvm_node *nodes;
  struct nnvm_entry *entries;
  size_t *outputs;
};

/* ---------------------------------------------------------------- reading */

static struct nnvm_type read_type(const char *name) {
  static const char *const kinds[] = {"int", "uint", "float", "bool", "bfloat"};
  struct nnvm_type type = {-1, 8, 1};
  for (size_t k = 0; k < SAMPLE_COUNT(kinds); k++) {
    size_t length = strlen(kinds[k]);
    if (strncmp(name, kinds[k], length) != 0) continue;
    type.code = (int)k;
    if (name[length]) type.bits = atoi(name + length);
  }
  if (type.code < 0) fail_msg("unknown type %s", name);
  return type;
}

static neap_size read_elements(const json_t *shape) {
  if (json_is_null(shape)) return NNVM_UNKNOWN;
  if (json_array_size(shape) == 0) return NNVM_UNKNOWN;
  neap_size elements = 1;
  for (size_t d = 0; d < json_array_size(shape); d++)
    elements *= element_integer(shape, d);
  return elements;
}

/* Converts [node, output] to an entry. */
static size_t read_entry(const struct nnvm_case *given, const json_t *pair) {
  return given->nodes[element_integer(pair, 0)].first_entry + (size_t)element_integer(pair, 1);
}

static size_t *read_inputs(const struct nnvm_case *given, const json_t *list) {
  size_t *entries = test_calloc(json_array_size(list) + 1, sizeof *entries);
  for (size_t i = 0; i < json_array_size(list); i++)
    entries[i] = read_entry(given, json_array_get(list, i));
  return entries;
}

static struct nnvm_pair *read_pairs(const json_t *node, size_t *count) {
  const json_t *pairs = member(node, "inplace_pairs"), *same = member(node, "inplace_identity");
  *count = json_array_size(pairs);
  struct nnvm_pair *made = test_calloc(*count + 1, sizeof *made);
  for (size_t p = 0; p < *count; p++) {
    const json_t *pair = json_array_get(pairs, p);
    bool identity = json_is_array(same) && (json_is_true(json_array_get(same, p)) ||
                                            json_integer_value(json_array_get(same, p)) == 1);
    made[p] = (struct nnvm_pair){(size_t)element_integer(pair, 0),
                                 (size_t)element_integer(pair, 1), identity};
  }
  return made;
}

static void read_nodes(struct nnvm_case *given, const json_t *nodes) {
  size_t entry = 0;
  for (size_t n = 0; n < json_array_size(nodes); n++) {
    const json_t *node = json_array_get(nodes, n);
    struct nnvm_node *made = &given->nodes[n];
    made->is_variable = json_is_true(member(node, "variable"));
    made->device = (int)member_integer(node, "device");
    made->first_entry = entry;
    made->output_count = (size_t)member_integer(node, "num_outputs");
    entry += made->output_count;
    made->input_count = json_array_size(member(node, "inputs"));
    made->inputs = read_inputs(given, member(node, "inputs"));
    made->pairs = read_pairs(node, &made->pair_count);
    made->ignored_count = json_array_size(member(node, "ignore_inputs"));
    made->ignored = vector_sizes(member(node, "ignore_inputs"));
  }
}

static void read_entries(struct nnvm_case *given, const json_t *vector) {
  const json_t *entries = member_array(vector, "entries"),
               *external = member(vector, "external");
  for (size_t e = 0; e < json_array_size(entries); e++) {
    const json_t *entry = json_array_get(entries, e);
    char key[32];
    snprintf(key, sizeof key, "%zu", e);
    const json_t *storage = json_object_get(external, key);
    given->entries[e] = (struct nnvm_entry){read_elements(member(entry, "shape")),
                                            read_type(member_text(entry, "dtype")),
                                            storage ? json_integer_value(storage) : NNVM_NONE};
  }
}

static struct nnvm_case read_sample(const json_t *vector) {
  const json_t *nodes = member_array(vector, "nodes"),
               *entries = member_array(vector, "entries");
  const json_t *outputs = member_array(vector, "graph_outputs");
  struct nnvm_case given = {
      .nodes = test_calloc(json_array_size(nodes) + 1, sizeof *given.nodes),
      .entries = test_calloc(json_array_size(entries) + 1, sizeof *given.entries)};
  read_nodes(&given, nodes);
  read_entries(&given, vector);
  given.outputs = read_inputs(&given, outputs);
  given.graph = (struct nnvm_graph){given.nodes,   json_array_size(nodes),
                                    given.entries, json_array_size(entries),
                                    given.outputs, json_array_size(outputs)};
  return given;
}

static void free_sample(struct nnvm_case *given) {
  for (size_t n = 0; n < given->graph.node_count; n++) {
    const void *parts[] = {given->nodes[n].inputs, given->nodes[n].pairs,
                           given->nodes[n].ignored};
    for (size_t p = 0; p < SAMPLE_COUNT(parts); p++) {
      void *part = (void *)(uintptr_t)parts[p];
      test_free(part);
    }
  }
  test_free(given->nodes);
  test_free(given->entries);
  test_free(given->outputs);
}

/* ---------------------------------------------------------------- comparing */

static void expect_plan(const json_t *expected, const struct nnvm_plan *plan, size_t entries) {
  expect_integers(member_array(expected, "storage_id"), plan->storage, entries, "storage_id");
  expect_integers(member_array(expected, "inplace_index"), plan->inplace, entries,
                  "inplace_index");
  expect_integers(member_array(expected, "block_bytes"), plan->blocks, plan->block_count,
                  "block_bytes");
  assert_int_equal(plan->total, member_integer(expected, "bytes"));
  assert_int_equal(plan->not_allocated, member_integer(expected, "not_allocated"));
  assert_int_equal(plan->match_range, member_integer(expected, "match_range"));
}

static void replay_pool(const json_t *expected, const struct nnvm_case *given,
                        const int64_t *storage) {
  const json_t *wanted = json_object_get(expected, "runtime_pool_bytes");
  neap_size *bytes;
  size_t count;
  neap_error error;
  if (!wanted) return;
  assert_ok(nnvm_pool(&given->graph, storage, &bytes, &count, &error), &error);
  expect_integers(wanted, bytes, count, "runtime_pool_bytes");
  free(bytes);
}

static void replay_assigns(const json_t *vector, const struct nnvm_case *given,
                           const struct nnvm_plan *plan) {
  const json_t *expected = member(vector, "expected");
  const json_t *wanted = json_object_get(expected, "decorated_storage_id");
  if (!wanted) return;
  enum nnvm_assign *assigns = test_calloc(given->graph.node_count + 1, sizeof *assigns);
  const char *node;
  json_t *flag;
  json_object_foreach((json_t *)(uintptr_t)member(vector, "assign_flag"), node, flag)
      assigns[atoi(node)] = (enum nnvm_assign)json_integer_value(flag);
  int64_t *storage = test_calloc(given->graph.entry_count + 1, sizeof *storage);
  memcpy(storage, plan->storage, given->graph.entry_count * sizeof *storage);
  neap_error error;
  assert_ok(nnvm_decorate(&given->graph, assigns, storage, &error), &error);
  expect_integers(wanted, storage, given->graph.entry_count, "decorated_storage_id");
  replay_pool(expected, given, storage);
  test_free(assigns);
  test_free(storage);
}

/* The colour of each node, compared with what the vector expects; released with test_free. */
static size_t *replay_colours(const json_t *vector, const struct nnvm_case *given) {
  const json_t *expected = member(vector, "expected");
  const json_t *wanted = json_object_get(expected, "node_color");
  size_t most = (size_t)member_integer(member(vector, "options"), "num_temp_colors");
  size_t *colours = test_calloc(given->graph.node_count + 1, sizeof *colours), count;
  neap_error error;
  assert_ok(nnvm_colour(&given->graph, most, colours, &count, &error), &error);
  if (wanted) {
    expect_sizes(wanted, colours, given->graph.node_count, "node_color");
    assert_int_equal(count, member_integer(expected, "num_colors"));
  }
  return colours;
}

/* With a single colour, all nodes have it, and it rules out nothing. */
static void replay_variant(const json_t *vector, const struct nnvm_case *given,
                           const char *variant, bool real_widths) {
  const json_t *wanted = member(vector, "options");
  size_t *colours = replay_colours(vector, given);
  struct nnvm_options options = {.match_range = member_integer(wanted, "match_range"),
                                 .auto_search = json_is_true(member(wanted, "auto_search")),
                                 .colours = colours,
                                 .real_widths = real_widths};
  struct nnvm_plan plan = {0};
  struct budget budget;
  neap_error error;
  budget_init(&budget, 0, 0);
  assert_ok(nnvm_plan(&given->graph, &options, &plan, &budget, &error), &error);
  expect_plan(member(member(vector, "expected"), variant), &plan, given->graph.entry_count);
  if (!real_widths) replay_assigns(vector, given, &plan);
  nnvm_plan_clear(&plan);
  test_free(colours);
}

void replay_nnvm(const json_t *vector) {
  struct nnvm_case given = read_sample(vector);
  replay_variant(vector, &given, "nnvm", false);
  if (json_object_get(member(vector, "expected"), "mxnet"))
    replay_variant(vector, &given, "mxnet", true);
  free_sample(&given);
}
