/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the runtime allocates itself: plans predict where it puts what they count, and list the rest.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/graph.h"
#include "tests/property/random_graph.h"
#include "tests/unit/sample.h"

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
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_options_set(options, "max-ticks", "20000", &error), &error);
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_options_free(options);
  return plan;
}

/* A plan that the runtime raises above the bound does not say that it is there; returns whether it is. */
static bool reaches_its_bound(const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  bool is_optimal = report.peak == report.lower_bound;
  if (report.stop_reason == NEAP_STOP_BOUND) assert_true(report.peak == report.bound);
  if (report.stop_reason == NEAP_STOP_PROVEN || report.stop_reason == NEAP_STOP_BOUND)
    assert_true(is_optimal);
  assert_true(is_optimal == (report.outcome == NEAP_OPTIMAL));
  return is_optimal;
}

/* A plan has the offsets that the runtime will choose, given the others. */
static void plans_predict_the_runtime(void **state) {
  (void)state;
  struct dice dice = {59};
  size_t placed = 0, optimal = 0;
  for (int round = 0; round < 1000; round++) {
    neap_graph *graph = graph_with_variables(&dice);
    const neap_liveness liveness = {.list_runtime = true};
    neap_problem *problem;
    neap_error error;
    mark_some(&dice, graph);
    assert_ok(neap_graph_to_problem(graph, &liveness, &problem, &error), &error);
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
static void the_runtime_may_exceed_the_capacity(void **state) {
  (void)state;
  static const struct sample samples[] = {
      {3, 5, 5, 0}, {2, 3, 3, 0}, {1, 3, 3, 0}, {2, 4, 4, 0}};
  neap_problem *problem = sample_problem(samples, SAMPLE_COUNT(samples));
  neap_options *options = neap_options_new();
  neap_plan *plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  assert_ok(neap_options_set(options, "capacity", "10", &error), &error);
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  neap_plan_free(plan);
  for (size_t i = 0; i < SAMPLE_COUNT(samples); i++) {
    const char name[] = {'b', (char)('0' + i), '\0'};
    assert_ok(neap_problem_add_runtime_tensor(problem, name, samples[i].size, &error), &error);
  }
  assert_error(neap_solve(problem, options, &plan, &error), NEAP_NO_PLAN, &error);
  assert_says(&error, "the best needs 12");
  assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
  neap_plan_report(plan, &report);
  assert_int_equal(report.peak, 12);
  assert_true(report.outcome == NEAP_FEASIBLE);
  neap_plan_free(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

/* What is not planned is listed, too. */
static void unplanned_tensors_are_listed(void **state) {
  (void)state;
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
      cmocka_unit_test(plans_predict_the_runtime),
      cmocka_unit_test(the_runtime_may_exceed_the_capacity),
      cmocka_unit_test(unplanned_tensors_are_listed),
      cmocka_unit_test(a_list_has_each_name_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
