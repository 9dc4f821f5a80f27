/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares all ways to sort with one that exchanges neighbours. */
#include "core/sort.h"

#include <string.h>

#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

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

static void pairs_of_equal_keys_stay_in_order(void **state) {
  (void)state;
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

static void numbers_ascend(void **state) {
  (void)state;
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

static void items_follow_comparisons(void **state) {
  (void)state;
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_of_equal_keys_stay_in_order),
      cmocka_unit_test(numbers_ascend),
      cmocka_unit_test(items_follow_comparisons),
  };
  return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
