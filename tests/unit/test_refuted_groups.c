/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remembering groups: against a list of everything that was ever proven. */
#include <stdlib.h>
#include <string.h>

#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"
#include "tune/refuted_groups.h"

static struct refuted_groups *make_groups(void) {
  struct refuted_groups *groups = test_calloc(1, sizeof *groups);
  refuted_groups_init(groups);
  return groups;
}

static const uint32_t some[] = {1, 2, 5}, more[] = {1, 2, 5, 7}, others[] = {0, 4294967295u};

static void no_group_is_refuted_at_first(void **state) {
  (void)state;
  struct refuted_groups *groups = make_groups();
  assert_int_equal(refuted_groups_target(groups, some, 3), -1);
  for (uint32_t i = 0; i < 10000; i++)
    assert_int_equal(refuted_groups_target(groups, &i, 1), -1);
  test_free(groups);
}

static void groups_have_targets_of_their_own(void **state) {
  (void)state;
  struct refuted_groups *groups = make_groups();
  refuted_groups_add(groups, some, 3, 100);
  refuted_groups_add(groups, others, 2, 0);
  assert_int_equal(refuted_groups_target(groups, some, 3), 100);
  assert_int_equal(refuted_groups_target(groups, others, 2), 0);
  assert_int_equal(refuted_groups_target(groups, more, 4), -1);
  assert_int_equal(refuted_groups_target(groups, some, 2), -1);
  refuted_groups_add(groups, more, 4, NEAP_MAX);
  assert_int_equal(refuted_groups_target(groups, more, 4), NEAP_MAX);
  assert_int_equal(refuted_groups_target(groups, some, 3), 100);
  test_free(groups);
}

static void the_highest_target_counts(void **state) {
  (void)state;
  struct refuted_groups *groups = make_groups();
  refuted_groups_add(groups, some, 3, 100);
  refuted_groups_add(groups, some, 3, 40);
  assert_int_equal(refuted_groups_target(groups, some, 3), 100);
  refuted_groups_add(groups, some, 3, 170);
  assert_int_equal(refuted_groups_target(groups, some, 3), 170);
  test_free(groups);
}

static void another_layout_makes_a_clean_slate(void **state) {
  (void)state;
  struct refuted_groups *groups = make_groups();
  refuted_groups_add(groups, some, 3, 100);
  refuted_groups_forget(groups);
  assert_int_equal(refuted_groups_target(groups, some, 3), -1);
  refuted_groups_add(groups, some, 3, 40); /* lower than what was true of the old layout */
  assert_int_equal(refuted_groups_target(groups, some, 3), 40);
  refuted_groups_forget(groups);
  refuted_groups_forget(groups);
  assert_int_equal(refuted_groups_target(groups, some, 3), -1);
  test_free(groups);
}

/* ---------------------------------------------------------------- more groups than there is room */

#define SIZE_MOST 12

/* Group i of many: ascending, and unlike all others. */
static size_t draw_group(size_t i, uint32_t *members) {
  struct dice dice = {i};
  size_t count = 1 + (size_t)dice_roll(&dice, SIZE_MOST - 1);
  members[0] = (uint32_t)i;
  for (size_t k = 1; k < count; k++)
    members[k] = members[k - 1] + 1 + (uint32_t)dice_roll(&dice, 50);
  return count;
}

/* A group may be forgotten, but none has a target that was not proven for it. */
static void forgetting_is_harmless(void **state) {
  (void)state;
  enum { MANY = 20 * REFUTED_GROUPS };
  struct refuted_groups *groups = make_groups();
  neap_size *proven = test_calloc(MANY, sizeof *proven);
  uint32_t members[SIZE_MOST];
  struct dice dice = {1};
  size_t remembered = 0;
  memset(proven, 0xff, MANY * sizeof *proven); /* -1 */
  for (size_t step = 0; step < 4 * MANY; step++) {
    size_t i = (size_t)dice_roll(&dice, MANY), count = draw_group(i, members);
    neap_size target = (neap_size)dice_roll(&dice, 1000);
    neap_size before = refuted_groups_target(groups, members, count);
    assert_true(before == -1 || before <= proven[i]);
    refuted_groups_add(groups, members, count, target);
    if (target > proven[i]) proven[i] = target;
    neap_size after = refuted_groups_target(groups, members, count);
    assert_int_equal(after, target > before ? target : before);
  }
  for (size_t i = 0; i < MANY; i++) {
    size_t count = draw_group(i, members);
    neap_size target = refuted_groups_target(groups, members, count);
    assert_true(target == -1 || target <= proven[i]);
    remembered += target != -1;
  }
  assert_in_range(remembered, REFUTED_GROUPS / 2, REFUTED_GROUPS);
  refuted_groups_forget(groups);
  for (size_t i = 0; i < MANY; i++)
    assert_int_equal(refuted_groups_target(groups, members, draw_group(i, members)), -1);
  test_free(proven);
  test_free(groups);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_group_is_refuted_at_first),
      cmocka_unit_test(groups_have_targets_of_their_own),
      cmocka_unit_test(the_highest_target_counts),
      cmocka_unit_test(another_layout_makes_a_clean_slate),
      cmocka_unit_test(forgetting_is_harmless),
  };
  return cmocka_run_group_tests_name("refuted groups", tests, NULL, NULL);
}
