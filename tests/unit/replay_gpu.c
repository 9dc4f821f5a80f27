/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays the strategies of TensorFlow Lite's GPU delegate (doc/tflite-gpu.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtimes/tflite_gpu.h"
#include "tests/unit/gpu_extents.h"
#include "tests/unit/replay.h"

static struct budget no_limit(void) {
  struct budget budget;
  budget_init(&budget, 0, 0);
  return budget;
}

/* ---------------------------------------------------------------- bytes */

static struct records read_records(const json_t *tensors) {
  struct records records = {.count = json_array_size(tensors)};
  records.items = test_calloc(records.count + 1, sizeof *records.items);
  for (size_t i = 0; i < records.count; i++) {
    const json_t *tensor = json_array_get(tensors, i);
    assert_int_equal(member_integer(tensor, "id"), i);
    records.items[i] =
        (struct record){member_integer(tensor, "size"), member_integer(tensor, "first_task"),
                        member_integer(tensor, "last_task")};
  }
  return records;
}

static void expect_objects(const json_t *expected, const struct records *records,
                           const struct objects *objects, const char *name) {
  expect_sizes(member_array(expected, "object_ids"), objects->of, records->count, name);
  expect_integers(member_array(expected, "object_sizes"), objects->sizes, objects->count, name);
  neap_offset *offsets = test_calloc(records->count + 1, sizeof *offsets);
  neap_size total;
  neap_error error;
  assert_ok(objects_concatenate(objects, records->count, 1, offsets, &total, &error), &error);
  const json_t *concatenated = json_object_get(expected, "offsets_if_concatenated");
  if (concatenated) expect_integers(concatenated, offsets, records->count, name);
  assert_int_equal(total, member_integer(expected, "total"));
  assert_int_equal(total, objects_total(objects));
  test_free(offsets);
}

static const struct strategy {
  const char *name;
  gpu_strategy *assign;
} strategies[] = {
    {"NAIVE", gpu_naive},
    {"EQUALITY", gpu_equality_hashed},
    {"GREEDY_IN_ORDER", gpu_greedy_in_order},
    {"GREEDY_BY_BREADTH", gpu_greedy_by_breadth},
    {"GREEDY_BY_SIZE", gpu_greedy_by_size},
    {"GREEDY_BEST", gpu_greedy_best},
    {"MINCOSTFLOW", gpu_min_cost_flow},
};

static bool is_sorted(const struct records *records) {
  for (size_t i = 1; i < records->count; i++)
    if (records->items[i].first < records->items[i - 1].first) return false;
  return true;
}

/* Without an expected result, unsorted records must be refused; sorted ones are not tested. */
static void replay_strategy(const json_t *vector, const struct records *records,
                            const struct strategy *strategy) {
  const json_t *expected = json_object_get(member(vector, "expected_objects"), strategy->name);
  if (!expected && is_sorted(records)) return;
  struct objects objects = {0};
  struct budget budget = no_limit();
  neap_error error;
  neap_status status = strategy->assign(records, &objects, &budget, &error);
  if (expected) {
    assert_ok(status, &error);
    expect_objects(expected, records, &objects, strategy->name);
  } else {
    assert_int_equal(status, NEAP_ERROR_INPUT);
  }
  objects_clear(&objects);
}

static void replay_offsets(const json_t *vector, const struct records *records) {
  const char *alignment;
  json_t *expected;
  neap_offset *offsets = test_calloc(records->count + 1, sizeof *offsets);
  json_object_foreach((json_t *)(uintptr_t)member(vector, "expected_offsets_greedy_by_size"),
                      alignment, expected) {
    struct budget budget = no_limit();
    neap_size total;
    neap_error error;
    assert_ok(
        gpu_offset_greedy_by_size(records, atoi(alignment), offsets, &total, &budget, &error),
        &error);
    expect_integers(member_array(expected, "offsets"), offsets, records->count, alignment);
    assert_int_equal(total, member_integer(expected, "total_size"));
  }
  test_free(offsets);
}

/* The largest breadth of a task is the bound of a problem with these tensors. */
static neap_size breadth_of(const struct records *records) {
  struct sample *samples = test_calloc(records->count + 1, sizeof *samples);
  for (size_t i = 0; i < records->count; i++)
    samples[i] = (struct sample){.start = records->items[i].first,
                                 .end = records->items[i].last + 1,
                                 .size = records->items[i].size};
  neap_problem *problem = sample_problem(samples, records->count);
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  neap_problem_free(problem);
  test_free(samples);
  return bound.bytes;
}

static void replay_bounds(const json_t *vector, const struct records *records) {
  neap_size *maxima;
  size_t count;
  neap_error error;
  assert_ok(records_positional_maxima(records, &maxima, &count, &error), &error);
  expect_integers(member_array(vector, "positional_max"), maxima, count, "positional_max");
  free(maxima);
  assert_int_equal(breadth_of(records), member_integer(vector, "max_task_breadth"));
}

/* ---------------------------------------------------------------- re-allocation graphs */

static struct adjacency read_graph(const json_t *lists) {
  struct adjacency graph = {.count = json_array_size(lists)};
  size_t total = 0;
  for (size_t v = 0; v < graph.count; v++)
    total += json_array_size(json_array_get(lists, v));
  graph.ends = test_calloc(graph.count + 1, sizeof *graph.ends);
  graph.neighbours = test_calloc(total + 1, sizeof *graph.neighbours);
  for (size_t v = 0, end = 0; v < graph.count; v++) {
    const json_t *list = json_array_get(lists, v);
    for (size_t i = 0; i < json_array_size(list); i++)
      graph.neighbours[end++] = (size_t)element_integer(list, i);
    graph.ends[v] = end;
  }
  return graph;
}

static void expect_graph(const json_t *expected, const struct reallocation *found) {
  assert_int_equal(json_array_size(expected), found->graph.count);
  for (size_t v = 0; v < found->graph.count; v++) {
    size_t begin = adjacency_begin(&found->graph, v);
    expect_sizes(json_array_get(expected, v), &found->graph.neighbours[begin],
                 found->graph.ends[v] - begin, "reallocation_graph");
  }
}

static struct reallocation replay_graph(const json_t *vector) {
  struct adjacency dependencies = read_graph(member_array(vector, "deps_graph"));
  struct reallocation graph;
  neap_error error;
  struct budget budget = no_limit();
  assert_ok(reallocation_init(&graph, &dependencies, &budget, &error), &error);
  expect_graph(member_array(vector, "reallocation_graph"), &graph);
  test_free(dependencies.ends);
  test_free(dependencies.neighbours);
  return graph;
}

void replay_reallocation_graph(const json_t *vector) {
  struct reallocation graph = replay_graph(vector);
  reallocation_clear(&graph);
}

static void replay_parallel(const json_t *vector, const struct records *records) {
  if (!json_object_get(vector, "deps_graph")) return;
  struct reallocation graph = replay_graph(vector);
  const json_t *expected =
      member(member(vector, "expected_objects"), "GREEDY_IN_ORDER+REALLOC");
  struct objects objects = {0};
  struct budget budget = no_limit();
  neap_error error;
  assert_ok(gpu_greedy_in_order_parallel(records, &graph, &objects, &budget, &error), &error);
  expect_objects(expected, records, &objects, "GREEDY_IN_ORDER+REALLOC");
  objects_clear(&objects);
  reallocation_clear(&graph);
}

void replay_gpu(const json_t *vector) {
  struct records records = read_records(member_array(vector, "tensors"));
  for (size_t s = 0; s < SAMPLE_COUNT(strategies); s++)
    replay_strategy(vector, &records, &strategies[s]);
  replay_offsets(vector, &records);
  replay_bounds(vector, &records);
  replay_parallel(vector, &records);
  test_free(records.items);
}

void replay_objects_to_offsets(const json_t *vector) {
  const json_t *ids = member_array(vector, "object_ids");
  const json_t *sizes = member_array(vector, "object_sizes");
  struct objects objects = {.of = vector_sizes(ids),
                            .sizes = vector_integers(sizes),
                            .count = json_array_size(sizes)};
  size_t count = json_array_size(ids);
  neap_offset *offsets = test_calloc(count + 1, sizeof *offsets);
  neap_size total;
  neap_error error;
  const json_t *expected = member(vector, "expected");
  assert_ok(objects_concatenate(&objects, count, 1, offsets, &total, &error), &error);
  expect_integers(member_array(expected, "offsets"), offsets, count, "offsets");
  assert_int_equal(total, member_integer(expected, "total_size"));
  test_free(offsets);
  test_free(objects.of);
  test_free(objects.sizes);
}

/* ---------------------------------------------------------------- textures */

static struct extent read_extent(const json_t *size) {
  struct extent extent = {{1, 1, 1, 1}};
  assert_in_range(json_array_size(size), 2, EXTENT_DIMENSIONS);
  for (size_t d = 0; d < json_array_size(size); d++)
    extent.along[d] = element_integer(size, d);
  return extent;
}

typedef neap_status extent_strategy(const struct extent_records *records,
                                    struct extent_objects *objects, neap_error *error);

static void replay_extents(const json_t *expected, const struct extent_records *records,
                           extent_strategy *assign, const char *name) {
  struct extent_objects objects = {0};
  neap_error error;
  assert_ok(assign(records, &objects, &error), &error);
  expect_sizes(member_array(expected, "object_ids"), objects.of, records->count, name);
  const json_t *sizes = member_array(expected, "object_sizes");
  assert_int_equal(json_array_size(sizes), objects.count);
  for (size_t o = 0; o < objects.count; o++) {
    struct extent wanted = read_extent(json_array_get(sizes, o));
    assert_memory_equal(&wanted, &objects.extents[o], sizeof wanted);
  }
  extent_objects_clear(&objects);
}

void replay_gpu_extents(const json_t *vector) {
  const json_t *tensors = member_array(vector, "tensors");
  size_t count = json_array_size(tensors);
  struct extent_record *items = test_calloc(count + 1, sizeof *items);
  for (size_t i = 0; i < count; i++) {
    const json_t *tensor = json_array_get(tensors, i);
    items[i] = (struct extent_record){read_extent(member(tensor, "size")),
                                      member_integer(tensor, "first_task"),
                                      member_integer(tensor, "last_task")};
  }
  struct extent_records records = {items, count};
  const json_t *expected = member(vector, "expected_objects");
  replay_extents(member(expected, "NAIVE"), &records, extents_naive, "NAIVE");
  replay_extents(member(expected, "EQUALITY"), &records, extents_equality, "EQUALITY");
  replay_extents(member(expected, "GREEDY_IN_ORDER"), &records, extents_greedy_in_order,
                 "GREEDY_IN_ORDER");
  test_free(items);
}
