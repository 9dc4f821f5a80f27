/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lower bound from chains of buffers that overlap. */
#include <stdio.h>

#include "neap/relations.h"
#include "tests/unit/sample.h"

/* `count` layers of `size` bytes, each of which may lie `gap` bytes below the one before it. */
static neap_problem *chain(size_t count, neap_size size, neap_size gap, neap_size alignment) {
  neap_problem *problem = neap_problem_new();
  neap_error error;
  for (size_t i = 0; i < count; i++) {
    char name[24];
    neap_buffer buffer = NEAP_BUFFER_INIT;
    neap_range range = {(neap_time)i, (neap_time)i + 2};
    snprintf(name, sizeof name, "b%zu", i);
    buffer.name = name;
    buffer.size = size;
    buffer.alignment = alignment;
    buffer.ranges = &range;
    buffer.range_count = 1;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
    neap_relation relation = {sizeof(neap_relation), NEAP_OVERLAP, i, i - 1, gap, NULL};
    if (i > 0) assert_ok(neap_problem_relate(problem, &relation, &error), &error);
  }
  return problem;
}

static void expect_lowest(neap_problem *problem, neap_size lower_bound) {
  neap_plan *plan;
  neap_report report = NEAP_INIT(neap_report);
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  assert_true(bound.lower_bound == lower_bound);
  assert_ok(neap_solve(problem, NULL, &plan, &error), &error);
  neap_plan_report(plan, &report);
  assert_true(report.peak == lower_bound);
  assert_true(report.outcome == NEAP_OPTIMAL);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void stairs_add_up(void **state) {
  (void)state;
  expect_lowest(chain(8, 8000, 223, 1), 8000 + 7 * 223);
}

static void stairs_respect_alignment(void **state) {
  (void)state;
  expect_lowest(chain(8, 8000, 223, 16), 8000 + 7 * 224);
}

/* Beyond twice the size, it is better to begin again at the bottom. */
static void long_stairs_begin_again(void **state) {
  (void)state;
  neap_problem *problem = chain(100, 8000, 223, 1);
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  assert_true(bound.bytes == 8223);
  assert_true(bound.lower_bound == 16000);
  neap_problem_free(problem);
}

static void steps_without_gaps_need_nothing(void **state) {
  (void)state;
  expect_lowest(chain(50, 100, 0, 1), 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stairs_add_up),
      cmocka_unit_test(stairs_respect_alignment),
      cmocka_unit_test(long_stairs_begin_again),
      cmocka_unit_test(steps_without_gaps_need_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
