/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations: what the report says, limits, and stopping at any time. */
#include <string.h>

#include "tests/support/work.h"

static neap_explanation *explain(const neap_problem *problem, const char *capacity,
                                 const neap_explaining *explaining) {
  neap_options *options = neap_options_new();
  neap_explanation *explanation;
  neap_error error;
  assert_non_null(options);
  work_set(options, "max-ticks", "5000000");
  if (capacity) work_set(options, "capacity", capacity);
  assert_ok(neap_explain(problem, options, explaining, &explanation, &error), &error);
  neap_options_free(options);
  return explanation;
}

static neap_explanation_report report_of(const neap_explanation *explanation) {
  neap_explanation_report report = NEAP_INIT(neap_explanation_report);
  neap_explanation_get_report(explanation, &report);
  return report;
}

/* The bound of 4 would fit, but only 5 does. */
TEST(search_alone_refutes) {
  neap_problem *problem = work_hard();
  neap_explanation *explanation = explain(problem, "4", NULL);
  neap_explanation_report report = report_of(explanation);
  neap_error error;
  size_t buffer;
  assert_int_equal(report.verdict, NEAP_VERDICT_DOES_NOT_FIT);
  assert_int_equal(report.reason, NEAP_REASON_SET);
  assert_int_equal(report.available, 4);
  assert_int_equal(report.required, 5);
  assert_int_equal(report.peak, 5);
  assert_int_equal(report.bound, 4);
  assert_true(report.is_minimal && report.is_complete);
  assert_true(report.core_count > 2 && report.core_count <= neap_problem_count(problem));
  assert_false(neap_explanation_core_at(explanation, report.core_count, &buffer));
  assert_false(neap_explanation_alive_at(explanation, report.alive_count, &buffer));
  const neap_plan *core = neap_explanation_core_plan(explanation);
  assert_non_null(core);
  neap_report drawn = sample_report(core);
  assert_true(drawn.peak > 4);
  assert_int_equal(drawn.buffers, report.core_count);
  assert_int_equal(drawn.capacity, 4);
  assert_ok(neap_plan_verify(neap_explanation_plan(explanation), -1, &error), &error);
  neap_explanation_free(explanation);
  neap_problem_free(problem);
}

TEST(fixes_are_sorted_and_limited) {
  neap_problem *problem = work_hard();
  const neap_explaining three = {.struct_size = sizeof(neap_explaining), .fixes = 3},
                        none = {.struct_size = sizeof(neap_explaining), .no_fixes = true};
  neap_explanation *explanation = explain(problem, "4", &three);
  neap_fix fix = NEAP_INIT(neap_fix);
  assert_int_equal(report_of(explanation).fix_count, 3);
  for (size_t i = 0; neap_explanation_fix_at(explanation, i, &fix); i++)
    assert_true(i == 2 ? fix.changes[0].kind == NEAP_CHANGE_CAPACITY : fix.peak <= 4);
  neap_explanation_free(explanation);
  explanation = explain(problem, "4", &none);
  assert_false(neap_explanation_fix_at(explanation, 0, &fix));
  neap_explanation_free(explanation);
  neap_problem_free(problem);
}

TEST(what_fits_needs_no_reason) {
  neap_problem *problem = work_hard();
  neap_explanation *explanation = explain(problem, "5", NULL);
  neap_explanation_report report = report_of(explanation);
  assert_int_equal(report.verdict, NEAP_VERDICT_FITS);
  assert_int_equal(report.reason, NEAP_REASON_NONE);
  assert_int_equal(report.core_count, 0);
  assert_null(neap_explanation_core_plan(explanation));
  neap_explanation_free(explanation);
  neap_problem_free(problem);
}

TEST(without_a_capacity_the_peak_is_explained) {
  neap_problem *problem = work_hard();
  neap_explanation *explanation = explain(problem, NULL, NULL);
  neap_explanation_report report = report_of(explanation);
  neap_fix fix = NEAP_INIT(neap_fix);
  assert_int_equal(report.verdict, NEAP_VERDICT_FITS);
  assert_int_equal(report.available, -1);
  assert_int_equal(report.refused, 4);
  assert_int_equal(report.reason, NEAP_REASON_SET);
  assert_true(neap_explanation_fix_at(explanation, 0, &fix));
  assert_true(fix.peak < 5);
  neap_explanation_free(explanation);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- stopping */

static bool count_down(const neap_explain_progress *progress, void *user) {
  int *left = user;
  assert_non_null(progress->stage);
  return (*left)-- > 0;
}

TEST(it_can_be_stopped_at_any_time) {
  neap_problem *problem = work_hard();
  for (int calls = 0; calls < 60; calls += 1 + calls / 8) {
    int left = calls;
    const neap_explaining explaining = {
        .struct_size = sizeof(neap_explaining), .progress = count_down, .user = &left};
    neap_explanation *explanation = explain(problem, "4", &explaining);
    neap_explanation_report report = report_of(explanation);
    assert_true(report.verdict != NEAP_VERDICT_FITS);
    if (report.verdict == NEAP_VERDICT_DOES_NOT_FIT) assert_true(report.core_count > 0);
    if (calls == 0) assert_false(report.is_complete);
    neap_explanation_free(explanation);
  }
  neap_problem_free(problem);
}

TEST(few_ticks_leave_the_verdict_open) {
  neap_problem *problem = work_hard();
  neap_options *options = neap_options_new();
  neap_explanation *explanation;
  neap_error error;
  work_set(options, "capacity", "4");
  work_set(options, "max-ticks", "2");
  assert_ok(neap_explain(problem, options, NULL, &explanation, &error), &error);
  assert_int_equal(report_of(explanation).verdict, NEAP_VERDICT_UNKNOWN);
  assert_int_equal(report_of(explanation).core_count, 0);
  neap_explanation_free(explanation);
  neap_options_free(options);
  neap_problem_free(problem);
}

TEST(names_are_those_of_json) {
  assert_string_equal(neap_verdict_name(NEAP_VERDICT_DOES_NOT_FIT), "does_not_fit");
  assert_string_equal(neap_reason_name(NEAP_REASON_SET), "set");
  assert_string_equal(neap_change_kind_name(NEAP_CHANGE_CAPACITY), "capacity");
  assert_string_equal(neap_change_kind_name((neap_change_kind)99), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(search_alone_refutes),
      cmocka_unit_test(fixes_are_sorted_and_limited),
      cmocka_unit_test(what_fits_needs_no_reason),
      cmocka_unit_test(without_a_capacity_the_peak_is_explained),
      cmocka_unit_test(it_can_be_stopped_at_any_time),
      cmocka_unit_test(few_ticks_leave_the_verdict_open),
      cmocka_unit_test(names_are_those_of_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
