/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other orders of one bound: they are orders, and some of them suit layouts better. */
#include <stdio.h>

#include "formats/suit.h"
#include "model/graph.h"
#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

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

static neap_size bound_of(const neap_problem *problem) {
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  return bound.bytes;
}

static neap_size peak_of(const neap_problem *problem) {
  neap_options *options = neap_options_new();
  neap_plan *plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  assert_ok(neap_options_set(options, "max-ticks", "20000", &error), &error);
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  neap_plan_report(plan, &report);
  neap_plan_free(plan);
  neap_options_free(options);
  return report.peak;
}

static neap_problem *problem_of(const neap_graph *graph) {
  neap_problem *problem;
  neap_error error;
  assert_ok(neap_graph_to_problem(graph, NULL, &problem, &error), &error);
  return problem;
}

static void some_orders_suit_layouts_better(void **state) {
  (void)state;
  static const neap_liveness liveness = {0};
  struct dice dice = {71};
  size_t lowered = 0, missed = 0;
  for (int round = 0; round < 60; round++) {
    neap_graph *graph = long_graph(&dice);
    neap_error error;
    neap_scheduling how = {.schedule = NEAP_SCHEDULE_OPTIMAL, .max_ticks = 20000};
    assert_ok(neap_graph_reorder(graph, &how, NULL, &error), &error);
    neap_problem *problem = problem_of(graph);
    neap_size bound = bound_of(problem), peak = peak_of(problem);
    assert_ok(suit_layout(&graph, &liveness, &problem, &error), &error);
    assert_true(bound_of(problem) <= bound && peak_of(problem) <= peak);
    lowered += peak_of(problem) < peak;
    missed += peak > bound;
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
  assert_true(lowered > 0 && missed < 30);
}

static void variations_keep_the_bound(void **state) {
  (void)state;
  struct dice dice = {73};
  size_t changed = 0;
  for (uint64_t seed = 0; seed < 100; seed++) {
    neap_graph *graph = long_graph(&dice), *other;
    neap_error error;
    neap_problem *problem = problem_of(graph);
    neap_size bound = bound_of(problem);
    neap_problem_free(problem);
    other = neap_graph_copy(graph);
    assert_ok(neap_graph_vary(graph, NULL, seed, &error), &error);
    assert_ok(neap_graph_vary(other, NULL, seed, &error), &error);
    problem = problem_of(graph);
    assert_true(bound_of(problem) <= bound);
    for (size_t k = 0; k < graph->operator_count; k++) {
      assert_int_equal(graph->given[k], other->given[k]);
      changed += graph->given[k] != k;
    }
    neap_problem_free(problem);
    neap_graph_free(graph);
    neap_graph_free(other);
  }
  assert_true(changed > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(some_orders_suit_layouts_better),
      cmocka_unit_test(variations_keep_the_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
