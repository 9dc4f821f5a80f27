/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planning by steps, and what can be watched and read on the way. */
#include <string.h>

#include "tests/support/work.h"

/* ---------------------------------------------------------------- stepping */

TEST(stepping_gives_the_same_plan_as_solving) {
  neap_problem *problem = work_large(200);
  neap_options *options = work_tuner();
  work_set(options, "max-rounds", "6");
  neap_plan *solved = sample_solve(problem, options);
  neap_planner *planner = work_planner(problem, options);
  work_run(planner);
  neap_plan *stepped = work_plan(planner);
  work_expect_same(solved, stepped);
  neap_plan_free(stepped);
  neap_plan_free(solved);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
}

TEST(a_plan_outlives_its_planner) {
  neap_problem *problem = work_hard();
  neap_planner *planner = work_planner(problem, NULL);
  neap_error error;
  work_run(planner);
  neap_plan *plan = work_plan(planner);
  neap_planner_free(planner);
  neap_report report = sample_report(plan);
  assert_true(report.run.engine[0] != '\0');
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(options_are_copied) {
  neap_problem *problem = work_hard();
  neap_options *options = work_tuner();
  work_set(options, "max-rounds", "1");
  neap_planner *planner = work_planner(problem, options);
  work_set(options, "max-rounds", "9");
  neap_options_free(options);
  work_run(planner);
  assert_int_equal(work_report(planner).run.rounds, 1);
  neap_planner_free(planner);
  neap_problem_free(problem);
}

TEST(before_the_first_step_there_is_no_plan) {
  neap_problem *problem = work_hard();
  neap_planner *planner = work_planner(problem, NULL);
  neap_plan *plan = NULL;
  neap_error error;
  assert_error(neap_planner_plan(planner, &plan, &error), NEAP_NO_PLAN, &error);
  assert_int_equal(neap_planner_plan(planner, &plan, NULL), NEAP_NO_PLAN);
  neap_planner_free(planner);
  neap_problem_free(problem);
}

TEST(after_the_last_step_nothing_more_happens) {
  neap_problem *problem = work_hard();
  neap_options *options = work_tuner();
  work_set(options, "max-rounds", "3");
  neap_planner *planner = work_planner(problem, options);
  neap_error error;
  work_run(planner);
  neap_plan *before = work_plan(planner);
  for (int i = 0; i < 3; i++) {
    bool done = false;
    assert_ok(neap_planner_step(planner, &done, &error), &error);
    assert_true(done);
  }
  neap_plan *after = work_plan(planner);
  work_expect_same(before, after);
  neap_plan_free(before);
  neap_plan_free(after);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
}

TEST(every_engine_plans_no_buffer_and_one) {
  neap_engine_info engine = NEAP_INIT(neap_engine_info);
  for (size_t e = 0; neap_engine_at(e, &engine); e++)
    for (size_t count = 0; count < 2; count++) {
      const struct sample samples[] = {{3, 5, 100, 0}};
      if (strstr(engine.name, "-parallel")) continue; /* of graphs alone */
      neap_problem *problem = sample_problem(samples, count);
      neap_options *options = neap_options_new();
      work_set(options, "engine", engine.name);
      neap_planner *planner = work_planner(problem, options);
      work_run(planner);
      neap_report report = work_report(planner);
      assert_int_equal(report.buffers, count);
      assert_int_equal(report.peak, 100 * count);
      assert_int_equal(report.outcome, NEAP_OPTIMAL);
      assert_int_equal(report.run.stop_reason, NEAP_STOP_BOUND);
      neap_planner_free(planner);
      neap_options_free(options);
      neap_problem_free(problem);
    }
}

/* ---------------------------------------------------------------- watching */

struct watch {
  neap_planner *planner;
  uint64_t rounds, looks, ticks;
  neap_size best;
  uint64_t cancel_at; /* round or look */
};

static void watch_round(const neap_round *round, void *user) {
  struct watch *watch = user;
  assert_int_equal(round->round, ++watch->rounds);
  assert_int_equal(round->improved, round->peak < watch->best);
  if (round->peak < watch->best) watch->best = round->peak;
  assert_int_equal(work_report(watch->planner).peak, watch->best);
  if (watch->rounds == watch->cancel_at) neap_planner_cancel(watch->planner);
}

TEST(rounds_are_reported_and_plans_readable_in_between) {
  neap_problem *problem = work_large(100);
  neap_options *options = work_tuner();
  neap_planner *planner = work_planner(problem, options);
  struct watch watch = {.planner = planner, .best = NEAP_MAX};
  neap_planner_on_round(planner, watch_round, &watch);
  work_run(planner);
  neap_plan *plan = work_plan(planner);
  neap_report report = sample_report(plan);
  assert_true(watch.rounds > 1);
  assert_int_equal(report.run.rounds, watch.rounds);
  assert_int_equal(report.peak, watch.best);
  neap_round round = NEAP_INIT(neap_round);
  assert_true(neap_plan_round_at(plan, watch.rounds - 1, &round));
  assert_false(neap_plan_round_at(plan, watch.rounds, &round));
  neap_plan_free(plan);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
}

static void watch_progress(const neap_progress *progress, void *user) {
  struct watch *watch = user;
  watch->looks++;
  assert_true(progress->ticks >= watch->ticks);
  watch->ticks = progress->ticks;
  assert_true(progress->bound > INT64_C(4000000000));
  assert_true(progress->lower_bound >= progress->bound);
  assert_true(progress->seconds >= 0);
  neap_plan *plan = NULL;
  neap_status status = neap_planner_plan(watch->planner, &plan, NULL);
  if (progress->peak == NEAP_UNPLACED) {
    assert_int_equal(status, NEAP_NO_PLAN);
  } else {
    assert_int_equal(status, NEAP_OK);
    neap_report report = sample_report(plan);
    assert_int_equal(report.peak, progress->peak);
    assert_true(progress->peak <= watch->best);
    watch->best = progress->peak;
  }
  neap_plan_free(plan);
  if (watch->looks == watch->cancel_at) neap_planner_cancel(watch->planner);
}

TEST(progress_is_reported_and_can_cancel) {
  neap_problem *problem = work_large(300);
  neap_options *options = work_endless();
  neap_planner *planner = work_planner(problem, options);
  struct watch watch = {.planner = planner, .best = NEAP_MAX, .cancel_at = 20};
  neap_planner_on_progress(planner, watch_progress, &watch);
  work_run(planner);
  assert_in_range(watch.looks, 20, 40);
  assert_true(watch.ticks > 0);
  assert_int_equal(work_report(planner).run.stop_reason, NEAP_STOP_CANCELLED);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
}

TEST(callbacks_can_be_removed) {
  neap_problem *problem = work_hard();
  neap_planner *planner = work_planner(problem, NULL);
  struct watch watch = {.planner = planner, .best = NEAP_MAX};
  neap_planner_on_round(planner, watch_round, &watch);
  neap_planner_on_round(planner, NULL, NULL);
  neap_planner_on_progress(planner, NULL, NULL);
  work_run(planner);
  assert_int_equal(watch.rounds, 0);
  neap_planner_free(planner);
  neap_problem_free(problem);
}

TEST(a_progress_callback_can_cancel) {
  neap_problem *problem = work_large(100);
  neap_options *options = work_tuner();
  neap_planner *planner = work_planner(problem, options);
  struct watch watch = {.planner = planner, .best = NEAP_MAX, .cancel_at = 2};
  neap_planner_on_round(planner, watch_round, &watch);
  work_run(planner);
  neap_report report = work_report(planner);
  assert_int_equal(report.run.stop_reason, NEAP_STOP_CANCELLED);
  assert_int_equal(report.run.rounds, 2);
  assert_int_equal(report.peak, watch.best);
  neap_planner_free(planner);
  neap_options_free(options);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stepping_gives_the_same_plan_as_solving),
      cmocka_unit_test(a_plan_outlives_its_planner),
      cmocka_unit_test(options_are_copied),
      cmocka_unit_test(before_the_first_step_there_is_no_plan),
      cmocka_unit_test(after_the_last_step_nothing_more_happens),
      cmocka_unit_test(every_engine_plans_no_buffer_and_one),
      cmocka_unit_test(rounds_are_reported_and_plans_readable_in_between),
      cmocka_unit_test(progress_is_reported_and_can_cancel),
      cmocka_unit_test(callbacks_can_be_removed),
      cmocka_unit_test(a_progress_callback_can_cancel),
  };
  return cmocka_run_group_tests_name("api planner", tests, NULL, NULL);
}
