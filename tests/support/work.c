/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/work.h"

#include <stdio.h>

static neap_problem *hard_of(neap_size unit) {
  static const struct sample samples[] = {{1, 4, 2, 0}, {2, 3, 2, 0}, {3, 5, 1, 0},
                                          {3, 6, 1, 0}, {4, 6, 1, 0}, {5, 7, 2, 0},
                                          {6, 7, 2, 0}};
  struct sample scaled[SAMPLE_COUNT(samples)];
  for (size_t i = 0; i < SAMPLE_COUNT(samples); i++) {
    scaled[i] = samples[i];
    scaled[i].size *= unit;
  }
  return sample_problem(scaled, SAMPLE_COUNT(samples));
}

neap_problem *work_hard(void) { return hard_of(1); }

neap_problem *work_large(size_t count) {
  neap_problem *problem = hard_of(1000000000);
  uint64_t state = 42;
  sample_add(problem, "whole", 0, 100, 1);
  for (size_t i = 0; i < count; i++) {
    char name[32];
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    neap_time start = (neap_time)(state >> 33) % 8;
    snprintf(name, sizeof name, "t%zu", i);
    sample_add(problem, name, start, start + 1 + (neap_time)(state >> 53) % 50,
               1 + (neap_size)(state >> 40) % 1000);
  }
  return problem;
}

void work_set(neap_options *options, const char *name, const char *value) {
  neap_error error;
  assert_ok(neap_options_set(options, name, value, &error), &error);
}

neap_options *work_tuner(void) {
  neap_options *options = neap_options_new();
  assert_non_null(options);
  work_set(options, "engine", "tune");
  return options;
}

neap_options *work_endless(void) {
  neap_options *options = work_tuner();
  work_set(options, "rearrange", "search");
  work_set(options, "group-size", "4096");
  work_set(options, "max-rounds", "1000000000");
  work_set(options, "max-group-rounds", "1000000000");
  return options;
}

neap_planner *work_planner(const neap_problem *problem, const neap_options *options) {
  neap_planner *planner;
  neap_error error;
  assert_ok(neap_planner_new(problem, options, &planner, &error), &error);
  return planner;
}

void work_run(neap_planner *planner) {
  neap_error error;
  bool done = false;
  while (!done)
    assert_ok(neap_planner_step(planner, &done, &error), &error);
}

neap_plan *work_plan(const neap_planner *planner) {
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_planner_plan(planner, &plan, &error), &error);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  return plan;
}

neap_report work_report(const neap_planner *planner) {
  neap_plan *plan = work_plan(planner);
  neap_report report = sample_report(plan);
  report.run.engine = ""; /* lives as long as the plan */
  neap_plan_free(plan);
  return report;
}

void work_expect_same(const neap_plan *a, const neap_plan *b) {
  neap_report first = NEAP_INIT(neap_report), second = NEAP_INIT(neap_report);
  neap_plan_report(a, &first);
  neap_plan_report(b, &second);
  assert_int_equal(first.peak, second.peak);
  assert_int_equal(first.run.rounds, second.run.rounds);
  assert_int_equal(first.run.stop_reason, second.run.stop_reason);
  for (size_t i = 0; i < neap_problem_count(neap_plan_problem(a)); i++)
    assert_int_equal(neap_plan_offset(a, i), neap_plan_offset(b, i));
}
