/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replays the strategies of TensorFlow Lite's GPU delegate (doc/tflite-gpu.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"
#include "facts/usage_depth.h"
#include "neap/neap-io.h"
#include "runtimes/tflite_gpu.h"
#include "tests/unit/vectors/replay.h"

/* ---------------------------------------------------------------- textures */

/*
 * TensorFlow Lite's GPU delegate for textures: sizes with two or three dimensions, and shapes,
 * which are only compared for equality (doc/tflite-gpu.md, 4.1, 4.3 and 4.6). Buffers have
 * sizes in bytes, so only the vectors need this.
 */

#define EXTENT_DIMENSIONS 4

/* Unused dimensions are 1. */
struct extent {
  int64_t along[EXTENT_DIMENSIONS];
};

struct extent_record {
  struct extent extent;
  neap_time first, last;
};

struct extent_records {
  const struct extent_record *items;
  size_t count;
};

/* Objects and their fixed extents. */
struct extent_objects {
  size_t *of; /* the object of each record */
  struct extent *extents;
  size_t count;
};

static bool elements_of(const struct extent *extent, int64_t *elements) {
  *elements = 1;
  for (size_t d = 0; d < EXTENT_DIMENSIONS; d++)
    if (extent->along[d] < 0 || !checked_mul(*elements, extent->along[d], elements))
      return false;
  return true;
}

static neap_status check_records(const struct extent_records *records, bool by_first,
                                 neap_error *error) {
  for (size_t i = 0; i < records->count; i++) {
    const struct extent_record *record = &records->items[i];
    int64_t elements;
    if (!elements_of(&record->extent, &elements))
      return error_set(error, NEAP_ERROR_INPUT,
                       "record %zu: a dimension is negative, or their product too large", i);
    if (record->first < 0 || record->last < record->first)
      return error_set(
          error, NEAP_ERROR_INPUT,
          "record %zu: expected a first task from 0 to the last task, found %" PRId64
          " and %" PRId64,
          i, record->first, record->last);
    if (by_first && i > 0 && record->first < records->items[i - 1].first)
      return error_set(error, NEAP_ERROR_INPUT,
                       "record %zu: expected records ordered by first task", i);
  }
  return NEAP_OK;
}

static neap_status init_objects(struct extent_objects *objects, size_t count,
                                neap_error *error) {
  *objects = (struct extent_objects){.of = memory_array(count, sizeof *objects->of),
                                     .extents = memory_array(count, sizeof *objects->extents)};
  return objects->of && objects->extents ? NEAP_OK : error_memory(error);
}

/* The caller clears the objects, even after an error. */
static void extent_objects_clear(struct extent_objects *objects) {
  free(objects->of);
  free(objects->extents);
  *objects = (struct extent_objects){0};
}

static void add_object(struct extent_objects *objects, const struct extent_records *records,
                       size_t record) {
  objects->extents[objects->count] = records->items[record].extent;
  objects->of[record] = objects->count++;
}

/* One object per record. */
static neap_status extents_naive(const struct extent_records *records,
                                 struct extent_objects *objects, neap_error *error) {
  neap_status status = check_records(records, false, error);
  if (status == NEAP_OK) status = init_objects(objects, records->count, error);
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++)
    add_object(objects, records, i);
  return status;
}

/* The first free object of the same extent.  O(n o). */
static neap_status extents_equality(const struct extent_records *records,
                                    struct extent_objects *objects, neap_error *error) {
  neap_status status = check_records(records, false, error);
  if (status == NEAP_OK) status = init_objects(objects, records->count, error);
  if (status != NEAP_OK) return status;
  neap_time *busy_until = memory_array(records->count, sizeof *busy_until);
  if (!busy_until) return error_memory(error);
  for (size_t i = 0; i < records->count; i++) {
    const struct extent_record *record = &records->items[i];
    size_t object = 0;
    while (object < objects->count &&
           (busy_until[object] >= record->first ||
            memcmp(&objects->extents[object], &record->extent, sizeof record->extent) != 0))
      object++;
    if (object < objects->count) objects->of[i] = object;
    else add_object(objects, records, i);
    busy_until[object] = record->last;
  }
  free(busy_until);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- greedy in order */

struct in_order {
  const struct extent_records *records;
  struct extent_objects *objects;
  struct heap in_use;
  size_t *pool; /* free objects in order of release */
  size_t pool_count;
};

static bool covers(const struct extent *a, const struct extent *b) {
  for (size_t d = 0; d < EXTENT_DIMENSIONS; d++)
    if (a->along[d] < b->along[d]) return false;
  return true;
}

/* The index in the pool of the object with the fewest excess elements, or the pool's end. */
static size_t choose_object(const struct in_order *state, const struct extent *extent) {
  int64_t needed, found, least = INT64_MAX;
  size_t best = state->pool_count;
  elements_of(extent, &needed);
  for (size_t at = 0; at < state->pool_count; at++) {
    const struct extent *candidate = &state->objects->extents[state->pool[at]];
    if (!covers(candidate, extent)) continue;
    elements_of(candidate, &found);
    if (found - needed >= least) continue;
    least = found - needed;
    best = at;
  }
  return best;
}

static bool assign_object(struct in_order *state, size_t i) {
  const struct extent_record *record = &state->records->items[i];
  struct extent_objects *objects = state->objects;
  while (heap_pop_below(&state->in_use, record->first, &state->pool[state->pool_count]))
    state->pool_count++;
  size_t at = choose_object(state, &record->extent);
  if (at < state->pool_count) {
    objects->of[i] = state->pool[at];
    state->pool_count--;
    memmove(state->pool + at, state->pool + at + 1,
            (state->pool_count - at) * sizeof *state->pool);
  } else {
    add_object(objects, state->records, i);
  }
  return heap_push_id(&state->in_use, record->last, objects->of[i]);
}

/*
 * The free object that covers the record in every dimension with the fewest excess elements.
 * Records by first task, with two or three dimensions. O(n o).
 */
static neap_status extents_greedy_in_order(const struct extent_records *records,
                                           struct extent_objects *objects, neap_error *error) {
  neap_status status = check_records(records, true, error);
  if (status == NEAP_OK) status = init_objects(objects, records->count, error);
  if (status != NEAP_OK) return status;
  struct in_order state = {.records = records, .objects = objects};
  state.pool = memory_array(records->count + 1, sizeof *state.pool);
  if (!state.pool) status = error_memory(error);
  for (size_t i = 0; i < records->count && status == NEAP_OK; i++)
    if (!assign_object(&state, i)) status = error_memory(error);
  heap_clear(&state.in_use);
  free(state.pool);
  return status;
}

/* ---------------------------------------------------------------- replaying */

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

/* The bound of a problem with these tensors is the largest breadth of a task. */
static neap_size breadth_of(const struct records *records) {
  struct sample *samples = test_calloc(records->count + 1, sizeof *samples);
  for (size_t i = 0; i < records->count; i++)
    samples[i] = (struct sample){.start = records->items[i].first,
                                 .end = records->items[i].last + 1,
                                 .size = records->items[i].size};
  neap_problem *problem = sample_problem(samples, records->count);
  const neap_bound bound = sample_bound(problem);
  neap_problem_free(problem);
  test_free(samples);
  return bound.bytes;
}

static void replay_bounds(const json_t *vector, const struct records *records) {
  neap_size *maxima;
  size_t count;
  neap_error error;
  assert_ok(depth_positional_maxima(records, &maxima, &count, &error), &error);
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
