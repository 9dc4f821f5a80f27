/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares binary searches with loops over all elements. */
#include "core/bisection.h"

#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

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

static void it_finds_what_a_loop_finds(void **state) {
  (void)state;
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

static void it_takes_few_steps(void **state) {
  (void)state;
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

static void its_ends_may_be_as_large_as_a_size_can_be(void **state) {
  (void)state;
  struct bisection search = bisection_of(SIZE_MAX - 10, SIZE_MAX);
  while (bisection_open(&search))
    bisection_step(&search, search.middle < SIZE_MAX - 1);
  assert_true(search.low == SIZE_MAX - 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_finds_what_a_loop_finds),
      cmocka_unit_test(it_takes_few_steps),
      cmocka_unit_test(its_ends_may_be_as_large_as_a_size_can_be),
  };
  return cmocka_run_group_tests_name("bisection", tests, NULL, NULL);
}
