/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the ordered set with a plain array, at sizes where levels begin. */
#include "core/ordered.h"

#include <stdlib.h>

#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

static size_t below(const bool *members, size_t number) {
  while (number-- > 0)
    if (members[number]) return number;
  return ORDERED_NONE;
}

static size_t above(const bool *members, size_t limit, size_t number) {
  while (++number < limit)
    if (members[number]) return number;
  return ORDERED_NONE;
}

/* In sparse sets, neighbours are far apart, so searches go up and down all levels. */
static void follow(size_t limit, uint64_t density) {
  struct dice dice = {limit + density};
  struct ordered set;
  bool *members = test_calloc(limit, sizeof *members);
  assert_true(ordered_init(&set, limit));
  for (int step = 0; step < 400; step++) {
    size_t number = (size_t)dice_roll(&dice, limit);
    members[number] = dice_roll(&dice, 100) < density;
    if (members[number]) ordered_add(&set, number);
    else ordered_remove(&set, number);
    assert_true(ordered_has(&set, number) == members[number]);
    size_t asked = (size_t)dice_roll(&dice, limit);
    assert_true(ordered_below(&set, asked) == below(members, asked));
    assert_true(ordered_above(&set, asked) == above(members, limit, asked));
  }
  ordered_clear(&set);
  test_free(members);
}

static void neighbours_are_those_of_an_array(void **state) {
  (void)state;
  const size_t limits[] = {1, 2, 63, 64, 65, 4095, 4096, 4097, 262143, 262144, 262145};
  for (size_t i = 0; i < SAMPLE_COUNT(limits); i++) {
    follow(limits[i], 90);
    follow(limits[i], 10);
  }
}

static void adding_and_removing_report_membership(void **state) {
  (void)state;
  struct ordered set;
  assert_true(ordered_init(&set, 130));
  assert_false(ordered_has(&set, 129));
  ordered_add(&set, 129);
  ordered_add(&set, 0);
  assert_true(ordered_has(&set, 129) && ordered_has(&set, 0));
  assert_true(ordered_above(&set, 0) == 129 && ordered_below(&set, 129) == 0);
  ordered_remove(&set, 129);
  assert_false(ordered_has(&set, 129));
  assert_true(ordered_above(&set, 0) == ORDERED_NONE && ordered_below(&set, 0) == ORDERED_NONE);
  ordered_clear(&set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_are_those_of_an_array),
      cmocka_unit_test(adding_and_removing_report_membership),
  };
  return cmocka_run_group_tests_name("ordered", tests, NULL, NULL);
}
