/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Orders of operators on random graphs: never a higher bound, every dependence kept, and where all
 * orders can be tried, the lowest bound that any of them has.
 */
#include <stdlib.h>
#include <string.h>

#include "model/schedule.h"
#include "tests/property/random_graph.h"
#include "tests/unit/sample.h"

static neap_size bound_of(const neap_graph *graph, const neap_liveness *options) {
  neap_problem *problem;
  neap_bound bound;
  neap_error error;
  assert_ok(neap_graph_problem(graph, options, &problem, &error), &error);
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  neap_problem_free(problem);
  return bound.bytes;
}

/* ---------------------------------------------------------------- never worse */

static void expect_permutation(const neap_problem *problem, size_t count) {
  bool seen[RANDOM_GRAPH_MAX] = {false};
  size_t scheduled;
  const size_t *given = neap_problem_schedule(problem, &scheduled);
  assert_non_null(given);
  assert_int_equal(scheduled, count);
  for (size_t k = 0; k < count; k++) {
    assert_true(given[k] < count);
    assert_false(seen[given[k]]);
    seen[given[k]] = true;
  }
}

static void the_bound_never_rises(void **state) {
  (void)state;
  struct dice dice = {5};
  for (int round = 0; round < 2000; round++) {
    neap_graph *graph = random_graph(&dice, RANDOM_GRAPH_MAX);
    neap_schedule schedule = round % 2 ? NEAP_SCHEDULE_MIN_PEAK : NEAP_SCHEDULE_DEPTH_FIRST;
    neap_liveness options = {.in_place = round % 3 == 0,
                             .no_inputs = round % 5 == 0,
                             .no_outputs = round % 7 == 0,
                             .keep_all = round % 11 == 0};
    neap_size before = bound_of(graph, &options);
    size_t count = neap_graph_operator_count(graph);
    neap_problem *problem;
    neap_plan *plan;
    neap_report report;
    neap_error error;
    assert_ok(neap_graph_schedule(graph, schedule, &options, &error), &error);
    assert_true(bound_of(graph, &options) <= before);
    assert_ok(neap_graph_problem(graph, &options, &problem, &error), &error);
    if (graph->given) { /* otherwise depth first is worse, and the order is as it was */
      expect_permutation(problem, count);
      assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
      neap_plan_report(plan, &report);
      assert_true(report.given_bound == before);
      neap_plan_free(plan);
    }
    neap_problem_free(problem);
    neap_graph_free(graph);
  }
}

/* ---------------------------------------------------------------- the best of all */

/* Tries every order that goes on from here. */
static void try_all(const struct schedule *schedule, size_t *order, size_t at, size_t *left,
                    neap_size *best) {
  if (at == schedule->count) {
    neap_size peak = schedule_peak(schedule, order, left);
    if (peak < *best) *best = peak;
    return;
  }
  for (size_t k = 0; k < schedule->count; k++) {
    size_t missing = 0;
    bool is_there = false;
    for (size_t i = 0; i < at; i++)
      is_there = is_there || order[i] == k;
    if (is_there) continue;
    for (size_t i = schedule_begin(&schedule->befores, k); i < schedule->befores.ends[k]; i++) {
      bool ran = false;
      for (size_t j = 0; j < at; j++)
        ran = ran || order[j] == schedule->befores.items[i];
      missing += !ran;
    }
    if (missing > 0) continue;
    order[at] = k;
    try_all(schedule, order, at + 1, left, best);
  }
}

static void the_search_finds_the_best(void **state) {
  (void)state;
  struct dice dice = {23};
  static const neap_liveness options = {0};
  size_t improved = 0;
  for (int round = 0; round < 1500; round++) {
    neap_graph *graph = random_graph(&dice, 7);
    struct schedule schedule = {0};
    size_t order[RANDOM_GRAPH_MAX], tensors = neap_graph_tensor_count(graph);
    size_t *left = test_calloc(tensors, sizeof *left);
    neap_size best = NEAP_MAX, before = bound_of(graph, &options);
    neap_error error;
    assert_ok(schedule_init(&schedule, graph, &options, &error), &error);
    try_all(&schedule, order, 0, left, &best);
    for (size_t k = 0; k < schedule.count; k++)
      order[k] = k;
    assert_ok(schedule_search(&schedule, order, tensors, &error), &error);
    assert_true(schedule_peak(&schedule, order, left) == best);
    assert_true(schedule_least(&schedule) <= best);
    assert_ok(neap_graph_schedule(graph, NEAP_SCHEDULE_MIN_PEAK, &options, &error), &error);
    improved += bound_of(graph, &options) < before;
    schedule_clear(&schedule);
    test_free(left);
    neap_graph_free(graph);
  }
  assert_true(improved > 50);
}

/* The model that the search goes by has the bounds that liveness has. */
static void costs_are_those_of_liveness(void **state) {
  (void)state;
  struct dice dice = {31};
  for (int round = 0; round < 2000; round++) {
    neap_graph *graph = random_graph(&dice, RANDOM_GRAPH_MAX);
    neap_liveness options = {.no_inputs = round % 5 == 0, .no_outputs = round % 7 == 0};
    struct schedule schedule = {0};
    size_t order[RANDOM_GRAPH_MAX], tensors = neap_graph_tensor_count(graph);
    size_t *left = test_calloc(tensors, sizeof *left);
    neap_error error;
    assert_ok(schedule_init(&schedule, graph, &options, &error), &error);
    for (size_t k = 0; k < schedule.count; k++)
      order[k] = k;
    assert_true(schedule_peak(&schedule, order, left) >= bound_of(graph, &options));
    schedule_clear(&schedule);
    test_free(left);
    neap_graph_free(graph);
  }
}

/* ---------------------------------------------------------------- what must not pass what */

static size_t place_of(const neap_graph *graph, const char *name) {
  for (size_t k = 0; k < graph->operator_count; k++)
    if (strcmp(graph->operators[k].name, name) == 0) return k;
  fail_msg("there is no operator %s", name);
  return 0;
}

static size_t tensor(neap_graph *graph, const char *name, neap_size bytes,
                     enum graph_kind kind) {
  neap_error error;
  assert_ok(graph_add_tensor(graph, name,
                             &(struct graph_tensor){.bytes = bytes,
                                                    .alignment = 1,
                                                    .kind = kind,
                                                    .is_input = strcmp(name, "in") == 0},
                             &error),
            &error);
  return neap_graph_tensor_count(graph) - 1;
}

static void operators_with_effects_keep_their_order(void **state) {
  (void)state;
  neap_graph *graph = graph_new();
  neap_error error;
  size_t in = tensor(graph, "in", 8, GRAPH_ACTIVATION);
  size_t variable = tensor(graph, "state", 8, GRAPH_VARIABLE);
  size_t big = tensor(graph, "big", 1000, GRAPH_ACTIVATION);
  size_t small = tensor(graph, "small", 8, GRAPH_ACTIVATION);
  size_t end = tensor(graph, "end", 8, GRAPH_ACTIVATION);
  /* Without the variable, `reset` would be first: it ends `in`. */
  assert_ok(graph_add_operator(graph, "grow", &error), &error);
  assert_ok(graph_add_link(graph, GRAPH_INPUT, variable, &error), &error);
  assert_ok(graph_add_link(graph, GRAPH_OUTPUT, big, &error), &error);
  assert_ok(graph_add_operator(graph, "reset", &error), &error);
  assert_ok(graph_add_link(graph, GRAPH_INPUT, in, &error), &error);
  assert_ok(graph_add_link(graph, GRAPH_INPUT, variable, &error), &error);
  assert_ok(graph_add_link(graph, GRAPH_OUTPUT, small, &error), &error);
  assert_ok(graph_add_operator(graph, "join", &error), &error);
  assert_ok(graph_add_link(graph, GRAPH_INPUT, big, &error), &error);
  assert_ok(graph_add_link(graph, GRAPH_INPUT, small, &error), &error);
  assert_ok(graph_add_link(graph, GRAPH_OUTPUT, end, &error), &error);
  assert_ok(graph_add_operator(graph, "print", &error), &error);
  assert_ok(graph_add_link(graph, GRAPH_INPUT, end, &error), &error);
  assert_ok(graph_add_operator(graph, "barrier", &error), &error);
  for (int how = NEAP_SCHEDULE_DEPTH_FIRST; how <= NEAP_SCHEDULE_MIN_PEAK; how++) {
    assert_ok(neap_graph_schedule(graph, (neap_schedule)how, NULL, &error), &error);
    assert_true(place_of(graph, "grow") < place_of(graph, "reset"));
    assert_true(place_of(graph, "print") < place_of(graph, "barrier"));
    assert_int_equal(place_of(graph, "barrier"), 4);
  }
  neap_graph_free(graph);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bound_never_rises),
      cmocka_unit_test(the_search_finds_the_best),
      cmocka_unit_test(costs_are_those_of_liveness),
      cmocka_unit_test(operators_with_effects_keep_their_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
