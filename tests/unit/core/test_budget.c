/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <pthread.h>
#include <time.h>

#include "core/budget.h"
#include "tests/support/sample.h"

TEST(without_limits_a_budget_never_ends) {
  struct budget budget;
  budget_init(&budget, 0, 0);
  for (int i = 0; i < 100000; i++)
    assert_true(budget_tick(&budget));
  assert_true(budget_look(&budget));
  assert_int_equal(budget.ticks, 100000);
  assert_int_equal(budget.end, BUDGET_LEFT);
}

/* Exactly this many ticks may be spent. */
TEST(the_tick_limit_can_be_spent) {
  static const uint64_t limits[] = {1, 2, 3, 63, 64, 65, 128, 1000};
  for (size_t i = 0; i < SAMPLE_COUNT(limits); i++) {
    struct budget budget;
    budget_init(&budget, limits[i], 0);
    uint64_t spent = 0;
    while (spent < 2000 && budget_tick(&budget))
      spent++;
    assert_int_equal(spent, limits[i]);
    assert_int_equal(budget.end, BUDGET_TICKS);
  }
}

TEST(an_ended_budget_stays_ended) {
  struct budget budget;
  budget_init(&budget, 5, 0);
  while (budget_tick(&budget))
    continue;
  budget_cancel(&budget);
  for (int i = 0; i < 1000; i++)
    assert_false(budget_tick(&budget));
  assert_false(budget_look(&budget));
  assert_int_equal(budget.end, BUDGET_TICKS);
}

TEST(time_runs_out) {
  struct budget budget;
  budget_init(&budget, 0, 0.02);
  uint64_t spent = 0;
  while (budget_tick(&budget))
    spent++;
  assert_int_equal(budget.end, BUDGET_TIME);
  assert_true(spent > 0);
  assert_true(budget_seconds(&budget) >= 0.02);
  assert_true(budget_seconds(&budget) < 10);
}

TEST(cancelling_ends_a_budget_soon) {
  struct budget budget;
  budget_init(&budget, 0, 0);
  assert_true(budget_tick(&budget));
  budget_cancel(&budget);
  assert_false(budget_look(&budget));
  assert_int_equal(budget.end, BUDGET_CANCELLED);
  assert_false(budget_tick(&budget));
}

static void *cancel(void *budget) {
  const struct timespec while_it_works = {0, 5000000};
  nanosleep(&while_it_works, NULL);
  budget_cancel(budget);
  return NULL;
}

TEST(another_thread_can_cancel) {
  struct budget budget;
  pthread_t thread;
  budget_init(&budget, 0, 60);
  assert_int_equal(pthread_create(&thread, NULL, cancel, &budget), 0);
  while (budget_tick(&budget))
    continue;
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_int_equal(budget.end, BUDGET_CANCELLED);
}

static void count_looks(void *user) { ++*(unsigned *)user; }

TEST(a_progress_callback_is_called_regularly) {
  unsigned looks = 0;
  struct budget budget;
  budget_init(&budget, 0, 0);
  budget.watch = count_looks;
  budget.user = &looks;
  budget_look(&budget);
  assert_int_equal(looks, 1);
  for (int i = 0; i < 100000; i++)
    budget_tick(&budget);
  assert_in_range(looks, 10, 50000);
}

static void cancel_at_once(void *user) { budget_cancel(user); }

TEST(a_progress_callback_can_cancel) {
  struct budget budget;
  budget_init(&budget, 0, 0);
  budget.watch = cancel_at_once;
  budget.user = &budget;
  uint64_t spent = 0;
  while (budget_tick(&budget))
    spent++;
  assert_true(spent < 100000);
  assert_int_equal(budget.end, BUDGET_CANCELLED);
}

/* ---------------------------------------------------------------- parts of a run */

TEST(ticks_of_a_part_count_for_the_whole) {
  struct budget whole, part;
  budget_init(&whole, 0, 0);
  for (int i = 0; i < 10; i++)
    assert_true(budget_tick(&whole));
  budget_init_within(&part, &whole, 100);
  uint64_t spent = 0;
  while (spent < 2000 && budget_tick(&part))
    spent++;
  assert_int_equal(spent, 100);
  assert_int_equal(part.end, BUDGET_TICKS);
  budget_look(&part);
  budget_look(&part); /* each tick counts once */
  assert_int_equal(whole.ticks, 110);
  assert_int_equal(whole.end, BUDGET_LEFT);
  assert_true(budget_tick(&whole));
}

TEST(a_part_ends_with_the_ticks_of_the_whole) {
  static const uint64_t limits[] = {11, 12, 63, 64, 65, 130, 1000};
  for (size_t i = 0; i < SAMPLE_COUNT(limits); i++) {
    struct budget whole, part;
    budget_init(&whole, limits[i], 0);
    for (int k = 0; k < 10; k++)
      assert_true(budget_tick(&whole));
    budget_init_within(&part, &whole, 5000);
    uint64_t spent = 10;
    while (spent < 2000 && budget_tick(&part))
      spent++;
    assert_int_equal(spent, limits[i]);
    assert_int_equal(part.end, BUDGET_TICKS);
    assert_int_equal(whole.ticks, limits[i]);
    assert_false(budget_tick(&whole));
  }
}

TEST(a_part_of_a_run_that_has_ended_does_nothing) {
  struct budget whole, part;
  budget_init(&whole, 0, 0);
  budget_cancel(&whole);
  budget_init_within(&part, &whole, 5000);
  assert_false(budget_tick(&part));
  assert_int_equal(part.end, BUDGET_CANCELLED);
}

TEST(time_and_cancelling_end_a_part) {
  struct budget whole, part;
  budget_init(&whole, 0, 0.02);
  budget_init_within(&part, &whole, 0);
  while (budget_tick(&part))
    continue;
  assert_int_equal(part.end, BUDGET_TIME);
  budget_init(&whole, 0, 0);
  whole.watch = cancel_at_once;
  whole.user = &whole;
  budget_init_within(&part, &whole, 0);
  uint64_t spent = 0;
  while (budget_tick(&part))
    spent++;
  assert_true(spent < 100000);
  assert_int_equal(part.end, BUDGET_CANCELLED);
}

/* ---------------------------------------------------------------- work that is already done */

TEST(work_done_counts_at_once) {
  struct budget budget;
  budget_init(&budget, 0, 0);
  budget_spend(&budget, 0);
  assert_int_equal(budget.ticks, 0);
  budget_spend(&budget, 1000000);
  assert_int_equal(budget.ticks, 1000000);
  assert_true(budget_tick(&budget));
  budget_spend(&budget, UINT64_MAX); /* counts no further than there are numbers */
  assert_int_equal(budget.ticks, UINT64_MAX);
}

/* With any mixture of both, exactly the limit is spent. */
TEST(work_done_keeps_within_the_limit) {
  static const uint64_t limits[] = {1, 2, 63, 64, 65, 130, 1000}, spent[] = {0, 1, 7, 64, 5000};
  for (size_t i = 0; i < SAMPLE_COUNT(limits); i++)
    for (size_t k = 0; k < SAMPLE_COUNT(spent); k++) {
      struct budget budget;
      budget_init(&budget, limits[i], 0);
      uint64_t left = limits[i];
      while (budget_tick(&budget)) {
        assert_true(left > 0);
        left--;
        budget_spend(&budget, spent[k]);
        left -= spent[k] < left ? spent[k] : left;
        assert_int_equal(budget.ticks, limits[i] - left);
      }
      assert_int_equal(left, 0);
      assert_int_equal(budget.end, BUDGET_TICKS);
      budget_spend(&budget, 5);
      assert_int_equal(budget.ticks, limits[i]);
      assert_false(budget_tick(&budget));
    }
}

TEST(work_done_in_a_part_keeps_within_the_whole) {
  static const uint64_t limits[] = {11, 12, 63, 64, 65, 130, 1000}, spent[] = {0, 1, 7, 64};
  for (size_t i = 0; i < SAMPLE_COUNT(limits); i++)
    for (size_t k = 0; k < SAMPLE_COUNT(spent); k++) {
      struct budget whole, part;
      budget_init(&whole, limits[i], 0);
      budget_spend(&whole, 10);
      budget_init_within(&part, &whole, 500);
      while (budget_tick(&part))
        budget_spend(&part, spent[k]);
      uint64_t wanted = limits[i] - 10 < 500 ? limits[i] - 10 : 500;
      assert_int_equal(part.ticks, wanted);
      assert_int_equal(part.end, BUDGET_TICKS);
      budget_spend(&part, 100);
      budget_look(&part);
      assert_int_equal(part.ticks, wanted);
      assert_int_equal(whole.ticks, 10 + wanted);
    }
}

/* The clock and cancelling are looked at when so much work is done. */
TEST(work_done_makes_the_next_tick_look) {
  struct budget budget;
  budget_init(&budget, 0, 0);
  assert_true(budget_tick(&budget));
  budget_cancel(&budget);
  budget_spend(&budget, 100000);
  assert_false(budget_tick(&budget));
  assert_int_equal(budget.end, BUDGET_CANCELLED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_limits_a_budget_never_ends),
      cmocka_unit_test(the_tick_limit_can_be_spent),
      cmocka_unit_test(an_ended_budget_stays_ended),
      cmocka_unit_test(time_runs_out),
      cmocka_unit_test(cancelling_ends_a_budget_soon),
      cmocka_unit_test(another_thread_can_cancel),
      cmocka_unit_test(a_progress_callback_is_called_regularly),
      cmocka_unit_test(a_progress_callback_can_cancel),
      cmocka_unit_test(ticks_of_a_part_count_for_the_whole),
      cmocka_unit_test(a_part_ends_with_the_ticks_of_the_whole),
      cmocka_unit_test(a_part_of_a_run_that_has_ended_does_nothing),
      cmocka_unit_test(time_and_cancelling_end_a_part),
      cmocka_unit_test(work_done_counts_at_once),
      cmocka_unit_test(work_done_keeps_within_the_limit),
      cmocka_unit_test(work_done_in_a_part_keeps_within_the_whole),
      cmocka_unit_test(work_done_makes_the_next_tick_look),
  };
  return cmocka_run_group_tests_name("budget", tests, NULL, NULL);
}
