/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays NNVM's memory pass (doc/nnvm.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/nnvm_assign.h"
#include "tests/unit/nnvm_colour.h"
#include "tests/unit/replay.h"

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
