/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of given offsets, and what the verifier says of them. */
#include <stdlib.h>
#include <string.h>

#include "neap/planner.h"
#include "tests/unit/sample.h"

/*
 * Three in a row, each overlapping the next; `middle` wants multiples of 8 and `last` is fixed
 * at 0.
 */
static neap_problem *three(void) {
  neap_problem *problem = neap_problem_new();
  const neap_range range = {3, 8};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  sample_add(problem, "first", 0, 5, 10);
  buffer.name = "middle";
  buffer.size = 20;
  buffer.alignment = 8;
  buffer.ranges = &range;
  buffer.range_count = 1;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  sample_add_fixed(problem, "last", 6, 9, 12, 0);
  return problem;
}

static neap_plan *plan_of(const neap_problem *problem, const neap_offset *offsets) {
  neap_plan *plan;
  neap_error error;
  assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
  return plan;
}

/*
 * The verifier's answer to a layout of `three`; where it is a fault, its message has these
 * words.
 */
static void expect_verdict(const neap_offset *offsets, neap_size capacity, neap_status status,
                           const char *const *words) {
  neap_problem *problem = three();
  neap_plan *plan = plan_of(problem, offsets);
  neap_error error;
  if (status == NEAP_OK) {
    assert_ok(neap_plan_verify(plan, capacity, &error), &error);
    assert_ok(neap_plan_verify(plan, capacity, NULL), &error);
  } else {
    assert_error(neap_plan_verify(plan, capacity, &error), status, &error);
    for (; *words; words++)
      assert_says(&error, *words);
    assert_int_equal(neap_plan_verify(plan, capacity, NULL), status);
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static const neap_offset sound[] = {0, 16, 0};

static void a_sound_plan_is_sound(void **state) {
  (void)state;
  expect_verdict(sound, -1, NEAP_OK, NULL);
  expect_verdict(sound, 36, NEAP_OK, NULL);
  expect_verdict(sound, NEAP_MAX, NEAP_OK, NULL);
}

static void a_collision_is_named(void **state) {
  (void)state;
  const char *const words[] = {"'first'", "'middle'", "[16, 20)", "[3, 5)", NULL};
  expect_verdict((const neap_offset[]){10, 16, 0}, -1, NEAP_ERROR_UNSOUND, words);
}

static void a_missed_alignment_is_named(void **state) {
  (void)state;
  const char *const words[] = {"'middle'", "17", "8", NULL};
  expect_verdict((const neap_offset[]){0, 17, 0}, -1, NEAP_ERROR_UNSOUND, words);
}

static void a_moved_fixed_buffer_is_named(void **state) {
  (void)state;
  const char *const words[] = {"'last'", "1", "0", NULL};
  expect_verdict((const neap_offset[]){0, 16, 1}, -1, NEAP_ERROR_UNSOUND, words);
}

static void an_exceeded_capacity_is_named(void **state) {
  (void)state;
  const char *const words[] = {"'middle'", "36", "35", NULL};
  expect_verdict(sound, 35, NEAP_ERROR_UNSOUND, words);
  expect_verdict(sound, 0, NEAP_ERROR_UNSOUND, (const char *const[]){NULL});
}

static void an_empty_plan_is_sound(void **state) {
  (void)state;
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = plan_of(problem, NULL);
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  assert_ok(neap_plan_verify(plan, 0, &error), &error);
  neap_plan_report(plan, &report);
  assert_int_equal(report.peak, 0);
  assert_int_equal(report.outcome, NEAP_OPTIMAL);
  assert_true(report.gap_percent == 0);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- plans */

static void impossible_offsets_are_rejected(void **state) {
  (void)state;
  static const neap_offset table[][3] = {
      {0, NEAP_UNPLACED, 0}, {-5, 16, 0}, {NEAP_MAX - 9, 16, 0}, {0, NEAP_MAX, 0}};
  neap_problem *problem = three();
  for (size_t i = 0; i < SAMPLE_COUNT(table); i++) {
    neap_plan *plan = NULL;
    neap_error error;
    assert_error(neap_plan_new(problem, table[i], &plan, &error), NEAP_ERROR_ARGUMENT, &error);
  }
  neap_problem_free(problem);
}

static void a_plan_reports_what_can_be_computed(void **state) {
  (void)state;
  neap_problem *problem = three();
  neap_plan *plan = plan_of(problem, sound);
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  assert_ptr_equal(neap_plan_problem(plan), problem);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(neap_plan_offset(plan, i), sound[i]);
  assert_int_equal(report.buffers, 3);
  assert_int_equal(report.bound, 32);
  assert_int_equal(report.peak, 36);
  assert_true(report.lower_bound >= 32 && report.lower_bound <= 36);
  assert_string_equal(report.engine, "");
  assert_int_equal(report.rounds, 0);
  assert_true(report.seconds == 0);
  neap_round round = NEAP_INIT(neap_round);
  assert_false(neap_plan_round_at(plan, 0, &round));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/*
 * No layout can be lower than 36: middle lies above last, at a multiple of 8.  Where middle ends
 * decides about all three, because the others are alive with it.
 */
static void a_plan_lists_the_risk_of_each_buffer(void **state) {
  static const struct {
    neap_offset middle;
    neap_risk risk;
  } rows[] = {{24, NEAP_RISK_HIGH}, {16, NEAP_RISK_MEDIUM}};
  (void)state;
  neap_problem *problem = three();
  sample_add(problem, "apart", 20, 21, 1);
  for (size_t r = 0; r < SAMPLE_COUNT(rows); r++) {
    neap_plan *plan = plan_of(problem, (const neap_offset[]){0, rows[r].middle, 0, 0});
    for (size_t i = 0; i < 3; i++)
      assert_int_equal(neap_plan_risk(plan, i), rows[r].risk);
    assert_int_equal(neap_plan_risk(plan, 3), NEAP_RISK_NONE);
    neap_plan_free(plan);
  }
  neap_problem_free(problem);
}

static void the_gap_is_measured_from_the_lower_bound(void **state) {
  (void)state;
  const struct sample samples[] = {{0, 4, 100, 0}, {0, 4, 100, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  neap_plan *plan = plan_of(problem, (const neap_offset[]){0, 150});
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  assert_int_equal(report.lower_bound, 200);
  assert_true(report.gap_percent > 24.999 && report.gap_percent < 25.001);
  assert_int_equal(report.outcome, NEAP_FEASIBLE);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void a_plan_keeps_a_capacity(void **state) {
  (void)state;
  neap_problem *problem = three();
  neap_plan *plan = plan_of(problem, sound);
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  neap_plan_report(plan, &report);
  assert_int_equal(report.capacity, -1);
  for (neap_size capacity = 1; capacity >= -1; capacity--) {
    assert_ok(neap_plan_set_capacity(plan, capacity, &error), &error);
    neap_plan_report(plan, &report);
    assert_int_equal(report.capacity, capacity);
  }
  assert_error(neap_plan_set_capacity(plan, -2, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_int_equal(neap_plan_verify(plan, -1, &error), NEAP_OK);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void a_base_gives_addresses(void **state) {
  (void)state;
  neap_problem *problem = three();
  neap_plan *plan = plan_of(problem, sound);
  uint64_t base = 7;
  neap_error error;
  assert_false(neap_plan_base(plan, &base));
  assert_ok(neap_plan_set_base(plan, 0, &error), &error);
  assert_true(neap_plan_base(plan, &base));
  assert_int_equal(base, 0);
  assert_ok(neap_plan_set_base(plan, UINT64_MAX - 36, &error), &error);
  assert_true(neap_plan_base(plan, &base));
  assert_true(base == UINT64_MAX - 36);
  assert_error(neap_plan_set_base(plan, UINT64_MAX - 35, &error), NEAP_ERROR_ARGUMENT, &error);
  assert_true(neap_plan_base(plan, &base));
  assert_true(base == UINT64_MAX - 36);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- collisions */

static void collisions_are_listed(void **state) {
  (void)state;
  neap_problem *problem = three();
  neap_plan *plan = plan_of(problem, (const neap_offset[]){0, 8, 0});
  neap_collision *collisions;
  size_t count;
  neap_error error;
  assert_ok(neap_plan_collisions(plan, 10, &collisions, &count, NULL, &error), &error);
  assert_int_equal(count, 2);
  const neap_collision wanted[] = {{0, 1, {3, 5}, 8, 10}, {1, 2, {6, 8}, 8, 12}};
  assert_memory_equal(collisions, wanted, sizeof wanted);
  neap_collisions_free(collisions);
  assert_ok(neap_plan_collisions(plan, 1, &collisions, &count, NULL, &error), &error);
  assert_int_equal(count, 1);
  assert_memory_equal(collisions, wanted, sizeof wanted[0]);
  neap_collisions_free(collisions);
  neap_plan_free(plan);
  plan = plan_of(problem, sound);
  assert_ok(neap_plan_collisions(plan, 10, &collisions, &count, NULL, &error), &error);
  assert_int_equal(count, 0);
  neap_collisions_free(collisions);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sound_plan_is_sound),
      cmocka_unit_test(a_collision_is_named),
      cmocka_unit_test(a_missed_alignment_is_named),
      cmocka_unit_test(a_moved_fixed_buffer_is_named),
      cmocka_unit_test(an_exceeded_capacity_is_named),
      cmocka_unit_test(an_empty_plan_is_sound),
      cmocka_unit_test(impossible_offsets_are_rejected),
      cmocka_unit_test(a_plan_reports_what_can_be_computed),
      cmocka_unit_test(a_plan_lists_the_risk_of_each_buffer),
      cmocka_unit_test(the_gap_is_measured_from_the_lower_bound),
      cmocka_unit_test(a_plan_keeps_a_capacity),
      cmocka_unit_test(a_base_gives_addresses),
      cmocka_unit_test(collisions_are_listed),
  };
  return cmocka_run_group_tests_name("api verify", tests, NULL, NULL);
}
