/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting and binary search against loops over all elements. */
#include <string.h>

#include "core/bisection.h"
#include "core/sort.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- sorting */

/* Compares all ways to sort with one that exchanges neighbours. */

/* Counts below and above those at which the method changes. */
static const size_t counts[] = {0, 1, 2, 39, 40, 41, 300};

/* Random bits where the mask has them, so that some bytes are the same in all. */
static uint64_t random_key(struct dice *dice, uint64_t mask) {
  return (dice_roll(dice, UINT32_MAX) << 32 | dice_roll(dice, UINT32_MAX)) & mask;
}

static const uint64_t masks[] = {0, 3, 0xFF00, UINT64_C(0xF0F000000000), UINT64_MAX};

static void sort_plainly(struct sort_pair *pairs, size_t count) {
  for (size_t done = 0; done < count; done++)
    for (size_t i = done; i > 0 && pairs[i - 1].key > pairs[i].key; i--) {
      struct sort_pair lower = pairs[i];
      pairs[i] = pairs[i - 1];
      pairs[i - 1] = lower;
    }
}

TEST(pairs_of_equal_keys_stay_in_order) {
  for (size_t c = 0; c < SAMPLE_COUNT(counts); c++)
    for (size_t m = 0; m < SAMPLE_COUNT(masks); m++) {
      struct dice dice = {c};
      struct sort_pair pairs[300], wanted[300];
      for (size_t i = 0; i < counts[c]; i++)
        pairs[i] = (struct sort_pair){random_key(&dice, masks[m]), i};
      memcpy(wanted, pairs, counts[c] * sizeof *pairs);
      sort_plainly(wanted, counts[c]);
      assert_true(sort_pairs(pairs, counts[c]));
      assert_memory_equal(pairs, wanted, counts[c] * sizeof *pairs);
    }
}

TEST(numbers_ascend) {
  for (size_t c = 0; c < SAMPLE_COUNT(counts); c++)
    for (size_t m = 0; m < SAMPLE_COUNT(masks); m++) {
      struct dice dice = {c};
      int64_t numbers[300];
      uint64_t sum = 0;
      for (size_t i = 0; i < counts[c]; i++) {
        numbers[i] =
            (int64_t)random_key(&dice, masks[m]); /* half of the longest are negative */
        sum += (uint64_t)numbers[i];
      }
      for (int again = 0; again < 2; again++) {
        sort_numbers(numbers, counts[c]);
        for (size_t i = 1; i < counts[c]; i++)
          assert_true(numbers[i - 1] <= numbers[i]);
      }
      for (size_t i = 0; i < counts[c]; i++)
        sum -= (uint64_t)numbers[i];
      assert_int_equal(sum, 0);
    }
}

static int by_key_then_item(const void *left, const void *right, void *context) {
  const struct sort_pair *a = left, *b = right;
  ++*(size_t *)context;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return a->item < b->item ? -1 : a->item > b->item;
}

TEST(items_follow_comparisons) {
  for (size_t c = 0; c < SAMPLE_COUNT(counts); c++)
    for (size_t m = 0; m < SAMPLE_COUNT(masks); m++) {
      struct dice dice = {c};
      struct sort_pair items[300], wanted[300];
      size_t compared = 0;
      for (size_t i = 0; i < counts[c]; i++)
        items[i] = (struct sort_pair){random_key(&dice, masks[m]), i};
      memcpy(wanted, items, counts[c] * sizeof *items);
      sort_plainly(wanted, counts[c]);
      sort_items(items, counts[c], sizeof *items, by_key_then_item, &compared);
      assert_memory_equal(items, wanted, counts[c] * sizeof *items);
      assert_true(counts[c] < 2 || compared > 0);
    }
}

/* ---------------------------------------------------------------- searching */

/* Compares binary searches with loops over all elements. */

#define MOST 40

static size_t first_from(const int64_t *values, size_t low, size_t high, int64_t least) {
  while (low < high && values[low] < least)
    low++;
  return low;
}

static size_t bisect(const int64_t *values, size_t low, size_t high, int64_t least) {
  struct bisection search = bisection_of(low, high);
  while (bisection_open(&search)) {
    assert_true(search.low <= search.middle && search.middle < search.high);
    bisection_step(&search, values[search.middle] < least);
  }
  assert_int_equal(search.low, search.high);
  return search.low;
}

TEST(it_finds_what_a_loop_finds) {
  for (size_t count = 0; count <= MOST; count++) {
    struct dice dice = {count};
    int64_t values[MOST], value = -5;
    for (size_t i = 0; i < count; i++)
      values[i] = value += (int64_t)dice_roll(&dice, 3); /* some are equal */
    for (int64_t least = -6; least <= value + 1; least++)
      for (size_t low = 0; low <= count; low++)
        assert_int_equal(bisect(values, low, count, least),
                         first_from(values, low, count, least));
  }
}

TEST(it_takes_few_steps) {
  const size_t sought[] = {0, 1, 999999, 1000000};
  for (size_t i = 0; i < SAMPLE_COUNT(sought); i++) {
    struct bisection search = bisection_of(0, 1000000);
    int steps = 0;
    for (; bisection_open(&search); steps++)
      bisection_step(&search, search.middle < sought[i]);
    assert_int_equal(search.low, sought[i]);
    assert_true(steps <= 20);
  }
}

TEST(its_ends_may_be_as_large_as_a_size_can_be) {
  struct bisection search = bisection_of(SIZE_MAX - 10, SIZE_MAX);
  while (bisection_open(&search))
    bisection_step(&search, search.middle < SIZE_MAX - 1);
  assert_true(search.low == SIZE_MAX - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_of_equal_keys_stay_in_order),
      cmocka_unit_test(numbers_ascend),
      cmocka_unit_test(items_follow_comparisons),
      cmocka_unit_test(it_finds_what_a_loop_finds),
      cmocka_unit_test(it_takes_few_steps),
      cmocka_unit_test(its_ends_may_be_as_large_as_a_size_can_be),
  };
  return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
