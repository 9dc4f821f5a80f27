/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches that race: the same verdicts as of one, and an end as soon as it is asked for. */
#include <string.h>
#include <time.h>

#include "tests/api/work.h"

static neap_options *racing(const char *threads) {
  neap_options *options = neap_options_new();
  work_set(options, "engine", "exact");
  work_set(options, "threads", threads);
  return options;
}

static void many_threads_prove_what_one_proves(void **state) {
  (void)state;
  static const char *const threads[] = {"1", "2", "5"};
  neap_problem *problem = work_hard();
  for (size_t i = 0; i < SAMPLE_COUNT(threads); i++) {
    neap_options *options = racing(threads[i]);
    neap_plan *plan;
    neap_report report = NEAP_INIT(neap_report);
    neap_error error;
    assert_ok(neap_solve(problem, options, &plan, &error), &error);
    neap_plan_report(plan, &report);
    assert_int_equal(report.peak, 5);
    assert_int_equal(report.outcome, NEAP_OPTIMAL);
    assert_int_equal(report.stop_reason, NEAP_STOP_PROVEN);
    neap_plan_free(plan);
    neap_options_free(options);
  }
  neap_problem_free(problem);
}

static void many_threads_refute_a_capacity(void **state) {
  (void)state;
  neap_problem *problem = work_hard();
  neap_options *options = racing("3");
  neap_plan *plan = NULL;
  neap_error error;
  work_set(options, "capacity", "4");
  assert_int_equal(neap_solve(problem, options, &plan, &error), NEAP_INFEASIBLE);
  assert_null(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

/* A search without end, in steps, until it is cancelled from the progress function. */
static void cancel(const neap_progress *progress, void *user) {
  if (progress->peak != NEAP_UNPLACED) neap_planner_cancel(user);
}

static void a_race_can_be_cancelled(void **state) {
  (void)state;
  neap_problem *problem = sample_hard();
  neap_options *options = racing("3");
  neap_planner *planner = work_planner(problem, options);
  neap_planner_on_progress(planner, cancel, planner);
  work_run(planner);
  neap_plan *plan = work_plan(planner);
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  assert_true(report.stop_reason == NEAP_STOP_CANCELLED ||
              report.stop_reason == NEAP_STOP_BOUND);
  neap_plan_free(plan);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_threads_prove_what_one_proves),
      cmocka_unit_test(many_threads_refute_a_capacity),
      cmocka_unit_test(a_race_can_be_cancelled),
  };
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
