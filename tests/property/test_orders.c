/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other orders of one bound: they are orders, and some of them suit layouts better. */
#include <stdio.h>

#include "model/graph.h"
#include "neap/planner.h"
#include "schedule/schedule.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

static void add_tensor(neap_graph *graph, const char *prefix, size_t number, neap_size bytes,
                       bool is_output) {
  char name[24];
  neap_error error;
  neap_tensor tensor = NEAP_TENSOR_INIT;
  tensor.bytes = bytes;
  tensor.is_output = is_output;
  snprintf(name, sizeof name, "%s%zu", prefix, number);
  assert_ok(neap_graph_add_tensor(graph, name, &tensor, &error), &error);
}

/* Tensor k is the output of operator k; each reads up to three of the twelve before it. */
static neap_graph *long_graph(struct dice *dice) {
  neap_graph *graph = neap_graph_new();
  size_t count = 20 + dice_roll(dice, 40);
  bool is_read[61] = {false};
  neap_error error;
  for (size_t k = 0; k < count; k++) {
    add_tensor(graph, "t", k, 50 + (neap_size)dice_roll(dice, 950), false);
    assert_ok(neap_graph_add_operator(graph, "op", &error), &error);
    size_t reach = k < 12 ? k : 12, inputs = reach > 0 ? 1 + dice_roll(dice, 3) : 0;
    for (size_t i = 0; i < inputs; i++) {
      size_t input = k - 1 - dice_roll(dice, reach);
      is_read[input] = true;
      assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, input, &error), &error);
    }
    assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, k, &error), &error);
  }
  assert_ok(neap_graph_add_operator(graph, "end", &error), &error);
  for (size_t k = 0; k < count; k++)
    if (!is_read[k]) assert_ok(neap_graph_add_link(graph, NEAP_LINK_INPUT, k, &error), &error);
  add_tensor(graph, "out", 0, 50, true);
  assert_ok(neap_graph_add_link(graph, NEAP_LINK_OUTPUT, count, &error), &error);
  return graph;
}

static neap_size peak_of(const neap_problem *problem) {
  neap_options *options = neap_options_new();
  neap_error error;
  assert_ok(neap_options_set(options, "max-ticks", "20000", &error), &error);
  neap_plan *plan = sample_solve(problem, options);
  neap_report report = sample_report(plan);
  neap_plan_free(plan);
  neap_options_free(options);
  return report.peak;
}

static neap_problem *problem_of(const neap_graph *graph) {
  neap_problem *problem = sample_graph_problem(graph, NULL);
  return problem;
}

TEST(some_orders_suit_layouts_better) {
  struct dice dice = {71};
  size_t lowered = 0, missed = 0;
  for (int round = 0; round < 60; round++) {
    neap_graph *graph = long_graph(&dice);
    neap_error error;
    neap_scheduling how = {.schedule = NEAP_SCHEDULE_OPTIMAL, .max_ticks = 20000};
    assert_ok(neap_graph_reorder(graph, &how, NULL, &error), &error);
    neap_problem *problem = problem_of(graph);
    neap_size bound = sample_bound(problem).bytes, peak = peak_of(problem);
    neap_problem_free(problem);
    how.max_ticks = 0;
    assert_ok(neap_graph_try_orders(graph, &how, NULL, &error), &error);
    problem = problem_of(graph);
    assert_true(sample_bound(problem).bytes <= bound && peak_of(problem) <= peak);
    lowered += peak_of(problem) < peak;
    missed += peak > bound;
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
  assert_true(lowered > 0 && missed < 30);
}

/* A graph whose order is proven but has no layout at the bound that a short search finds. */
static neap_graph *missing_graph(void) {
  struct dice dice = {71};
  for (int round = 0; round < 60; round++) {
    neap_graph *graph = long_graph(&dice);
    neap_error error;
    neap_scheduling how = {.schedule = NEAP_SCHEDULE_OPTIMAL, .max_ticks = 20000};
    assert_ok(neap_graph_reorder(graph, &how, NULL, &error), &error);
    neap_problem *problem = problem_of(graph);
    bool misses = peak_of(problem) > sample_bound(problem).bytes;
    neap_problem_free(problem);
    if (misses) return graph;
    neap_graph_free(graph);
  }
  fail_msg("all layouts reach their bounds");
  return NULL;
}

/* Counts calls during the comparison of layouts, and stops the search at one of them. */
struct watcher {
  size_t calls, last;
  neap_order_progress progress;
};

static bool watch(const neap_order_progress *progress, void *user) {
  struct watcher *watcher = user;
  assert_true(progress->seconds >= watcher->progress.seconds);
  watcher->progress = *progress;
  return ++watcher->calls < watcher->last;
}

/* Plans a graph as the last part of a run that began with its order. */
static neap_report planned(const neap_graph *graph, const char *option, const char *value) {
  neap_problem *problem = problem_of(graph);
  neap_options *options = neap_options_new();
  neap_planner *planner;
  neap_plan *plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  bool done = false;
  assert_ok(neap_options_set(options, option, value, &error), &error);
  assert_ok(neap_planner_new_ordered(problem, options, &planner, &error), &error);
  while (!done)
    assert_ok(neap_planner_step(planner, &done, &error), &error);
  neap_status status = neap_planner_plan(planner, &plan, &error);
  report =
      (neap_report){.struct_size = sizeof(neap_report), .run.stop_reason = NEAP_STOP_CANCELLED};
  if (status == NEAP_OK) {
    assert_ok(neap_plan_verify(plan, -1, &error), &error);
    neap_plan_report(plan, &report);
  } else assert_int_equal(status, NEAP_NO_PLAN);
  if (status == NEAP_OK) neap_plan_free(plan);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
  return report;
}

TEST(a_search_can_be_stopped_and_leaves_a_plan) {
  struct watcher watcher = {.last = SIZE_MAX};
  neap_scheduling how = {.progress = watch, .user = &watcher};
  neap_error error;
  neap_graph *whole = missing_graph(), *cut = neap_graph_copy(whole);
  assert_ok(neap_graph_try_orders(whole, &how, NULL, &error), &error);
  size_t calls = watcher.calls;
  assert_true(calls > 100 && watcher.progress.peak != NEAP_UNPLACED);
  watcher = (struct watcher){.last = calls / 2};
  assert_ok(neap_graph_try_orders(cut, &how, NULL, &error), &error);
  assert_true(watcher.calls >= watcher.last && watcher.calls < watcher.last + 20);
  assert_true(cut->order_ticks > 0 && cut->order_ticks < whole->order_ticks);
  neap_report report = planned(cut, "max-rounds", "3");
  assert_true(report.peak >= report.bound && report.run.seconds >= cut->order_seconds);
  neap_graph_free(whole);
  neap_graph_free(cut);
}

TEST(limits_count_the_search_for_an_order) {
  struct watcher watcher = {.last = SIZE_MAX};
  neap_scheduling how = {.max_ticks = 40000, .progress = watch, .user = &watcher};
  neap_error error;
  neap_graph *graph = missing_graph();
  /* Half of the ticks are for the plan. */
  assert_ok(neap_graph_try_orders(graph, &how, NULL, &error), &error);
  assert_int_equal(graph->order_ticks, 20000);
  assert_int_equal(planned(graph, "max-ticks", "40000").order.outcome, NEAP_OPTIMAL);
  assert_int_equal(planned(graph, "max-ticks", "20000").run.stop_reason, NEAP_STOP_CANCELLED);
  /* The search for the order has taken all of the time; a share of it is still for a plan. */
  watcher.calls = 0;
  how.time_limit = graph->order_seconds = 1000;
  assert_ok(neap_graph_try_orders(graph, &how, NULL, &error), &error);
  assert_int_equal(watcher.calls, 0);
  neap_report report = planned(graph, "time-limit", "1000");
  assert_true(report.peak > 0 && report.run.seconds >= 1000 && report.run.seconds < 1125.1);
  report = planned(graph, "time-limit", "2000");
  assert_true(report.run.seconds >= 1000 && report.run.seconds < 2000.1);
  neap_graph_free(graph);
}

TEST(variations_keep_the_bound) {
  static const neap_liveness plain = {0};
  struct dice dice = {73};
  size_t changed = 0;
  for (uint64_t seed = 0, tries = sample_tries(100); seed < tries; seed++) {
    neap_graph *graph = long_graph(&dice), *other;
    neap_error error;
    neap_problem *problem = problem_of(graph);
    neap_size bound = sample_bound(problem).bytes;
    neap_problem_free(problem);
    other = neap_graph_copy(graph);
    assert_ok(graph_vary(graph, &plain, seed, &error), &error);
    assert_ok(graph_vary(other, &plain, seed, &error), &error);
    problem = problem_of(graph);
    assert_true(sample_bound(problem).bytes <= bound);
    for (size_t k = 0; k < graph->operator_count; k++) {
      assert_int_equal(graph->given[k], other->given[k]);
      changed += graph->given[k] != k;
    }
    neap_problem_free(problem);
    neap_graph_free(graph);
    neap_graph_free(other);
  }
  assert_true(changed > sample_tries(1000));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(some_orders_suit_layouts_better),
      cmocka_unit_test(a_search_can_be_stopped_and_leaves_a_plan),
      cmocka_unit_test(limits_count_the_search_for_an_order),
      cmocka_unit_test(variations_keep_the_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
