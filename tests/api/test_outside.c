/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a planner outside the library does: it makes a plan from its own offsets or objects. */
#include "neap/planner.h"
#include "tests/unit/sample.h"

static const struct sample three[] = {{0, 2, 100, 0}, {1, 3, 60, 0}, {3, 5, 40, 0}};

static neap_plan *plan_of(const neap_problem *problem, const neap_offset *offsets) {
  neap_error error;
  neap_plan *plan = NULL;
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  return plan;
}

static void a_plan_records_how_it_was_made(void **state) {
  (void)state;
  static const neap_offset layout[] = {0, 120, 0}, offsets[] = {0, 100, 0};
  const neap_round rounds[] = {
      {.struct_size = sizeof(neap_round),
       .round = 1,
       .peak = 180,
       .improved = true,
       .offsets = layout},
      {.struct_size = sizeof(neap_round), .round = 2, .peak = 160, .improved = true}};
  const neap_moment moments[] = {
      {.struct_size = sizeof(neap_moment), .peak = NEAP_UNPLACED, .lower_bound = 160},
      {.struct_size = sizeof(neap_moment),
       .seconds = 0.5,
       .rounds = 2,
       .peak = 160,
       .lower_bound = 160}};
  const neap_history history = {.struct_size = sizeof(neap_history),
                                .engine = "mine",
                                .lower_bound = 160,
                                .stop_reason = NEAP_STOP_PROVEN,
                                .rounds = 2,
                                .seed = 7,
                                .seconds = 0.5,
                                .round_list = rounds,
                                .round_count = 2,
                                .moments = moments,
                                .moment_count = 2};
  neap_problem *problem = sample_problem(three, SAMPLE_COUNT(three));
  neap_plan *plan = plan_of(problem, offsets);
  neap_error error;
  neap_report report = NEAP_INIT(neap_report);
  neap_round round = NEAP_INIT(neap_round);
  neap_moment moment = NEAP_INIT(neap_moment);
  assert_ok(neap_plan_set_history(plan, &history, &error), &error);
  neap_plan_report(plan, &report);
  assert_string_equal(report.engine, "mine");
  assert_int_equal(report.stop_reason, NEAP_STOP_PROVEN);
  assert_int_equal(report.rounds, 2);
  assert_int_equal(report.seed, 7);
  assert_int_equal(report.outcome, NEAP_OPTIMAL);
  assert_true(neap_plan_round_at(plan, 0, &round));
  assert_ptr_not_equal(round.offsets, layout);
  assert_memory_equal(round.offsets, layout, sizeof layout);
  assert_true(neap_plan_round_at(plan, 1, &round));
  assert_null(round.offsets);
  assert_false(neap_plan_round_at(plan, 2, &round));
  assert_true(neap_plan_moment_at(plan, 1, &moment));
  assert_int_equal(moment.rounds, 2);
  assert_false(neap_plan_moment_at(plan, 2, &moment));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void a_plan_may_consist_of_shared_objects(void **state) {
  (void)state;
  static const neap_offset offsets[] = {0, 100, 0};
  static const size_t of[] = {0, 1, 0};
  static const neap_size sizes[] = {100, 64};
  neap_problem *problem = sample_problem(three, SAMPLE_COUNT(three));
  neap_plan *plan = plan_of(problem, offsets);
  neap_error error;
  neap_report report = NEAP_INIT(neap_report);
  assert_int_equal(neap_plan_object(plan, 0), NEAP_NO_OBJECT);
  assert_ok(neap_plan_set_objects(plan, of, sizes, 2, &error), &error);
  assert_ok(neap_plan_verify(plan, -1, &error), &error);
  neap_plan_report(plan, &report);
  assert_int_equal(report.objects, 2);
  assert_int_equal(report.peak, 164);
  assert_int_equal(report.object_bound, 160);
  assert_int_equal(neap_plan_object(plan, 2), 0);
  assert_int_equal(neap_plan_object_size(plan, 1), 64);
  assert_int_equal(neap_plan_object_size(plan, 2), 0);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void impossible_objects_are_errors(void **state) {
  (void)state;
  static const neap_offset offsets[] = {0, 100, 0};
  static const size_t of[] = {0, 2, 0}, both[] = {0, 1, 0};
  static const neap_size sizes[] = {100, 64}, huge[] = {100, NEAP_MAX}, small[] = {100, 59};
  neap_problem *problem = sample_problem(three, SAMPLE_COUNT(three));
  neap_plan *plan = plan_of(problem, offsets);
  neap_error error;
  assert_error(neap_plan_set_objects(plan, of, sizes, 2, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_error(neap_plan_set_objects(plan, both, huge, 2, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_ok(neap_plan_set_objects(plan, both, small, 2, &error), &error);
  assert_error(neap_plan_verify(plan, -1, &error), NEAP_ERROR_UNSOUND, &error);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plan_records_how_it_was_made),
      cmocka_unit_test(a_plan_may_consist_of_shared_objects),
      cmocka_unit_test(impossible_objects_are_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
