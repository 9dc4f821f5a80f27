/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the tuner stops, and what it does next. */
#include "tests/support/sample.h"
#include "tune/reorderer.h"
#include "tune/shares.h"

/* ---------------------------------------------------------------- goals */

/* Stop goals and the history of orders, which one of them needs. */

#define LENGTH 4

/* ---------------------------------------------------------------- history */

TEST(a_history_recognises_its_orders) {
  const size_t one[LENGTH] = {0, 1, 2, 3}, other[LENGTH] = {0, 1, 3, 2};
  struct history history;
  history_init(&history, LENGTH);
  assert_false(history_has(&history, one));
  assert_true(history_add(&history, one));
  assert_true(history_has(&history, one));
  assert_false(history_has(&history, other));
  assert_true(history_add(&history, one));
  assert_true(history_add(&history, other));
  assert_true(history_has(&history, other));
  history_clear(&history);
}

/* Steps through all permutations, of which any hash maps some to the same place. */
static void next_permutation(size_t *order, size_t count) {
  size_t i = count - 1, j = count - 1;
  while (i > 0 && order[i - 1] > order[i])
    i--;
  if (i > 0) {
    while (order[j] < order[i - 1])
      j--;
    size_t held = order[i - 1];
    order[i - 1] = order[j];
    order[j] = held;
  }
  for (j = count - 1; i < j; i++, j--) {
    size_t held = order[i];
    order[i] = order[j];
    order[j] = held;
  }
}

TEST(many_orders_are_distinguished) {
  enum { COUNT = 7, ORDERS = 5040 };
  size_t order[COUNT] = {0, 1, 2, 3, 4, 5, 6};
  struct history history;
  history_init(&history, COUNT);
  for (size_t i = 0; i < ORDERS; i++) {
    assert_false(history_has(&history, order));
    assert_true(history_add(&history, order));
    next_permutation(order, COUNT);
  }
  for (size_t i = 0; i < ORDERS; i++) {
    assert_true(history_has(&history, order));
    next_permutation(order, COUNT);
  }
  history_clear(&history);
}

TEST(a_restart_forgets) {
  const size_t order[LENGTH] = {3, 2, 1, 0};
  struct history history;
  history_init(&history, LENGTH);
  assert_true(history_add(&history, order));
  history_restart(&history, LENGTH);
  assert_false(history_has(&history, order));
  assert_true(history_add(&history, order));
  history_restart(&history, 2);
  assert_false(history_has(&history, order));
  assert_true(history_add(&history, (const size_t[]){1, 0}));
  assert_true(history_has(&history, (const size_t[]){1, 0}));
  assert_false(history_has(&history, (const size_t[]){0, 1}));
  history_clear(&history);
}

TEST(empty_orders_are_equal) {
  const size_t none[1] = {0};
  struct history history;
  history_init(&history, 0);
  assert_false(history_has(&history, none));
  assert_true(history_add(&history, none));
  assert_true(history_has(&history, none));
  history_clear(&history);
}

/* ---------------------------------------------------------------- goals */

/* x, y and w in this order, and the peak of their layout. */
struct layout_round {
  size_t order[3];
  neap_size peak;
};

/*
 * Plays the rounds: the goals must not stop before the last one, and must stop there for this
 * reason; STOP_NOT: not at all.
 */
#define STOP_NOT ((neap_stop_reason)-1)

static void play(neap_size bound, uint64_t cap, const struct layout_round *rounds, size_t count,
                 neap_stop_reason wanted) {
  struct history history;
  history_init(&history, 3);
  struct goals goals = {bound, cap, &history};
  for (size_t i = 0; i < count; i++) {
    bool stop = false, last = i + 1 == count && wanted != STOP_NOT;
    neap_stop_reason reason = NEAP_STOP_COMPLETE;
    neap_error error;
    assert_ok(
        goals_check(&goals, i + 1, rounds[i].order, rounds[i].peak, &stop, &reason, &error),
        &error);
    assert_int_equal(stop, last);
    if (last) assert_int_equal(reason, wanted);
  }
  history_clear(&history);
}

TEST(the_third_order_equals_the_first) {
  const struct layout_round rounds[] = {{{0, 1, 2}, 12}, {{0, 2, 1}, 12}, {{0, 1, 2}, 12}};
  play(10, 4, rounds, 3, NEAP_STOP_FIXED_POINT);
}

TEST(the_same_order_twice_running_is_a_fixed_point) {
  const struct layout_round rounds[] = {{{0, 1, 2}, 12}, {{0, 1, 2}, 12}};
  play(10, 4, rounds, 2, NEAP_STOP_FIXED_POINT);
}

TEST(the_first_layout_can_meet_the_bound) {
  const struct layout_round at = {{0, 1, 2}, 10}, below = {{0, 1, 2}, 9};
  play(10, 4, &at, 1, NEAP_STOP_BOUND);
  play(10, 4, &below, 1, NEAP_STOP_BOUND);
}

TEST(the_cap_counts_the_first_layout) {
  const struct layout_round rounds[] = {{{0, 1, 2}, 12}, {{0, 2, 1}, 12}, {{1, 0, 2}, 12}};
  play(10, 1, rounds, 1, NEAP_STOP_ITERATION_CAP);
  play(10, 3, rounds, 3, NEAP_STOP_ITERATION_CAP);
  play(10, 4, rounds, 3, STOP_NOT);
}

TEST(the_bound_is_reported_before_the_rest) {
  const struct layout_round rounds[] = {{{0, 1, 2}, 12}, {{0, 2, 1}, 11}, {{0, 1, 2}, 10}};
  play(10, 3, rounds, 3, NEAP_STOP_BOUND);
  play(10, 9, rounds, 3, NEAP_STOP_BOUND);
}

TEST(the_fixed_point_is_reported_before_the_cap) {
  const struct layout_round rounds[] = {{{0, 1, 2}, 12}, {{0, 2, 1}, 11}, {{0, 2, 1}, 11}};
  play(10, 3, rounds, 3, NEAP_STOP_FIXED_POINT);
}

/* ---------------------------------------------------------------- shares */

/* Turns of several ways to lower a layout. */

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

TEST(equal_ways_take_turns_from_the_first) {
  struct shares shares;
  shares_init(&shares, 3);
  for (size_t turn = 0; turn < 9; turn++) {
    size_t way = shares_choose(&shares);
    assert_int_equal(way, turn % 3);
    shares_spend(&shares, way, 10);
  }
}

TEST(a_turn_without_work_is_not_over) {
  struct shares shares;
  shares_init(&shares, 2);
  shares_spend(&shares, 0, 0);
  assert_int_equal(shares_choose(&shares), 0);
}

/* What counts is work, not turns. */
TEST(cheap_ways_have_more_turns) {
  const double ticks[] = {1, 9};
  size_t counts[2] = {0};
  struct shares shares;
  shares_init(&shares, 2);
  take_turns(&shares, ticks, 1000, counts);
  assert_in_range(counts[0], 890, 910);
}

TEST(closed_ways_have_no_turn) {
  struct shares shares;
  shares_init(&shares, SHARES_MOST);
  shares.ways[0].is_closed = shares.ways[2].is_closed = true;
  assert_int_equal(shares_choose(&shares), 1);
  shares_spend(&shares, 1, 5);
  assert_int_equal(shares_choose(&shares), 3);
  shares.ways[0].is_closed = false; /* closed or not, it has done the least, and is the first */
  assert_int_equal(shares_choose(&shares), 0);
}

TEST(without_an_open_way_there_is_none) {
  struct shares shares;
  shares_init(&shares, 0);
  assert_int_equal(shares_choose(&shares), 0);
  shares_init(&shares, 2);
  shares.ways[0].is_closed = shares.ways[1].is_closed = true;
  assert_int_equal(shares_choose(&shares), 2);
}

TEST(a_reward_is_worth_more_work) {
  const double ticks[] = {10, 10, 10};
  size_t counts[3] = {0};
  struct shares shares;
  shares_init(&shares, 3);
  shares_reward(&shares, 1);
  take_turns(&shares, ticks, 3000, counts);
  assert_true(counts[1] > 1050);
  assert_true(counts[0] <= counts[2] + 1 && counts[2] <= counts[0] + 1);
}

/* Otherwise a way that helps only later would have no chance. */
TEST(no_reward_starves_the_others) {
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
      cmocka_unit_test(a_history_recognises_its_orders),
      cmocka_unit_test(many_orders_are_distinguished),
      cmocka_unit_test(a_restart_forgets),
      cmocka_unit_test(empty_orders_are_equal),
      cmocka_unit_test(the_third_order_equals_the_first),
      cmocka_unit_test(the_same_order_twice_running_is_a_fixed_point),
      cmocka_unit_test(the_first_layout_can_meet_the_bound),
      cmocka_unit_test(the_cap_counts_the_first_layout),
      cmocka_unit_test(the_bound_is_reported_before_the_rest),
      cmocka_unit_test(the_fixed_point_is_reported_before_the_cap),
      cmocka_unit_test(equal_ways_take_turns_from_the_first),
      cmocka_unit_test(a_turn_without_work_is_not_over),
      cmocka_unit_test(cheap_ways_have_more_turns),
      cmocka_unit_test(closed_ways_have_no_turn),
      cmocka_unit_test(without_an_open_way_there_is_none),
      cmocka_unit_test(a_reward_is_worth_more_work),
      cmocka_unit_test(no_reward_starves_the_others),
  };
  return cmocka_run_group_tests_name("rounds", tests, NULL, NULL);
}
