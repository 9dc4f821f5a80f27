/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planners of runtimes, and what runtimes allocate themselves. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "facts/usage_depth.h"
#include "model/graph.h"
#include "plan/plan.h"
#include "runtimes/strategy.h"
#include "runtimes/tflite_gpu.h"
#include "tests/support/random_graph.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- planners */

/*
 * The planners of runtimes on random problems: every plan is sound, shared objects are never
 * smaller together than they can be, and the two ways to the cheapest flow agree on its cost.
 */

static struct budget no_limit(void) {
  struct budget budget;
  budget_init(&budget, 0, 0);
  return budget;
}

/* ---------------------------------------------------------------- every planner */

/* All but fixed offsets; alignments only such as divide each other. */
static neap_problem *random_problem(uint64_t seed) {
  struct instance instance = instance_random(seed, 40, WITH_GAPS | WITH_ZEROS);
  for (size_t i = 0; i < instance.count; i++)
    instance.rectangles[i].alignment = 1 << (seed + i) % 5;
  neap_problem *problem = instance_problem(&instance);
  instance_free(&instance);
  return problem;
}

static void plan_with(const neap_problem *problem, const char *engine) {
  neap_options *options = neap_options_new();
  assert_non_null(options);
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_options_set(options, "engine", engine, &error), &error);
  if (neap_solve(problem, options, &plan, &error) != NEAP_OK) /* which verifies */
    fail_msg("%s: %s", engine, error.text);
  neap_report report = sample_report(plan);
  assert_string_equal(report.run.engine, engine);
  assert_true(report.peak >= report.bound);
  if (report.objects.count > 0) {
    neap_size total = 0;
    for (size_t o = 0; o < report.objects.count; o++)
      total += plan->object_sizes[o];
    assert_true(total <= report.peak);
    assert_true(total >= report.objects.bound);
    assert_true(report.objects.bound >= report.bound);
    for (size_t i = 0; i < report.buffers; i++)
      assert_true(plan->objects[i] < report.objects.count);
  } else {
    assert_int_equal(report.objects.bound, 0);
  }
  neap_plan_free(plan);
  neap_options_free(options);
}

#define OF_GRAPHS "tflite-gpu-greedy-in-order-parallel"

TEST(every_planner_makes_sound_plans) {
  const uint64_t count = sample_tries(300);
  for (uint64_t seed = 1; seed <= count; seed++) {
    neap_problem *problem = random_problem(seed);
    for (size_t s = 0; strategy_at(s); s++)
      if (strcmp(strategy_at(s)->info.name, OF_GRAPHS) != 0)
        plan_with(problem, strategy_at(s)->info.name);
    neap_problem_free(problem);
  }
}

/* ---------------------------------------------------------------- graphs */

TEST(graphs_are_planned_soundly) {
  const int rounds = (int)sample_tries(600);
  struct dice dice = {2026};
  for (int round = 0; round < rounds; round++) {
    neap_graph *graph = random_graph(&dice, 12);
    neap_liveness liveness = {.in_place = round % 2 == 1,
                              .keep_all = round % 7 == 0,
                              .no_inputs = round % 5 == 0,
                              .no_outputs = round % 3 == 0};
    neap_problem *problem = sample_graph_problem(graph, &liveness);
    for (size_t s = 0; strategy_at(s); s++)
      plan_with(problem, strategy_at(s)->info.name);
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
}

/* Buffers that are shared live for all who share them, and the bound never rises. */
TEST(sharing_in_place_lowers_the_bound) {
  struct dice dice = {11};
  for (int round = 0; round < 3000; round++) {
    neap_graph *graph = random_graph(&dice, 12);
    neap_problem *plain, *shared;
    neap_error error;
    neap_bound before = NEAP_INIT(neap_bound), after = NEAP_INIT(neap_bound);
    assert_ok(neap_graph_to_problem(graph, NULL, &plain, &error), &error);
    assert_ok(neap_graph_to_problem(graph, &(neap_liveness){.in_place = true}, &shared, &error),
              &error);
    assert_ok(neap_problem_bound(plain, &before, &error), &error);
    assert_ok(neap_problem_bound(shared, &after, &error), &error);
    assert_true(after.bytes <= before.bytes);
    /* A buffer lives at least as long as the tensor whose name it has. */
    for (size_t i = 0; i < neap_problem_count(shared); i++) {
      neap_buffer here = NEAP_INIT(neap_buffer), there = NEAP_INIT(neap_buffer);
      size_t index;
      neap_problem_buffer_at(shared, i, &here);
      assert_true(neap_problem_find(plain, here.name, &index));
      neap_problem_buffer_at(plain, index, &there);
      assert_true(here.ranges[0].start == there.ranges[0].start);
      assert_true(here.ranges[0].end >= there.ranges[0].end);
    }
    neap_problem_free(plain);
    neap_problem_free(shared);
    neap_graph_free(graph);
  }
}

TEST(unsupported_problems_give_a_reason) {
  neap_options *options = neap_options_new();
  neap_error error;
  for (size_t s = 0; strategy_at(s); s++) {
    neap_problem *problem = neap_problem_new();
    assert_non_null(problem);
    neap_range range = {0, 2};
    neap_buffer buffer = NEAP_BUFFER_INIT;
    buffer.name = "a";
    buffer.size = 4;
    buffer.fixed_offset = 8;
    buffer.ranges = &range;
    buffer.range_count = 1;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
    neap_plan *plan;
    assert_ok(neap_options_set(options, "engine", strategy_at(s)->info.name, &error), &error);
    assert_int_equal(neap_solve(problem, options, &plan, &error), NEAP_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "fixed"));
    neap_problem_free(problem);
  }
  neap_options_free(options);
}

/* ---------------------------------------------------------------- the cheapest flow */

static struct records random_records(struct dice *dice, size_t most) {
  struct records records = {.count = dice_roll(dice, most + 1)};
  records.items = test_calloc(records.count + 1, sizeof *records.items);
  neap_time now = 0;
  neap_size sizes = 1 + (neap_size)dice_roll(dice, 40);
  for (size_t i = 0; i < records.count; i++) {
    now += (neap_time)dice_roll(dice, 3);
    records.items[i] = (struct record){(neap_size)dice_roll(dice, (uint64_t)sizes), now,
                                       now + (neap_time)dice_roll(dice, 6)};
  }
  return records;
}

static neap_size missing(const struct records *records, size_t record, size_t source) {
  neap_size need = records->items[record].size, have = records->items[source].size;
  return need > have ? need - have : 0;
}

/* The cost of the chains of objects: each record pays for what the one before it lacks. */
static neap_size cost_of_objects(const struct records *records, const struct objects *objects) {
  neap_size cost = 0;
  for (size_t o = 0; o < objects->count; o++) {
    size_t before = SIZE_MAX;
    for (size_t i = 0; i < records->count; i++) {
      if (objects->of[i] != o) continue;
      cost += before == SIZE_MAX ? records->items[i].size : missing(records, i, before);
      before = i;
    }
  }
  return cost;
}

static neap_size cost_of_sources(const struct records *records, const uint32_t *source) {
  neap_size cost = 0;
  bool *used = test_calloc(records->count + 1, sizeof *used);
  for (size_t i = 0; i < records->count; i++) {
    if (source[i] == REUSE_NONE) {
      cost += records->items[i].size;
      continue;
    }
    assert_true(records->items[source[i]].last < records->items[i].first);
    assert_false(used[source[i]]);
    used[source[i]] = true;
    cost += missing(records, i, source[i]);
  }
  test_free(used);
  return cost;
}

TEST(both_flows_cost_the_same) {
  struct dice dice = {77};
  for (int round = 0; round < 2000; round++) {
    struct records records = random_records(&dice, round % 10 == 0 ? 200 : 24);
    struct objects objects = {0};
    struct budget budget = no_limit();
    neap_error error;
    uint32_t *source = test_calloc(records.count + 1, sizeof *source);
    assert_ok(gpu_min_cost_flow(&records, &objects, &budget, &error), &error);
    assert_ok(reuse_cheapest(&records, source, &budget, &error), &error);
    assert_int_equal(cost_of_sources(&records, source), cost_of_objects(&records, &objects));
    objects_clear(&objects);
    test_free(source);
    test_free(records.items);
  }
}

/* ---------------------------------------------------------------- bounds */

/* Positional maxima by their definition. */
TEST(positional_maxima_are_those_of_tasks) {
  struct dice dice = {5};
  for (int round = 0; round < 300; round++) {
    struct records records = random_records(&dice, 30);
    neap_size expected[64] = {0}, *maxima;
    size_t count, positions = 0;
    neap_error error;
    for (neap_time task = 0; task < 80; task++) {
      neap_size alive[64];
      size_t living = 0;
      for (size_t i = 0; i < records.count; i++)
        if (records.items[i].first <= task && task <= records.items[i].last)
          alive[living++] = records.items[i].size;
      for (size_t a = 0; a < living; a++) {
        size_t larger = 0;
        for (size_t b = 0; b < living; b++)
          larger += alive[b] > alive[a] || (alive[b] == alive[a] && b < a);
        if (alive[a] > expected[larger]) expected[larger] = alive[a];
      }
      if (living > positions) positions = living;
    }
    assert_ok(depth_positional_maxima(&records, &maxima, &count, &error), &error);
    assert_int_equal(count, positions);
    for (size_t k = 0; k < count; k++)
      assert_int_equal(maxima[k], expected[k]);
    free(maxima);
    test_free(records.items);
  }
}

/* ---------------------------------------------------------------- tensors of the runtime */

/*
 * The runtime's own allocations: plans predict the places of those they count, and list others.
 */

/* A graph some of whose tensors are variables, of any size. */
static neap_graph *graph_with_variables(struct dice *dice) {
  neap_graph *graph = random_graph(dice, 12);
  neap_error error;
  size_t count = 1 + dice_roll(dice, 4);
  for (size_t v = 0; v < count; v++) {
    char name[24];
    neap_tensor tensor = {.struct_size = sizeof(neap_tensor),
                          .kind = NEAP_TENSOR_VARIABLE,
                          .bytes = (neap_size)dice_roll(dice, 60),
                          .alignment = 1 << dice_roll(dice, 5)};
    snprintf(name, sizeof name, "v%zu", v);
    assert_ok(neap_graph_add_tensor(graph, name, &tensor, &error), &error);
  }
  return graph;
}

static size_t count_runtime(const neap_problem *problem) {
  neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
  size_t count = 0;
  while (neap_problem_runtime_tensor_at(problem, count, &tensor))
    count++;
  return count;
}

/* ---------------------------------------------------------------- what the runtime places */

static bool are_together(const neap_buffer *a, const neap_buffer *b) {
  return a->ranges->start < b->ranges->end && b->ranges->start < a->ranges->end;
}

/* The lowest offset that no placed buffer of the same time uses: all multiples are tried. */
static neap_offset lowest_free(const neap_problem *problem, const neap_offset *offsets,
                               size_t index) {
  neap_buffer wanted = NEAP_INIT(neap_buffer), other = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(problem, index, &wanted);
  for (neap_offset offset = 0;; offset += wanted.alignment) {
    bool is_free = true;
    for (size_t i = 0; neap_problem_buffer_at(problem, i, &other) && is_free; i++)
      is_free = offsets[i] == NEAP_UNPLACED || !are_together(&wanted, &other) ||
                offset >= offsets[i] + other.size || offsets[i] >= offset + wanted.size;
    if (is_free || wanted.size == 0) return offset;
  }
}

/* The largest that is not placed, the last of equal ones; the count if all are placed. */
static size_t next_unplaced(const neap_problem *problem, const neap_offset *offsets) {
  size_t found = neap_problem_count(problem);
  neap_size largest = -1;
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++)
    if (offsets[i] == NEAP_UNPLACED && buffer.size >= largest) {
      largest = buffer.size;
      found = i;
    }
  return found;
}

static void place_slowly(const neap_problem *problem, neap_offset *offsets) {
  size_t count = neap_problem_count(problem), next;
  while ((next = next_unplaced(problem, offsets)) < count)
    offsets[next] = lowest_free(problem, offsets, next);
}

/* Lets the runtime place some of the tensors. */
static size_t mark_some(struct dice *dice, neap_graph *graph) {
  size_t count = 0;
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    neap_tensor *tensor = &graph->tensors[t];
    tensor->is_online = tensor->kind == NEAP_TENSOR_ACTIVATION && dice_roll(dice, 3) == 0;
    count += tensor->is_online;
  }
  return count;
}

static neap_plan *solve(const neap_problem *problem) {
  neap_options *options = neap_options_new();
  neap_error error;
  assert_ok(neap_options_set(options, "max-ticks", "20000", &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_options_free(options);
  return plan;
}

/* A plan that the runtime raises above the bound must not claim it; returns whether it is there. */
static bool reaches_its_bound(const neap_plan *plan) {
  neap_report report = sample_report(plan);
  bool is_optimal = report.peak == report.lower_bound;
  if (report.run.stop_reason == NEAP_STOP_BOUND) assert_true(report.peak == report.bound);
  if (report.run.stop_reason == NEAP_STOP_PROVEN || report.run.stop_reason == NEAP_STOP_BOUND)
    assert_true(is_optimal);
  assert_true(is_optimal == (report.outcome == NEAP_OPTIMAL));
  return is_optimal;
}

/* A plan has the offsets that the runtime will choose, given the others. */
TEST(plans_predict_the_runtime) {
  struct dice dice = {59};
  size_t placed = 0, optimal = 0;
  for (int round = 0; round < 1000; round++) {
    neap_graph *graph = graph_with_variables(&dice);
    const neap_liveness liveness = {.list_runtime = true};
    mark_some(&dice, graph);
    neap_problem *problem = sample_graph_problem(graph, &liveness);
    neap_plan *plan = solve(problem);
    size_t count = neap_problem_count(problem), index;
    neap_offset *offsets = test_calloc(count + 1, sizeof *offsets);
    neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
    optimal += reaches_its_bound(plan);
    for (size_t i = 0; i < count; i++)
      offsets[i] = neap_plan_offset(plan, i);
    for (size_t r = 0; neap_problem_runtime_tensor_at(problem, r, &tensor); r++) {
      assert_true(tensor.is_buffer && neap_problem_find(problem, tensor.name, &index));
      offsets[index] = NEAP_UNPLACED;
      placed++;
    }
    place_slowly(problem, offsets);
    for (size_t i = 0; i < count; i++)
      assert_int_equal(offsets[i], neap_plan_offset(plan, i));
    test_free(offsets);
    neap_plan_free(plan);
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
  assert_true(placed > 1000);
  /* 725 if the layouts are not made around what the runtime places. */
  assert_true(optimal > 800);
}

/* With the runtime's choice, a plan may not fit a capacity that it fitted before. */
TEST(the_runtime_may_exceed_the_capacity) {
  static const struct sample samples[] = {
      {3, 5, 5, 0}, {2, 3, 3, 0}, {1, 3, 3, 0}, {2, 4, 4, 0}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  neap_options *options = neap_options_new();
  neap_error error;
  assert_ok(neap_options_set(options, "capacity", "10", &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  neap_plan_free(plan);
  for (size_t i = 0; i < SAMPLE_COUNT(samples); i++) {
    const char name[] = {'b', (char)('0' + i), '\0'};
    assert_ok(neap_problem_add_runtime_tensor(problem, name, samples[i].size, &error), &error);
  }
  assert_error(neap_solve(problem, options, &plan, &error), NEAP_NO_PLAN, &error);
  assert_says(&error, "the best needs 12");
  assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
  neap_report report = sample_report(plan);
  assert_int_equal(report.peak, 12);
  assert_true(report.outcome == NEAP_FEASIBLE);
  neap_plan_free(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

/* Tensors that are not planned are also listed. */
TEST(unplanned_tensors_are_listed) {
  struct dice dice = {61};
  const neap_liveness options = {.list_runtime = true, .no_inputs = true, .no_outputs = true};
  size_t unplanned = 0;
  for (int round = 0; round < 200; round++) {
    neap_graph *graph = graph_with_variables(&dice);
    neap_runtime_tensor tensor = NEAP_INIT(neap_runtime_tensor);
    neap_problem *problem, *whole;
    neap_error error;
    assert_ok(neap_graph_to_problem(graph, &options, &problem, &error), &error);
    assert_ok(neap_graph_to_problem(graph, NULL, &whole, &error), &error);
    size_t missing = neap_problem_count(whole) - neap_problem_count(problem), found = 0;
    for (size_t r = 0; neap_problem_runtime_tensor_at(problem, r, &tensor); r++)
      found += !tensor.is_buffer;
    assert_int_equal(found, missing);
    unplanned += found;
    neap_problem_free(problem);
    neap_problem_free(whole);
    neap_graph_free(graph);
  }
  assert_true(unplanned > 200);
}

TEST(a_list_has_each_name_once) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  assert_ok(neap_problem_add_runtime_tensor(problem, "a", 0, &error), &error);
  assert_error(neap_problem_add_runtime_tensor(problem, "a", 1, &error), NEAP_ERROR_INPUT,
               &error);
  assert_says(&error, "twice");
  assert_error(neap_problem_add_runtime_tensor(problem, "", 1, &error), NEAP_ERROR_INPUT,
               &error);
  assert_error(neap_problem_add_runtime_tensor(problem, "b", -1, &error), NEAP_ERROR_INPUT,
               &error);
  assert_int_equal(count_runtime(problem), 1);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_planner_makes_sound_plans),
      cmocka_unit_test(graphs_are_planned_soundly),
      cmocka_unit_test(sharing_in_place_lowers_the_bound),
      cmocka_unit_test(unsupported_problems_give_a_reason),
      cmocka_unit_test(both_flows_cost_the_same),
      cmocka_unit_test(positional_maxima_are_those_of_tasks),
      cmocka_unit_test(plans_predict_the_runtime),
      cmocka_unit_test(the_runtime_may_exceed_the_capacity),
      cmocka_unit_test(unplanned_tensors_are_listed),
      cmocka_unit_test(a_list_has_each_name_once),
  };
  return cmocka_run_group_tests_name("runtimes", tests, NULL, NULL);
}
