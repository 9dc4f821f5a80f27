/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ends a run, and runs in threads. */
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "tests/support/work.h"

/* ---------------------------------------------------------------- limits */

/* What ends a run: cancelling, time, ticks, capacity, the bound; and runs in threads. */

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---------------------------------------------------------------- cancelling */

static void *cancel_soon(void *planner) {
  const struct timespec while_it_works = {0, 50000000};
  nanosleep(&while_it_works, NULL);
  neap_planner_cancel(planner);
  return NULL;
}

TEST(another_thread_can_cancel) {
  neap_problem *problem = work_large(100);
  neap_options *options = work_endless();
  neap_planner *planner = work_planner(problem, options);
  pthread_t thread;
  double started = seconds_now();
  assert_int_equal(pthread_create(&thread, NULL, cancel_soon, planner), 0);
  work_run(planner);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_true(seconds_now() - started < 20);
  assert_int_equal(work_report(planner).run.stop_reason, NEAP_STOP_CANCELLED);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
}

TEST(cancelling_before_the_start_gives_no_plan) {
  neap_problem *problem = work_large(100);
  neap_planner *planner = work_planner(problem, NULL);
  neap_plan *plan = NULL;
  neap_error error;
  neap_planner_cancel(planner);
  work_run(planner);
  assert_error(neap_planner_plan(planner, &plan, &error), NEAP_NO_PLAN, &error);
  neap_planner_free(planner);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- limits */

TEST(a_time_limit_ends_the_run) {
  neap_problem *problem = work_large(300);
  neap_options *options = work_endless();
  neap_error error;
  work_set(options, "time-limit", "0.2");
  neap_plan *plan = sample_solve(problem, options);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_report report = sample_report(plan);
  assert_int_equal(report.run.stop_reason, NEAP_STOP_TIME_LIMIT);
  assert_true(report.run.seconds >= 0.2 && report.run.seconds < 20);
  neap_plan_free(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

/*
 * A small group has few orders; after the last one, the limits must still stop the search for
 * another.
 */
/* The work that relations need before the first layout also counts. */
TEST(a_time_limit_ends_the_preparation) {
  static const struct sample two[] = {{0, 2, 8, 0}, {1, 3, 8, 0}};
  neap_relation apart = {sizeof(neap_relation), NEAP_EXCLUSION, 0, 1, 0, NULL};
  neap_problem *problem = sample_problem(two, 2);
  neap_options *options = neap_options_new();
  neap_planner *planner;
  neap_error error;
  assert_ok(neap_problem_relate(problem, &apart, &error), &error);
  work_set(options, "time-limit", "0.000001");
  assert_error(neap_planner_new(problem, options, &planner, &error), NEAP_NO_PLAN, &error);
  assert_says(&error, "time-limit");
  neap_options_free(options);
  neap_problem_free(problem);
}

TEST(a_time_limit_ends_a_hopeless_search) {
  neap_problem *problem = work_hard();
  neap_options *options = work_tuner();
  work_set(options, "rearrange", "search");
  work_set(options, "max-group-rounds", "100000000");
  work_set(options, "time-limit", "0.1");
  neap_plan *plan = sample_solve(problem, options);
  neap_report report = sample_report(plan);
  assert_int_equal(report.peak, 5);
  assert_true(report.run.seconds < 3);
  neap_plan_free(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

/* The same number of ticks gives the same plan, however busy the machine is. */
TEST(a_tick_limit_is_repeatable) {
  neap_problem *problem = work_large(150);
  neap_options *options = work_endless();
  neap_plan *plans[2];
  neap_error error;
  work_set(options, "max-ticks", "20011");
  for (size_t i = 0; i < 2; i++)
    assert_ok(neap_solve(problem, options, &plans[i], &error), &error);
  neap_report report = sample_report(plans[0]);
  assert_int_equal(report.run.stop_reason, NEAP_STOP_TICK_LIMIT);
  work_expect_same(plans[0], plans[1]);
  neap_plan_free(plans[0]);
  neap_plan_free(plans[1]);
  neap_options_free(options);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- the search within the tuner */

/* A group of all buffers, which an exact search within the tuner works on without end. */
static neap_problem *hard_group(neap_options *options) {
  static const struct {
    const char *name, *value;
  } pairs[] = {{"engine", "tune"},
               {"rearrange", "repack"},
               {"group-size", "401"},
               {"max-rounds", "1000000"}};
  neap_problem *problem = sample_hard();
  sample_add(problem, "long", 0, neap_problem_horizon(problem), 1);
  for (size_t i = 0; i < SAMPLE_COUNT(pairs); i++)
    work_set(options, pairs[i].name, pairs[i].value);
  return problem;
}

TEST(ticks_bound_the_search_within_the_tuner) {
  neap_options *options = neap_options_new();
  neap_problem *problem = hard_group(options);
  neap_plan *plans[2];
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  work_set(options, "max-ticks", "20011");
  for (size_t i = 0; i < 2; i++) {
    assert_ok(neap_solve(problem, options, &plans[i], &error), &error);
    neap_plan_report(plans[i], &report);
    assert_int_equal(report.run.stop_reason, NEAP_STOP_TICK_LIMIT);
  }
  work_expect_same(plans[0], plans[1]);
  neap_plan_free(plans[0]);
  neap_plan_free(plans[1]);
  neap_options_free(options);
  neap_problem_free(problem);
}

static void cancel_after_ticks(const neap_progress *progress, void *planner) {
  if (progress->ticks >= 10000) neap_planner_cancel(planner);
}

TEST(a_progress_callback_can_cancel_the_search_within_the_tuner) {
  neap_options *options = neap_options_new();
  neap_problem *problem = hard_group(options);
  neap_planner *planner = work_planner(problem, options);
  neap_planner_on_progress(planner, cancel_after_ticks, planner);
  work_run(planner);
  assert_int_equal(work_report(planner).run.stop_reason, NEAP_STOP_CANCELLED);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
}

/* Seven buffers take seven ticks; with six there is no plan. */
TEST(enough_ticks_for_one_layout_give_a_plan) {
  neap_problem *problem = work_hard();
  neap_options *options = work_tuner();
  neap_error error;
  work_set(options, "max-ticks", "7");
  neap_plan *plan = sample_solve(problem, options);
  neap_report report = sample_report(plan);
  assert_int_equal(report.run.rounds, 1);
  assert_int_equal(report.run.stop_reason, NEAP_STOP_TICK_LIMIT);
  neap_plan_free(plan);
  plan = NULL;
  work_set(options, "max-ticks", "6");
  assert_error(neap_solve(problem, options, &plan, &error), NEAP_NO_PLAN, &error);
  assert_null(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

TEST(a_capacity_below_the_bound_is_infeasible) {
  neap_problem *problem = work_hard();
  neap_options *options = work_tuner();
  neap_plan *plan = NULL;
  neap_error error;
  work_set(options, "capacity", "3");
  assert_error(neap_solve(problem, options, &plan, &error), NEAP_INFEASIBLE, &error);
  assert_null(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

/* The bound is 4, but the best layout takes 5: there is neither a plan nor a proof. */
TEST(a_capacity_that_is_not_reached_gives_no_plan) {
  neap_problem *problem = work_hard();
  neap_options *options = work_tuner();
  neap_plan *plan = NULL;
  neap_error error;
  work_set(options, "capacity", "4");
  work_set(options, "rearrange", "auto"); /* it proves nothing */
  assert_error(neap_solve(problem, options, &plan, &error), NEAP_NO_PLAN, &error);
  assert_null(plan);
  work_set(options, "capacity", "5");
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  assert_ok(neap_plan_verify(plan, 5, &error), &error);
  neap_plan_free(plan);
  neap_options_free(options);
  neap_problem_free(problem);
}

TEST(at_the_bound_it_stops_at_once) {
  const struct sample samples[] = {{0, 5, 10, 0}, {2, 8, 20, 0}, {6, 9, 10, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  neap_planner *planner = work_planner(problem, NULL);
  work_run(planner);
  neap_report report = work_report(planner);
  assert_int_equal(report.peak, 30);
  assert_int_equal(report.run.rounds, 1);
  assert_int_equal(report.run.stop_reason, NEAP_STOP_BOUND);
  assert_int_equal(report.outcome, NEAP_OPTIMAL);
  assert_true(report.gap_percent == 0);
  neap_planner_free(planner);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- threads */

struct job {
  const neap_problem *problem; /* shared: planning only reads it */
  const char *seed, *ticks;
  neap_plan *plan;
  neap_status status;
};

static void *work(void *user) {
  struct job *job = user;
  neap_options *options = neap_options_new();
  job->status = NEAP_ERROR_MEMORY;
  if (options && neap_options_set(options, "seed", job->seed, NULL) == NEAP_OK &&
      neap_options_set(options, "rearrange", "search", NULL) == NEAP_OK &&
      neap_options_set(options, "max-rounds", "8", NULL) == NEAP_OK &&
      neap_options_set(options, "max-ticks", job->ticks, NULL) == NEAP_OK)
    job->status = neap_solve(job->problem, options, &job->plan, NULL);
  neap_options_free(options);
  return NULL;
}

TEST(concurrent_runs_give_the_same_plans_as_sequential_ones) {
  neap_problem *problem = work_large(300);
  const char *ticks = sample_is_full() ? "5000000" : "500000";
  struct job alone[] = {{problem, "1", ticks, NULL, NEAP_OK},
                        {problem, "2", ticks, NULL, NEAP_OK}};
  struct job together[] = {alone[0], alone[1]};
  pthread_t threads[2];
  for (size_t i = 0; i < 2; i++)
    work(&alone[i]);
  for (size_t i = 0; i < 2; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, work, &together[i]), 0);
  for (size_t i = 0; i < 2; i++)
    assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(alone[i].status, NEAP_OK);
    assert_int_equal(together[i].status, NEAP_OK);
    work_expect_same(alone[i].plan, together[i].plan);
    neap_plan_free(alone[i].plan);
    neap_plan_free(together[i].plan);
  }
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- races */

/* Searches that race: they reach the verdicts of a single search, and end as soon as asked to. */

static neap_options *racing(const char *threads) {
  neap_options *options = neap_options_new();
  work_set(options, "engine", "exact");
  work_set(options, "threads", threads);
  return options;
}

TEST(many_threads_prove_what_one_proves) {
  static const char *const threads[] = {"1", "2", "5"};
  neap_problem *problem = work_hard();
  for (size_t i = 0; i < SAMPLE_COUNT(threads); i++) {
    neap_options *options = racing(threads[i]);
    neap_plan *plan = sample_solve(problem, options);
    neap_report report = sample_report(plan);
    assert_int_equal(report.peak, 5);
    assert_int_equal(report.outcome, NEAP_OPTIMAL);
    assert_int_equal(report.run.stop_reason, NEAP_STOP_PROVEN);
    neap_plan_free(plan);
    neap_options_free(options);
  }
  neap_problem_free(problem);
}

TEST(threads_do_not_change_a_short_search) {
  neap_problem *problem = work_hard();
  neap_options *one = racing("1"), *many = racing("5");
  neap_plan *alone = sample_solve(problem, one), *together = sample_solve(problem, many);
  work_expect_same(alone, together);
  neap_plan_free(alone);
  neap_plan_free(together);
  neap_options_free(one);
  neap_options_free(many);
  neap_problem_free(problem);
}

TEST(many_threads_refute_a_capacity) {
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

TEST(a_race_can_be_cancelled) {
  neap_problem *problem = sample_hard();
  neap_options *options = racing("3");
  neap_planner *planner = work_planner(problem, options);
  neap_planner_on_progress(planner, cancel, planner);
  work_run(planner);
  neap_plan *plan = work_plan(planner);
  neap_report report = sample_report(plan);
  assert_true(report.run.stop_reason == NEAP_STOP_CANCELLED ||
              report.run.stop_reason == NEAP_STOP_BOUND);
  neap_plan_free(plan);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(another_thread_can_cancel),
      cmocka_unit_test(cancelling_before_the_start_gives_no_plan),
      cmocka_unit_test(a_time_limit_ends_the_run),
      cmocka_unit_test(a_time_limit_ends_the_preparation),
      cmocka_unit_test(a_time_limit_ends_a_hopeless_search),
      cmocka_unit_test(a_tick_limit_is_repeatable),
      cmocka_unit_test(ticks_bound_the_search_within_the_tuner),
      cmocka_unit_test(a_progress_callback_can_cancel_the_search_within_the_tuner),
      cmocka_unit_test(enough_ticks_for_one_layout_give_a_plan),
      cmocka_unit_test(a_capacity_below_the_bound_is_infeasible),
      cmocka_unit_test(a_capacity_that_is_not_reached_gives_no_plan),
      cmocka_unit_test(at_the_bound_it_stops_at_once),
      cmocka_unit_test(concurrent_runs_give_the_same_plans_as_sequential_ones),
      cmocka_unit_test(many_threads_prove_what_one_proves),
      cmocka_unit_test(threads_do_not_change_a_short_search),
      cmocka_unit_test(many_threads_refute_a_capacity),
      cmocka_unit_test(a_race_can_be_cancelled),
  };
  return cmocka_run_group_tests_name("api limits", tests, NULL, NULL);
}
