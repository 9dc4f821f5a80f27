/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The planners of runtimes on random problems: every plan is sound, shared objects are never
 * smaller together than they can be, and the two ways to the cheapest flow agree on its cost.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/graph.h"
#include "neap/planner.h"
#include "runtimes/reuse.h"
#include "runtimes/strategy.h"
#include "runtimes/tflite_gpu.h"
#include "tests/property/random_graph.h"
#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

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
  neap_report report = NEAP_INIT(neap_report);
  assert_ok(neap_options_set(options, "engine", engine, &error), &error);
  if (neap_solve(problem, options, &plan, &error) != NEAP_OK) /* which verifies */
    fail_msg("%s: %s", engine, error.text);
  neap_plan_report(plan, &report);
  assert_string_equal(report.engine, engine);
  assert_true(report.peak >= report.bound);
  if (report.objects > 0) {
    neap_size total = 0;
    for (size_t o = 0; o < report.objects; o++)
      total += neap_plan_object_size(plan, o);
    assert_true(total <= report.peak);
    assert_true(total >= report.object_bound);
    assert_true(report.object_bound >= report.bound);
    for (size_t i = 0; i < report.buffers; i++)
      assert_true(neap_plan_object(plan, i) < report.objects);
  } else {
    assert_int_equal(report.object_bound, 0);
  }
  neap_plan_free(plan);
  neap_options_free(options);
}

#define OF_GRAPHS "tflite-gpu-greedy-in-order-parallel"

static void every_planner_makes_sound_plans(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    neap_problem *problem = random_problem(seed);
    for (size_t s = 0; strategy_at(s); s++)
      if (strcmp(strategy_at(s)->info.name, OF_GRAPHS) != 0)
        plan_with(problem, strategy_at(s)->info.name);
    neap_problem_free(problem);
  }
}

/* ---------------------------------------------------------------- graphs */

static void graphs_are_planned_soundly(void **state) {
  (void)state;
  struct dice dice = {2026};
  for (int round = 0; round < 600; round++) {
    neap_graph *graph = random_graph(&dice, 12);
    neap_liveness liveness = {.in_place = round % 2 == 1,
                              .keep_all = round % 7 == 0,
                              .no_inputs = round % 5 == 0,
                              .no_outputs = round % 3 == 0};
    neap_problem *problem;
    neap_error error;
    assert_ok(neap_graph_to_problem(graph, &liveness, &problem, &error), &error);
    for (size_t s = 0; strategy_at(s); s++)
      plan_with(problem, strategy_at(s)->info.name);
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
}

/* Buffers that are shared live for all who share them, and the bound never rises. */
static void sharing_in_place_lowers_the_bound(void **state) {
  (void)state;
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

static void unsupported_problems_give_a_reason(void **state) {
  (void)state;
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

/* What the chains of objects pay, each record for what the one before it lacks. */
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

static void both_flows_cost_the_same(void **state) {
  (void)state;
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
static void positional_maxima_are_those_of_tasks(void **state) {
  (void)state;
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
    assert_ok(records_positional_maxima(&records, &maxima, &count, &error), &error);
    assert_int_equal(count, positions);
    for (size_t k = 0; k < count; k++)
      assert_int_equal(maxima[k], expected[k]);
    free(maxima);
    test_free(records.items);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_planner_makes_sound_plans),
      cmocka_unit_test(graphs_are_planned_soundly),
      cmocka_unit_test(sharing_in_place_lowers_the_bound),
      cmocka_unit_test(unsupported_problems_give_a_reason),
      cmocka_unit_test(both_flows_cost_the_same),
      cmocka_unit_test(positional_maxima_are_those_of_tasks),
  };
  return cmocka_run_group_tests_name("runtimes", tests, NULL, NULL);
}
