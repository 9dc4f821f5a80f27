/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods take turns: each that is there gets its share, and the others get nothing. */
#include "search/turns.h"
#include "tests/support/sample.h"

/* What each method has spent after many turns of a hundred ticks. */
static void spend(struct turns *turns, int count) {
  for (int i = 0; i < count; i++) {
    while (turns_is_due(turns, METHOD_COARSER))
      turns->ticks[METHOD_COARSER] += 100;
    turns->ticks[turns_next(turns)] += 100;
  }
}

static struct turns all_there(void) {
  struct turns turns = {.is_unaligned = true};
  for (enum method method = 0; method < METHOD_COUNT; method++)
    turns.is_there[method] = true;
  return turns;
}

static void boards_work_alone_at_first(void **state) {
  (void)state;
  struct turns turns = all_there();
  turns.is_there[METHOD_ALIGNER] = turns.is_there[METHOD_ORIENTER] = false;
  spend(&turns, 20);
  assert_int_equal(turns.ticks[METHOD_BOARDS], 2000);
}

static void methods_that_are_not_there_get_nothing(void **state) {
  (void)state;
  for (enum method left_out = METHOD_COARSER; left_out < METHOD_COUNT; left_out++) {
    struct turns turns = all_there();
    turns.is_there[left_out] = false;
    spend(&turns, 50000);
    for (enum method method = 0; method < METHOD_COUNT; method++)
      assert_int_equal(turns.ticks[method] == 0, method == left_out);
  }
}

/* The shares of other methods, as parts of the work of the boards. */
static void beams_get_most_where_depth_first_is_stuck(void **state) {
  (void)state;
  struct turns turns = all_there();
  turns.is_there[METHOD_ALIGNER] = turns.is_there[METHOD_EJECTION] = false;
  spend(&turns, 100000);
  assert_in_range(turns.ticks[METHOD_BEAMS] * 10 / turns.ticks[METHOD_BOARDS], 45, 55);
  assert_in_range(turns.ticks[METHOD_COARSER] * 100 / turns.ticks[METHOD_BOARDS], 4, 6);
  struct turns small = all_there();
  small.is_provable = true;
  small.is_there[METHOD_ALIGNER] = small.is_there[METHOD_EJECTION] = false;
  spend(&small, 100000);
  assert_true(small.ticks[METHOD_BEAMS] < small.ticks[METHOD_BOARDS]);
  assert_true(small.ticks[METHOD_COARSER] < small.ticks[METHOD_BOARDS] / 8);
}

static void ejection_gets_more_where_others_are_stuck(void **state) {
  (void)state;
  struct turns turns = all_there();
  turns.is_fixed = true;
  turns.is_there[METHOD_ALIGNER] = turns.is_there[METHOD_BEAMS] = false;
  turns.is_there[METHOD_ORIENTER] = false; /* it takes no part with something fixed */
  spend(&turns, 2000);
  assert_in_range(turns.ticks[METHOD_EJECTION] * 10 / turns.ticks[METHOD_BOARDS], 8, 12);
  spend(&turns, 200000);
  assert_in_range(turns.ticks[METHOD_EJECTION] * 10 / turns.ticks[METHOD_BOARDS], 35, 45);
}

static void orienter_gets_most_after_a_little_depth_first(void **state) {
  (void)state;
  struct turns turns = all_there();
  turns.is_there[METHOD_ALIGNER] = false;
  spend(&turns, 5);
  assert_int_equal(turns.ticks[METHOD_ORIENTER], 0);
  spend(&turns, 10000);
  assert_in_range(turns.ticks[METHOD_ORIENTER] / turns.ticks[METHOD_BOARDS], 7, 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boards_work_alone_at_first),
      cmocka_unit_test(methods_that_are_not_there_get_nothing),
      cmocka_unit_test(beams_get_most_where_depth_first_is_stuck),
      cmocka_unit_test(orienter_gets_most_after_a_little_depth_first),
      cmocka_unit_test(ejection_gets_more_where_others_are_stuck),
  };
  return cmocka_run_group_tests_name("turns", tests, NULL, NULL);
}
