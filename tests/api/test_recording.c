/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a plan keeps of the run that made it: layouts of rounds, and the run's course. */
#include <stdlib.h>
#include <string.h>

#include "tests/api/files.h"
#include "tests/api/work.h"

static neap_plan *solve(const neap_problem *problem, const char *engine, const char *layouts) {
  neap_options *options = neap_options_new();
  neap_plan *plan;
  neap_error error;
  assert_non_null(options);
  work_set(options, "engine", engine);
  work_set(options, "max-ticks", "200000");
  if (layouts) work_set(options, "keep-layouts", layouts);
  assert_ok(neap_solve(problem, options, &plan, &error), &error);
  neap_options_free(options);
  return plan;
}

/* The round's layout is sound, and as high as the round says. */
static void expect_layout(const neap_problem *problem, const neap_round *round) {
  neap_plan *plan;
  neap_report report;
  neap_error error;
  assert_non_null(round->offsets);
  assert_ok(neap_plan_new(problem, round->offsets, &plan, &error), &error);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_plan_report(plan, &report);
  assert_int_equal(report.peak, round->peak);
  neap_plan_free(plan);
}

static size_t count_rounds(const neap_plan *plan) {
  neap_round round;
  size_t count = 0;
  while (neap_plan_round_at(plan, count, &round))
    count++;
  return count;
}

static neap_round round_at(const neap_plan *plan, size_t index) {
  neap_round round;
  assert_true(neap_plan_round_at(plan, index, &round));
  return round;
}

static void every_round_has_its_layout(void **state) {
  (void)state;
  static const char *const engines[] = {"auto", "tune", "sort", "exact", "tflite-arena"};
  neap_problem *problem = work_hard();
  for (size_t e = 0; e < SAMPLE_COUNT(engines); e++) {
    neap_plan *plan = solve(problem, engines[e], "yes");
    assert_true(count_rounds(plan) > 0);
    for (size_t i = 0; i < count_rounds(plan); i++) {
      neap_round round = round_at(plan, i);
      expect_layout(problem, &round);
    }
    neap_plan_free(plan);
  }
  neap_problem_free(problem);
}

/* The layouts change nothing else. */
static void without_the_option_no_layouts_are_kept(void **state) {
  (void)state;
  neap_problem *problem = work_hard();
  neap_plan *plain = solve(problem, "auto", NULL), *kept = solve(problem, "auto", "yes");
  assert_int_equal(count_rounds(plain), count_rounds(kept));
  for (size_t i = 0; i < count_rounds(plain); i++)
    assert_null(round_at(plain, i).offsets);
  work_expect_same(plain, kept);
  neap_plan_free(plain);
  neap_plan_free(kept);
  neap_problem_free(problem);
}

static void layouts_survive_writing_and_reading(void **state) {
  (void)state;
  neap_problem *problem = work_hard();
  neap_plan *plan = solve(problem, "tune", "yes");
  size_t rounds = count_rounds(plan), bytes = neap_problem_count(problem) * sizeof(neap_offset);
  files_write_plan(plan, "plan.json");
  neap_plan *again = files_read_plan("plan.json");
  assert_int_equal(count_rounds(again), rounds);
  for (size_t i = 0; i < rounds; i++)
    assert_memory_equal(round_at(again, i).offsets, round_at(plan, i).offsets, bytes);
  files_write_plan(again, "again.json");
  files_expect_same("plan.json", "again.json");
  neap_plan_free(plan);
  neap_plan_free(again);
  neap_problem_free(problem);
}

static void a_file_without_layouts_does_not_mention_them(void **state) {
  (void)state;
  neap_problem *problem = work_hard();
  neap_plan *plan = solve(problem, "tune", NULL);
  files_write_plan(plan, "plan.json");
  char *text = files_text("plan.json");
  assert_null(strstr(text, "offsets"));
  free(text);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- the course of the run */

static bool improved(const neap_moment *now, const neap_moment *before) {
  bool lower =
      now->peak != NEAP_UNPLACED && (before->peak == NEAP_UNPLACED || now->peak < before->peak);
  bool nearer = now->peak == before->peak && now->excess_area < before->excess_area;
  return lower || nearer || now->lower_bound > before->lower_bound;
}

static neap_size bound_of(const neap_plan *plan) {
  neap_bound bound;
  neap_error error;
  assert_ok(neap_problem_bound(neap_plan_problem(plan), &bound, &error), &error);
  return bound.lower_bound;
}

static void expect_course(const neap_plan *plan) {
  neap_moment before, now;
  neap_report report;
  neap_plan_report(plan, &report);
  assert_true(neap_plan_moment_at(plan, 0, &before));
  assert_int_equal(before.peak, NEAP_UNPLACED);
  assert_int_equal(before.rounds, 0);
  size_t count = 1;
  for (; neap_plan_moment_at(plan, count, &now); count++) {
    neap_moment next;
    bool is_last = !neap_plan_moment_at(plan, count + 1, &next);
    assert_true(is_last || improved(&now, &before));
    assert_true(now.seconds >= before.seconds && now.rounds >= before.rounds &&
                now.ticks >= before.ticks && now.lower_bound >= before.lower_bound);
    before = now;
  }
  assert_true(count >= 2);
  assert_int_equal(before.peak, report.peak);
  assert_int_equal(before.excess_area > 0, before.peak > bound_of(plan));
  assert_int_equal(before.lower_bound, report.lower_bound);
  assert_int_equal(before.rounds, report.rounds);
  assert_true(before.seconds == report.seconds);
}

static void the_course_leads_to_the_plan(void **state) {
  (void)state;
  static const char *const engines[] = {"auto", "tune", "sort", "exact", "nnvm"};
  neap_problem *problem = work_hard();
  for (size_t e = 0; e < SAMPLE_COUNT(engines); e++) {
    neap_plan *plan = solve(problem, engines[e], NULL);
    expect_course(plan);
    neap_plan_free(plan);
  }
  neap_problem_free(problem);
}

static void a_plan_that_was_read_has_no_course(void **state) {
  (void)state;
  neap_problem *problem = work_hard();
  neap_plan *plan = solve(problem, "tune", NULL);
  neap_moment moment;
  files_write_plan(plan, "plan.json");
  neap_plan *again = files_read_plan("plan.json");
  assert_false(neap_plan_moment_at(again, 0, &moment));
  neap_plan_free(plan);
  neap_plan_free(again);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_round_has_its_layout),
      cmocka_unit_test(without_the_option_no_layouts_are_kept),
      FILES_CASE(layouts_survive_writing_and_reading),
      FILES_CASE(a_file_without_layouts_does_not_mention_them),
      cmocka_unit_test(the_course_leads_to_the_plan),
      FILES_CASE(a_plan_that_was_read_has_no_course),
  };
  return cmocka_run_group_tests_name("recording", tests, NULL, NULL);
}
