/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays TensorFlow Lite's arena and arena planner (doc/tflite-arena.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "runtimes/tflite_planner.h"
#include "runtimes/tflm_greedy.h"
#include "tests/unit/vectors/replay.h"

/* ---------------------------------------------------------------- what no engine does */

/*
 * What TensorFlow Lite's arena and its planner do between runs and when sizes change during a run
 * (doc/tflite-arena.md, 3.5 and 3.6). The engines run a model once, with fixed sizes, so only the
 * vectors need this.
 */

/* Releases the buffer, but keeps the plan. */
static void arena_release_buffer(struct arena *arena) {
  arena->is_committed = false;
  arena->size = 0;
}

/* Deactivates the records that begin after a node. */
static void arena_purge_after(struct arena *arena, int64_t node) {
  size_t kept = 0;
  for (size_t i = 0; i < arena->count; i++)
    if (arena->active[i].first <= node) arena->active[kept++] = arena->active[i];
  arena->count = kept;
}

static int by_offset(const void *left, const void *right) {
  const struct arena_record *a = left, *b = right;
  if (a->offset != b->offset) return a->offset < b->offset ? -1 : 1;
  return a->tensor < b->tensor ? -1 : a->tensor > b->tensor;
}

/* Activates those of `count` records that are alive during a node. */
static neap_status arena_restore(struct arena *arena, const struct arena_record *records,
                                 size_t count, int64_t node, neap_error *error) {
  if (!memory_reserve(&arena->active, &arena->capacity, count, sizeof *arena->active))
    return error_memory(error);
  arena->count = 0;
  for (size_t i = 0; i < count; i++)
    if (records[i].size > 0 && records[i].first <= node && node <= records[i].last)
      arena->active[arena->count++] = records[i];
  if (arena->count > 0) qsort(arena->active, arena->count, sizeof *arena->active, by_offset);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the planner */

/* Undoes the allocations of later nodes, whose tensors have changed their sizes. */
static neap_status arena_planner_reset_after(struct arena_planner *planner, size_t node,
                                             neap_error *error) {
  for (size_t t = 0; t < planner->count; t++) {
    struct arena_record *record = &planner->records[t];
    if (record->size == 0 || record->first <= (int64_t)node ||
        planner->graph->tensors[t].type != ARENA_NORMAL)
      continue;
    *record = (struct arena_record){0, 0, t, -1, -1};
    planner->pointers[t] = NEAP_UNPLACED;
  }
  neap_status status = NEAP_OK;
  if (planner->last_active > (int64_t)node)
    status =
        arena_restore(&planner->normal, planner->records, planner->count, (int64_t)node, error);
  else arena_purge_after(&planner->normal, (int64_t)node);
  planner->last_active = (int64_t)node;
  return status;
}

/* Gives back the buffer of normal tensors, and gets it again. */
static void arena_planner_release(struct arena_planner *planner) {
  arena_release_buffer(&planner->normal);
  for (size_t t = 0; t < planner->count; t++)
    if (planner->graph->tensors[t].type == ARENA_NORMAL) planner->pointers[t] = NEAP_UNPLACED;
  planner->has_normal = false;
}

static void arena_planner_acquire(struct arena_planner *planner) {
  bool moved;
  arena_commit(&planner->normal, &moved);
  for (size_t t = 0; t < planner->count; t++)
    if (planner->graph->tensors[t].type == ARENA_NORMAL) arena_planner_resolve(planner, t);
  planner->has_normal = true;
}

/* ---------------------------------------------------------------- replaying */

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

/* ---------------------------------------------------------------- TensorFlow Lite Micro */

/* Its greedy planner (doc/tflm-greedy.md). */

static struct records read_requests(const json_t *requests) {
  struct records records = {.count = json_array_size(requests)};
  records.items = test_calloc(records.count + 1, sizeof *records.items);
  for (size_t i = 0; i < records.count; i++) {
    const json_t *request = json_array_get(requests, i);
    assert_int_equal(member_integer(request, "id"), i);
    records.items[i] =
        (struct record){member_integer(request, "size"), member_integer(request, "first"),
                        member_integer(request, "last")};
  }
  return records;
}

/* The runtime rounds the size of every request, and so the end of the highest one. */
void replay_tflm_requests(const json_t *vector) {
  struct records records = read_requests(member_array(vector, "requests"));
  neap_size alignment = member_integer(vector, "alignment"), total;
  neap_offset *offsets = test_calloc(records.count + 1, sizeof *offsets);
  const json_t *expected = member(vector, "expected");
  struct budget budget;
  neap_error error;
  budget_init(&budget, 0, 0);
  assert_ok(tflm_greedy(&records, alignment, offsets, &total, &budget, &error), &error);
  expect_integers(member_array(expected, "offsets"), offsets, records.count, "offsets");
  assert_int_equal(round_up(total, alignment), member_integer(expected, "head"));
  test_free(offsets);
  test_free(records.items);
}
