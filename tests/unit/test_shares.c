/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns of several ways to lower a layout. */
#include "tests/unit/sample.h"
#include "tune/shares.h"

/* Takes turns that cost `ticks[way]` each; returns how often each way had its turn. */
static void take_turns(struct shares *shares, const double *ticks, size_t turns,
                       size_t *counts) {
  for (size_t i = 0; i < turns; i++) {
    size_t way = shares_choose(shares);
    assert_true(way < shares->count);
    shares_spend(shares, way, ticks[way]);
    counts[way]++;
  }
}

static void equal_ways_take_turns_from_the_first(void **state) {
  (void)state;
  struct shares shares;
  shares_init(&shares, 3);
  for (size_t turn = 0; turn < 9; turn++) {
    size_t way = shares_choose(&shares);
    assert_int_equal(way, turn % 3);
    shares_spend(&shares, way, 10);
  }
}

static void a_turn_without_work_is_not_over(void **state) {
  (void)state;
  struct shares shares;
  shares_init(&shares, 2);
  shares_spend(&shares, 0, 0);
  assert_int_equal(shares_choose(&shares), 0);
}

/* What counts is work, not turns. */
static void cheap_ways_have_more_turns(void **state) {
  (void)state;
  const double ticks[] = {1, 9};
  size_t counts[2] = {0};
  struct shares shares;
  shares_init(&shares, 2);
  take_turns(&shares, ticks, 1000, counts);
  assert_in_range(counts[0], 890, 910);
}

static void closed_ways_have_no_turn(void **state) {
  (void)state;
  struct shares shares;
  shares_init(&shares, SHARES_MOST);
  shares.ways[0].is_closed = shares.ways[2].is_closed = true;
  assert_int_equal(shares_choose(&shares), 1);
  shares_spend(&shares, 1, 5);
  assert_int_equal(shares_choose(&shares), 3);
  shares.ways[0].is_closed = false; /* closed or not, it has done the least, and is the first */
  assert_int_equal(shares_choose(&shares), 0);
}

static void without_an_open_way_there_is_none(void **state) {
  (void)state;
  struct shares shares;
  shares_init(&shares, 0);
  assert_int_equal(shares_choose(&shares), 0);
  shares_init(&shares, 2);
  shares.ways[0].is_closed = shares.ways[1].is_closed = true;
  assert_int_equal(shares_choose(&shares), 2);
}

static void a_reward_is_worth_more_work(void **state) {
  (void)state;
  const double ticks[] = {10, 10, 10};
  size_t counts[3] = {0};
  struct shares shares;
  shares_init(&shares, 3);
  shares_reward(&shares, 1);
  take_turns(&shares, ticks, 3000, counts);
  assert_true(counts[1] > 1050);
  assert_true(counts[0] <= counts[2] + 1 && counts[2] <= counts[0] + 1);
}

/* Otherwise a way that would help later had no chance. */
static void no_reward_starves_the_others(void **state) {
  (void)state;
  const double ticks[] = {10, 10};
  size_t counts[2] = {0};
  struct shares shares;
  shares_init(&shares, 2);
  for (int i = 0; i < 100000; i++)
    shares_reward(&shares, 0);
  take_turns(&shares, ticks, 1000, counts);
  assert_in_range(counts[1], 100, 499);
  counts[0] = counts[1] = 0;
  for (int i = 0; i < 100; i++) /* the other one catches up */
    shares_reward(&shares, 1);
  take_turns(&shares, ticks, 4000, counts);
  assert_true(counts[1] > counts[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_ways_take_turns_from_the_first),
      cmocka_unit_test(a_turn_without_work_is_not_over),
      cmocka_unit_test(cheap_ways_have_more_turns),
      cmocka_unit_test(closed_ways_have_no_turn),
      cmocka_unit_test(without_an_open_way_there_is_none),
      cmocka_unit_test(a_reward_is_worth_more_work),
      cmocka_unit_test(no_reward_starves_the_others),
  };
  return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
