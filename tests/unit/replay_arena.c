/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays TensorFlow Lite's arena and arena planner (doc/tflite-arena.md). */
#include <stdio.h>
#include <string.h>

#include "tests/unit/arena_steps.h"
#include "tests/unit/replay.h"

/* ---------------------------------------------------------------- the arena */

static void expect_member(const json_t *expected, const char *key, int64_t found) {
  const json_t *value = json_object_get(expected, key);
  if (value) assert_int_equal(json_integer_value(value), found);
}

static void step_arena(struct arena *arena, const json_t *step, const json_t *expected) {
  const char *op = json_string_value(json_array_get(step, 0));
  if (strcmp(op, "alloc") == 0) {
    struct arena_record record = {0, element_integer(step, 2), (size_t)element_integer(step, 3),
                                  element_integer(step, 4), element_integer(step, 5)};
    neap_error error;
    neap_status status = arena_allocate(arena, element_integer(step, 1), &record, &error);
    expect_member(expected, "ok", status == NEAP_OK);
    expect_member(expected, "offset", record.offset);
    expect_member(expected, "hw", arena->high_water);
  } else if (strcmp(op, "purge_active") == 0) {
    arena_purge_before(arena, element_integer(step, 1));
  } else if (strcmp(op, "purge_after") == 0) {
    arena_purge_after(arena, element_integer(step, 1));
  } else if (strcmp(op, "reset_allocs") == 0) {
    arena_reset(arena);
  } else if (strcmp(op, "clear_plan") == 0) {
    arena_clear_plan(arena);
  } else if (strcmp(op, "release_buffer") == 0) {
    arena_release_buffer(arena);
  } else if (strcmp(op, "commit") == 0) {
    bool moved;
    arena_commit(arena, &moved);
    expect_member(expected, "commit_ok", arena->is_committed);
    expect_member(expected, "reallocated", moved);
    expect_member(expected, "size", arena->size);
  } else {
    fail_msg("unknown operation %s", op);
  }
}

/* Returns what the vector expects after a step, or NULL. */
static const json_t *expected_at(const json_t *list, size_t step) {
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *expected = json_array_get(list, i);
    if ((size_t)member_integer(expected, "step") == step) return expected;
  }
  return NULL;
}

void replay_arena(const json_t *vector) {
  const json_t *steps = member_array(vector, "steps");
  const json_t *expected = member_array(vector, "expected");
  struct arena arena = {0};
  assert_int_equal(member_integer(vector, "arena_alignment"), ARENA_ALIGNMENT);
  for (size_t s = 0; s < json_array_size(steps); s++)
    step_arena(&arena, json_array_get(steps, s), expected_at(expected, s));
  arena_clear(&arena);
}

/* ---------------------------------------------------------------- the planner */

static struct arena_list read_list(const json_t *array) {
  return (struct arena_list){vector_integers(array), json_array_size(array)};
}

static void free_list(struct arena_list list) {
  int64_t *items = (int64_t *)(uintptr_t)list.items;
  test_free(items);
}

static enum arena_type read_type(const char *name) {
  if (strcmp(name, "arena_rw") == 0) return ARENA_NORMAL;
  return strcmp(name, "arena_rw_persistent") == 0 ? ARENA_PERSISTENT : ARENA_ELSEWHERE;
}

static struct arena_node *read_nodes(const json_t *nodes) {
  struct arena_node *made = test_calloc(json_array_size(nodes) + 1, sizeof *made);
  for (size_t k = 0; k < json_array_size(nodes); k++) {
    const json_t *node = json_array_get(nodes, k);
    made[k] = (struct arena_node){read_list(member_array(node, "inputs")),
                                  read_list(member_array(node, "outputs")),
                                  read_list(member_array(node, "temporaries")),
                                  (unsigned)member_integer(node, "inplace_flags")};
  }
  return made;
}

static struct arena_graph read_graph(const json_t *vector) {
  const json_t *tensors = member_array(vector, "tensors"),
               *nodes = member_array(vector, "nodes");
  struct arena_graph graph = {.tensor_count = json_array_size(tensors),
                              .nodes = read_nodes(nodes),
                              .node_count = json_array_size(nodes),
                              .inputs = read_list(member_array(vector, "inputs")),
                              .outputs = read_list(member_array(vector, "outputs")),
                              .variables = read_list(member_array(vector, "variables"))};
  graph.tensors = test_calloc(graph.tensor_count + 1, sizeof *graph.tensors);
  for (size_t t = 0; t < graph.tensor_count; t++) {
    const json_t *tensor = json_array_get(tensors, t);
    graph.tensors[t] = (struct arena_tensor){member_integer(tensor, "bytes"),
                                             read_type(member_text(tensor, "type"))};
  }
  return graph;
}

static void free_graph(struct arena_graph *graph) {
  for (size_t k = 0; k < graph->node_count; k++) {
    free_list(graph->nodes[k].inputs);
    free_list(graph->nodes[k].outputs);
    free_list(graph->nodes[k].temporaries);
  }
  struct arena_node *nodes = (struct arena_node *)(uintptr_t)graph->nodes;
  test_free(nodes);
  test_free(graph->tensors);
  free_list(graph->inputs);
  free_list(graph->outputs);
  free_list(graph->variables);
}

static void expect_shares(const json_t *expected, const struct arena_planner *planner,
                          size_t count) {
  const json_t *shares = member(expected, "shares_with");
  for (size_t t = 0; t < count; t++) {
    char key[32];
    snprintf(key, sizeof key, "%zu", t);
    const json_t *with = json_object_get(shares, key);
    int64_t wanted = with ? json_integer_value(with) : ARENA_ABSENT;
    assert_int_equal(arena_planner_tensor(planner, t).shares_with, wanted);
  }
}

static void check_planner(const struct arena_planner *planner, size_t count,
                          const json_t *expected) {
  int64_t *offsets = test_calloc(count + 1, sizeof *offsets);
  int64_t *first = test_calloc(count + 1, sizeof *first);
  int64_t *last = test_calloc(count + 1, sizeof *last);
  for (size_t t = 0; t < count; t++) {
    struct arena_tensor_state state = arena_planner_tensor(planner, t);
    offsets[t] = state.offset;
    first[t] = state.first;
    last[t] = state.last;
  }
  expect_optional(member_array(expected, "offsets"), offsets, count, NEAP_UNPLACED, "offsets");
  expect_optional(member_array(expected, "alloc_node"), first, count, ARENA_UNTIL_END, "alloc");
  expect_optional(member_array(expected, "dealloc_node"), last, count, ARENA_UNTIL_END, "free");
  expect_shares(expected, planner, count);
  struct arena_sizes sizes = arena_planner_sizes(planner);
  assert_int_equal(sizes.normal, member_integer(expected, "arena_bytes"));
  assert_int_equal(sizes.persistent, member_integer(expected, "persistent_bytes"));
  assert_int_equal(sizes.has_normal, member_integer(expected, "has_nonpersistent"));
  test_free(offsets);
  test_free(first);
  test_free(last);
}

static void step_planner(struct arena_planner *planner, struct arena_graph *graph,
                         const json_t *step, const json_t *expected) {
  const char *op = json_string_value(json_array_get(step, 0));
  neap_error error;
  if (strcmp(op, "plan") == 0) assert_ok(arena_planner_plan(planner, &error), &error);
  else if (strcmp(op, "exec") == 0)
    assert_ok(arena_planner_execute(planner, (size_t)element_integer(step, 1),
                                    (size_t)element_integer(step, 2), &error),
              &error);
  else if (strcmp(op, "check") == 0) check_planner(planner, graph->tensor_count, expected);
  else if (strcmp(op, "reset_after") == 0)
    assert_ok(arena_planner_reset_after(planner, (size_t)element_integer(step, 1), &error),
              &error);
  else if (strcmp(op, "reset_allocations") == 0) arena_planner_reset(planner);
  else if (strcmp(op, "set_bytes") == 0)
    graph->tensors[element_integer(step, 1)].bytes = element_integer(step, 2);
  else if (strcmp(op, "set_type") == 0)
    graph->tensors[element_integer(step, 1)].type =
        read_type(json_string_value(json_array_get(step, 2)));
  else if (strcmp(op, "release_nonpersistent") == 0) arena_planner_release(planner);
  else if (strcmp(op, "acquire_nonpersistent") == 0) arena_planner_acquire(planner);
  else fail_msg("unknown step %s", op);
}

void replay_arena_planner(const json_t *vector) {
  const json_t *steps = member_array(vector, "steps");
  struct arena_graph graph = read_graph(vector);
  struct arena_options options = {member_integer(vector, "alignment"),
                                  member_integer(vector, "preserve_all") != 0, true, false};
  struct arena_planner *planner;
  neap_error error;
  assert_ok(arena_planner_new(&planner, &graph, &options, &error), &error);
  for (size_t s = 0; s < json_array_size(steps); s++)
    step_planner(planner, &graph, json_array_get(steps, s),
                 expected_at(member_array(vector, "expected"), s));
  arena_planner_free(planner);
  free_graph(&graph);
}
