/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What plans cost besides their peaks, and when all of that is optimal. */
#include "neap/planner.h"
#include "tests/support/sample.h"

static void add_pool(neap_problem *problem, const char *name, neap_size cost) {
  neap_pool pool = NEAP_POOL_INIT;
  neap_error error;
  pool.name = name;
  pool.cost = cost;
  assert_ok(neap_problem_add_pool(problem, &pool, &error), &error);
}

/* The report of a layout; with pools unless NULL, with history unless NULL. */
static neap_report report_of(const neap_problem *problem, const neap_offset *offsets,
                             const size_t *pools, const neap_history *history) {
  neap_error error;
  neap_plan *plan = sample_plan(problem, offsets);
  if (pools) assert_ok(neap_plan_set_pools(plan, pools, &error), &error);
  if (history) assert_ok(neap_plan_set_history(plan, history, &error), &error);
  neap_report report = sample_report(plan);
  neap_plan_free(plan);
  return report;
}

#define AT(...) ((const neap_offset[]){__VA_ARGS__})
#define IN(...) ((const size_t[]){__VA_ARGS__})

/* ---------------------------------------------------------------- overlapped bytes */

TEST(overlapped_bytes_are_counted) {
  const struct sample samples[] = {{4, 8, 10, 0}, {0, 5, 10, 0}, {4, 5, 6, 0}, {20, 30, 8, 0}};
  neap_problem *problem = sample_problem(samples, 4);
  sample_relate(problem, NEAP_OVERLAP, 0, 1, 4);
  sample_relate(problem, NEAP_OVERLAP, 0, 1, 5);
  sample_relate(problem, NEAP_OVERLAP, 2, 0, 2);
  sample_relate(problem, NEAP_OVERLAP, 0, 3, 0);
  assert_int_equal(report_of(problem, AT(0, 10, 20, 0), NULL, NULL).costs.overlapped_bytes, 0);
  assert_int_equal(report_of(problem, AT(0, 4, 20, 0), NULL, NULL).costs.overlapped_bytes, 6);
  assert_int_equal(report_of(problem, AT(0, 3, 20, 0), NULL, NULL).costs.overlapped_bytes, 0);
  assert_int_equal(report_of(problem, AT(4, 9, 1, 0), NULL, NULL).costs.overlapped_bytes,
                   5 + 3);
  neap_problem_free(problem);
}

TEST(overlaps_are_listed) {
  const struct sample samples[] = {{4, 8, 10, 0}, {0, 5, 10, 0}, {4, 5, 6, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  neap_overlap overlap = NEAP_INIT(neap_overlap);
  sample_relate(problem, NEAP_OVERLAP, 0, 1, 4);
  sample_relate(problem, NEAP_OVERLAP, 2, 1, 0);
  neap_plan *plan = sample_plan(problem, AT(5, 20, 20));
  assert_true(neap_plan_overlap_at(plan, 0, &overlap));
  assert_int_equal(overlap.first, 2);
  assert_int_equal(overlap.second, 1);
  assert_int_equal(overlap.low, 20);
  assert_int_equal(overlap.high, 26);
  assert_int_equal(overlap.when.start, 4);
  assert_int_equal(overlap.when.end, 5);
  assert_false(neap_plan_overlap_at(plan, 1, &overlap));
  neap_plan_free(plan);
  neap_problem_free(problem);
}

/* These pairs do not conflict, so they need no allowance. */
TEST(colocated_and_excluded_bytes_are_not_overlapped) {
  const struct sample samples[] = {{4, 8, 10, 0}, {0, 5, 10, 0}, {4, 5, 6, 0}};
  neap_problem *problem = sample_problem(samples, 3);
  sample_relate(problem, NEAP_OVERLAP, 0, 1, 4);
  sample_relate(problem, NEAP_COLOCATION, 0, 1, 4);
  sample_relate(problem, NEAP_OVERLAP, 0, 2, 0);
  sample_relate(problem, NEAP_EXCLUSION, 2, 0, 0);
  assert_int_equal(report_of(problem, AT(0, 4, 0), NULL, NULL).costs.overlapped_bytes, 0);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- penalties */

TEST(penalties_are_paid_for_shared_bytes) {
  const struct sample samples[] = {{0, 4, 10, 0}, {4, 8, 10, 0}, {8, 9, 10, 0}, {0, 9, 0, 0}};
  neap_problem *problem = sample_problem(samples, 4);
  sample_relate(problem, NEAP_REUSE_PENALTY, 0, 1, 100);
  sample_relate(problem, NEAP_REUSE_PENALTY, 1, 0, 20);
  sample_relate(problem, NEAP_REUSE_PENALTY, 1, 2, 3);
  sample_relate(problem, NEAP_REUSE_PENALTY, 1, 3, 4000);
  assert_int_equal(report_of(problem, AT(0, 10, 20, 12), NULL, NULL).costs.reuse, 0);
  assert_int_equal(report_of(problem, AT(0, 9, 19, 12), NULL, NULL).costs.reuse, 120);
  assert_int_equal(report_of(problem, AT(0, 9, 18, 12), NULL, NULL).costs.reuse, 123);
  assert_int_equal(report_of(problem, AT(20, 0, 9, 12), NULL, NULL).costs.reuse, 3);
  neap_problem_free(problem);
}

TEST(penalties_are_not_paid_across_pools) {
  neap_problem *problem = neap_problem_new();
  add_pool(problem, "x", -1);
  add_pool(problem, "y", -1);
  sample_add(problem, "a", 0, 4, 10);
  sample_add(problem, "b", 4, 8, 10);
  sample_relate(problem, NEAP_REUSE_PENALTY, 0, 1, 7);
  assert_int_equal(report_of(problem, AT(0, 0), NULL, NULL).costs.reuse, 7);
  assert_int_equal(report_of(problem, AT(0, 0), IN(1, 1), NULL).costs.reuse, 7);
  assert_int_equal(report_of(problem, AT(0, 0), IN(0, 1), NULL).costs.reuse, 0);
  neap_problem_free(problem);
}

TEST(a_penalty_is_optimal_when_it_is_proven) {
  const struct sample samples[] = {{0, 4, 10, 0}, {4, 8, 10, 0}};
  neap_problem *problem = sample_problem(samples, 2);
  neap_history history = {.struct_size = sizeof(neap_history), .engine = "mine"};
  assert_int_equal(report_of(problem, AT(0, 0), NULL, NULL).outcome, NEAP_OPTIMAL);
  sample_relate(problem, NEAP_REUSE_PENALTY, 0, 1, 7);
  assert_int_equal(report_of(problem, AT(0, 0), NULL, NULL).outcome, NEAP_FEASIBLE);
  history.reuse_cost_lower_bound = 6;
  assert_int_equal(report_of(problem, AT(0, 0), NULL, &history).outcome, NEAP_FEASIBLE);
  history.reuse_cost_lower_bound = 7;
  neap_report report = report_of(problem, AT(0, 0), NULL, &history);
  assert_int_equal(report.outcome, NEAP_OPTIMAL);
  assert_int_equal(report.costs.reuse_lower_bound, 7);
  /* The bound of the penalties says nothing about the peak. */
  report = report_of(problem, AT(0, 10), NULL, &history);
  assert_int_equal(report.outcome, NEAP_FEASIBLE);
  assert_int_equal(report.costs.reuse, 0);
  history.lower_bound = 20;
  history.reuse_cost_lower_bound = 0;
  assert_int_equal(report_of(problem, AT(0, 10), NULL, &history).outcome, NEAP_OPTIMAL);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- moves */

static void add_near(neap_problem *problem, const char *name, neap_offset offset,
                     neap_size cost) {
  const neap_range range = {0, 9};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  buffer.name = name;
  buffer.size = 10;
  buffer.ranges = &range;
  buffer.range_count = 1;
  buffer.near_offset = offset;
  buffer.move_cost = cost;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
}

TEST(moved_bytes_are_counted) {
  neap_problem *problem = neap_problem_new();
  add_near(problem, "a", 0, -1);
  add_near(problem, "b", 10, 300);
  add_near(problem, "c", NEAP_UNPLACED, 5);
  add_near(problem, "d", 30, 0);
  assert_int_equal(report_of(problem, AT(0, 10, 20, 30), NULL, NULL).costs.moved_bytes, 0);
  assert_int_equal(report_of(problem, AT(0, 10, 30, 20), NULL, NULL).costs.moved_bytes, 0);
  assert_int_equal(report_of(problem, AT(20, 10, 0, 30), NULL, NULL).costs.moved_bytes, 10);
  assert_int_equal(report_of(problem, AT(0, 20, 10, 30), NULL, NULL).costs.moved_bytes, 300);
  neap_history history = {
      .struct_size = sizeof(neap_history), .engine = "", .moved_lower_bound = 310};
  neap_report report = report_of(problem, AT(10, 0, 20, 30), NULL, &history);
  assert_int_equal(report.costs.moved_bytes, 310);
  assert_int_equal(report.costs.moved_lower_bound, 310);
  assert_int_equal(report.outcome, NEAP_OPTIMAL);
  history.moved_lower_bound = 309;
  assert_int_equal(report_of(problem, AT(10, 0, 20, 30), NULL, &history).outcome,
                   NEAP_FEASIBLE);
  assert_int_equal(report_of(problem, AT(0, 10, 20, 30), NULL, NULL).outcome, NEAP_OPTIMAL);
  neap_problem_free(problem);
}

TEST(costs_of_moves_are_limited) {
  neap_problem *problem = neap_problem_new();
  add_near(problem, "a", 0, NEAP_MAX);
  add_near(problem, "b", 10, NEAP_MAX);
  assert_true(report_of(problem, AT(10, 0), NULL, NULL).costs.moved_bytes == NEAP_MAX);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- spilled bytes */

TEST(spilled_bytes_are_counted) {
  static const size_t yx[] = {1, 0}, z[] = {2};
  const neap_range range = {0, 9};
  neap_buffer buffer = NEAP_BUFFER_INIT;
  neap_error error;
  neap_problem *problem = neap_problem_new();
  add_pool(problem, "x", -1);
  add_pool(problem, "y", -1);
  add_pool(problem, "z", 5);
  sample_add(problem, "any", 0, 9, 10);
  buffer.name = "yx";
  buffer.size = 100;
  buffer.ranges = &range;
  buffer.range_count = 1;
  buffer.pools = yx;
  buffer.pool_count = 2;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  assert_int_equal(report_of(problem, AT(0, 0), IN(0, 1), NULL).costs.spilled_bytes, 0);
  assert_int_equal(report_of(problem, AT(0, 10), IN(0, 0), NULL).costs.spilled_bytes, 100);
  assert_int_equal(report_of(problem, AT(0, 10), IN(1, 1), NULL).costs.spilled_bytes, 10);
  assert_int_equal(report_of(problem, AT(0, 0), IN(2, 0), NULL).costs.spilled_bytes, 150);
  buffer.name = "z";
  buffer.size = NEAP_MAX / 5 - 1000;
  buffer.pools = z;
  buffer.pool_count = 1;
  assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  assert_true(report_of(problem, AT(0, 0, 0), IN(0, 1, 2), NULL).costs.spilled_bytes ==
              5 * (NEAP_MAX / 5 - 1000));
  neap_problem_free(problem);
}

TEST(peaks_of_pools_are_added_up) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  neap_pool_report pool = NEAP_INIT(neap_pool_report);
  add_pool(problem, "x", -1);
  add_pool(problem, "y", -1);
  sample_add(problem, "a", 0, 4, 10);
  sample_add(problem, "b", 4, 9, 20);
  neap_plan *plan = sample_plan(problem, AT(5, 0));
  assert_false(neap_plan_pool_at(plan, 0, &pool));
  assert_ok(neap_plan_set_pools(plan, IN(0, 1), &error), &error);
  assert_true(neap_plan_pool_at(plan, 0, &pool));
  assert_int_equal(pool.buffers, 1);
  assert_int_equal(pool.peak, 15);
  assert_int_equal(pool.bound, 10);
  assert_true(neap_plan_pool_at(plan, 1, &pool));
  assert_int_equal(pool.peak, 20);
  assert_false(neap_plan_pool_at(plan, 2, &pool));
  neap_report report = sample_report(plan);
  assert_int_equal(report.peak, 35);
  assert_int_equal(report.bound, 30);
  assert_int_equal(report.outcome, NEAP_FEASIBLE);
  assert_error(neap_plan_set_pools(plan, IN(0, 2), &error), NEAP_ERROR_ARGUMENT, &error);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(overlapped_bytes_are_counted),
      cmocka_unit_test(overlaps_are_listed),
      cmocka_unit_test(colocated_and_excluded_bytes_are_not_overlapped),
      cmocka_unit_test(penalties_are_paid_for_shared_bytes),
      cmocka_unit_test(penalties_are_not_paid_across_pools),
      cmocka_unit_test(a_penalty_is_optimal_when_it_is_proven),
      cmocka_unit_test(moved_bytes_are_counted),
      cmocka_unit_test(costs_of_moves_are_limited),
      cmocka_unit_test(spilled_bytes_are_counted),
      cmocka_unit_test(peaks_of_pools_are_added_up),
  };
  return cmocka_run_group_tests_name("api terms", tests, NULL, NULL);
}
