/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variables, which the runtime allocates itself: plans put them above other buffers at no cost, and
 * the offsets of the others are enough to restore such a plan.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "plan/runtime.h"
#include "tests/property/random_graph.h"
#include "tests/unit/sample.h"

/* A graph some of whose tensors are variables, of any size. */
static neap_graph *graph_with_variables(struct dice *dice) {
  neap_graph *graph = random_graph(dice, 12);
  neap_error error;
  size_t count = 1 + dice_roll(dice, 4);
  for (size_t v = 0; v < count; v++) {
    char name[24];
    neap_tensor tensor = {.kind = NEAP_TENSOR_VARIABLE,
                          .bytes = (neap_size)dice_roll(dice, 60),
                          .alignment = 1 << dice_roll(dice, 5)};
    snprintf(name, sizeof name, "v%zu", v);
    assert_ok(neap_graph_add_tensor(graph, name, &tensor, &error), &error);
  }
  return graph;
}

static size_t count_runtime(const neap_problem *problem) {
  neap_runtime_tensor tensor;
  size_t count = 0;
  while (neap_problem_runtime_tensor_at(problem, count, &tensor))
    count++;
  return count;
}

/* The peak once the runtime's buffers are taken out of a plan and placed anew. */
static neap_size restored_peak(const neap_plan *plan) {
  const neap_problem *problem = neap_plan_problem(plan);
  size_t count = neap_problem_count(problem);
  neap_offset *offsets = test_calloc(count + 1, sizeof *offsets);
  neap_runtime_tensor tensor;
  neap_plan *restored;
  neap_report report;
  neap_error error;
  for (size_t i = 0; i < count; i++)
    offsets[i] = neap_plan_offset(plan, i);
  for (size_t r = 0; neap_problem_runtime_tensor_at(problem, r, &tensor); r++) {
    size_t index;
    assert_true(neap_problem_find(problem, tensor.name, &index) == tensor.is_buffer);
    if (tensor.is_buffer) offsets[index] = NEAP_UNPLACED;
  }
  assert_ok(runtime_place(problem, offsets, &error), &error);
  assert_ok(neap_plan_new(problem, offsets, &restored, &error), &error);
  assert_ok(neap_plan_verify(restored, -1, &error), &error);
  neap_plan_report(restored, &report);
  neap_plan_free(restored);
  test_free(offsets);
  return report.peak;
}

/* The highest end of what the runtime takes from the plan. */
static neap_size planned_peak(const neap_plan *plan) {
  neap_size peak = 0;
  for (size_t i = 0; i < plan->problem->count; i++)
    if (!(plan->problem->operators->roles[i] & OPERATORS_VARIABLE) && plan_end(plan, i) > peak)
      peak = plan_end(plan, i);
  return peak;
}

/* A few small problems with mixed alignments would take the search millions of ticks to prove. */
static neap_plan *solve(neap_graph *graph, bool listed, neap_problem **problem) {
  const neap_liveness liveness = {.list_runtime = listed};
  neap_options *options = neap_options_new();
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_options_set(options, "max-ticks", "20000", &error), &error);
  assert_ok(neap_graph_problem(graph, &liveness, problem, &error), &error);
  assert_ok(neap_solve(*problem, options, &plan, &error), &error);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_options_free(options);
  return plan;
}

static void variables_go_on_top_at_no_cost(void **state) {
  (void)state;
  struct dice dice = {59};
  size_t smaller = 0, listed = 0;
  for (int round = 0; round < 1000; round++) {
    neap_graph *graph = graph_with_variables(&dice);
    neap_problem *plain_problem, *problem;
    neap_report plain_report, report;
    neap_plan *plain = solve(graph, false, &plain_problem);
    neap_plan *plan = solve(graph, true, &problem);
    neap_plan_report(plain, &plain_report);
    neap_plan_report(plan, &report);
    assert_true(count_runtime(plain_problem) == 0);
    listed += count_runtime(problem);
    assert_true(report.buffers == plain_report.buffers);
    assert_true(report.bound == plain_report.bound);
    assert_true(report.peak <= plain_report.peak);
    assert_true(restored_peak(plan) == report.peak);
    assert_true(planned_peak(plan) <= planned_peak(plain));
    smaller += planned_peak(plan) < planned_peak(plain);
    neap_plan_free(plain);
    neap_plan_free(plan);
    neap_problem_free(plain_problem);
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
  assert_true(listed > 1000);
  assert_true(smaller > 100);
}

/* What is not planned is listed, too. */
static void unplanned_tensors_are_listed(void **state) {
  (void)state;
  struct dice dice = {61};
  const neap_liveness options = {.list_runtime = true, .no_inputs = true, .no_outputs = true};
  size_t unplanned = 0;
  for (int round = 0; round < 200; round++) {
    neap_graph *graph = graph_with_variables(&dice);
    neap_runtime_tensor tensor;
    neap_problem *problem, *whole;
    neap_error error;
    assert_ok(neap_graph_problem(graph, &options, &problem, &error), &error);
    assert_ok(neap_graph_problem(graph, NULL, &whole, &error), &error);
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

/* A list may come from a file and name buffers that do not live throughout. */
static void only_bands_are_lifted(void **state) {
  (void)state;
  static const struct sample samples[] = {{0, 2, 8, 0}, {0, 4, 8, 0}, {2, 4, 8, 0}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  neap_offset offsets[] = {0, 8, 0};
  neap_error error;
  assert_ok(neap_problem_add_runtime_tensor(problem, "b0", 8, &error), &error);
  assert_ok(runtime_lift(problem, offsets, &error), &error);
  assert_true(offsets[0] == 0 && offsets[1] == 8 && offsets[2] == 0);
  assert_ok(neap_problem_add_runtime_tensor(problem, "elsewhere", 8, &error), &error);
  offsets[1] = 0;
  offsets[0] = offsets[2] = 8;
  assert_ok(neap_problem_add_runtime_tensor(problem, "b1", 8, &error), &error);
  assert_ok(runtime_lift(problem, offsets, &error), &error);
  assert_true(offsets[0] == 0 && offsets[1] == 8 && offsets[2] == 0);
  neap_problem_free(problem);
}

static void a_list_has_each_name_once(void **state) {
  (void)state;
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
      cmocka_unit_test(variables_go_on_top_at_no_cost),
      cmocka_unit_test(unplanned_tensors_are_listed),
      cmocka_unit_test(only_bands_are_lifted),
      cmocka_unit_test(a_list_has_each_name_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
