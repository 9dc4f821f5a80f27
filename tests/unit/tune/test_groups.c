/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups: which buffers to blame, and which groups were searched in vain. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "facts/columns.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"
#include "tune/grower.h"
#include "tune/repacker.h"

/* ---------------------------------------------------------------- blame */

/* Which buffers are to blame, and how blame fades. */

/* A problem, offsets for it, and the blame of its buffers. */
struct fixture {
  neap_problem *problem;
  struct sections sections;
  struct neighbours neighbours;
  struct room_layout layout;
  struct blame blame;
};

static void fixture_init(struct fixture *fixture, neap_problem *problem,
                         const neap_offset *offsets) {
  size_t count = neap_problem_count(problem);
  neap_error error;
  fixture->problem = problem;
  assert_ok(columns_init(&fixture->sections, problem, SECTIONS_ALL, &error), &error);
  assert_true(neighbours_init(&fixture->neighbours, &fixture->sections, count));
  fixture->layout =
      (struct room_layout){problem, &fixture->sections, &fixture->neighbours, NULL, offsets};
  assert_true(blame_init(&fixture->blame, count));
}

static void fixture_clear(struct fixture *fixture) {
  blame_clear(&fixture->blame);
  neighbours_clear(&fixture->neighbours);
  sections_clear(&fixture->sections);
  neap_problem_free(fixture->problem);
}

static void blame(struct fixture *fixture, size_t buffer) {
  assert_true(blame_add(&fixture->blame, &fixture->layout, buffer));
}

static void expect_blame(const struct fixture *fixture, size_t buffer, double wanted) {
  double found = blame_of(&fixture->blame, buffer);
  if (fabs(found - wanted) > 1e-9)
    fail_msg("buffer %zu: expected %g, found %g", buffer, wanted, found);
}

static void expect_all(const struct fixture *fixture, const double *wanted) {
  for (size_t i = 0; i < neap_problem_count(fixture->problem); i++)
    expect_blame(fixture, i, wanted[i]);
}

/* ---------------------------------------------------------------- chains */

TEST(nobody_is_to_blame_at_first) {
  static const struct sample samples[] = {{0, 2, 5, 0}, {0, 2, 5, 0}};
  static const neap_offset offsets[] = {0, 5};
  struct fixture fixture;
  fixture_init(&fixture, sample_problem(samples, 2), offsets);
  expect_all(&fixture, (const double[]){0, 0});
  fixture_clear(&fixture);
}

/*
 *    ┌──────┐
 *    │  2   ├──┐
 *    └─┬────┤4 │     5 is alive with 3, but neither with 2 nor with 1
 *      │ 1  │  │
 *    ┌─┴──┬─┴──┼────┐
 *    │ 0  │ 3  │ 5  │
 */
TEST(the_chain_leads_down_to_the_floor) {
  static const struct sample samples[] = {{0, 4, 10, 0}, {2, 8, 10, 0},  {0, 8, 5, 0},
                                          {4, 12, 4, 0}, {8, 12, 20, 0}, {12, 16, 10, 0}};
  static const neap_offset offsets[] = {0, 10, 20, 0, 4, 0};
  struct fixture fixture;
  fixture_init(&fixture, sample_problem(samples, SAMPLE_COUNT(samples)), offsets);
  blame(&fixture, 2);
  expect_all(&fixture, (const double[]){1, 1, 1, 0, 0, 0});
  blame(&fixture, 4);
  expect_all(&fixture, (const double[]){1, 1, 1, 1, 1, 0});
  blame(&fixture, 0);
  expect_all(&fixture, (const double[]){2, 1, 1, 1, 1, 0});
  fixture_clear(&fixture);
}

/* Alignment leaves a gap between a buffer and what it lies on. */
TEST(gaps_of_alignment_do_not_break_a_chain) {
  static const struct sample samples[] = {{0, 2, 10, 0}, {0, 2, 3, 0}, {0, 2, 8, 16}};
  static const neap_offset offsets[] = {0, 10, 16};
  struct fixture fixture;
  fixture_init(&fixture, sample_problem(samples, SAMPLE_COUNT(samples)), offsets);
  blame(&fixture, 2);
  expect_all(&fixture, (const double[]){1, 1, 1});
  fixture_clear(&fixture);
}

/* Buffer 1 lies on 0 in its second range of time, and on nothing in its first. */
TEST(every_range_of_time_supports) {
  static const neap_range twice[] = {{0, 2}, {10, 12}};
  static const neap_offset offsets[] = {0, 7, 0, 10};
  neap_problem *problem = neap_problem_new();
  struct fixture fixture;
  sample_add(problem, "below", 11, 13, 7);
  sample_add_gapped(problem, "twice", twice, 2, 3);
  sample_add(problem, "between", 4, 6, 7);
  sample_add(problem, "above", 0, 6, 2);
  fixture_init(&fixture, problem, offsets);
  blame(&fixture, 3);
  expect_all(&fixture, (const double[]){1, 1, 0, 1});
  fixture_clear(&fixture);
}

TEST(fixed_buffers_are_to_blame_as_well) {
  static const neap_offset offsets[] = {0, 20, 26};
  neap_problem *problem = neap_problem_new();
  struct fixture fixture;
  sample_add(problem, "floor", 0, 2, 10);
  sample_add_fixed(problem, "fixed", 0, 2, 6, 20);
  sample_add(problem, "above", 0, 2, 5);
  fixture_init(&fixture, problem, offsets);
  blame(&fixture, 2);
  expect_all(&fixture, (const double[]){1, 1, 1});
  fixture_clear(&fixture);
}

/* Nothing lies on a buffer without bytes, wherever that is. */
TEST(empty_buffers_support_nothing) {
  static const neap_offset offsets[] = {10, 0, 10, 4};
  neap_problem *problem = neap_problem_new();
  struct fixture fixture;
  sample_add_fixed(problem, "empty", 0, 2, 0, 10);
  sample_add(problem, "floor", 0, 2, 10);
  sample_add(problem, "above", 0, 2, 5);
  sample_add_fixed(problem, "inside", 0, 2, 0, 4);
  fixture_init(&fixture, problem, offsets);
  blame(&fixture, 2);
  expect_all(&fixture, (const double[]){0, 1, 1, 0});
  fixture_clear(&fixture);
}

TEST(a_tall_stack_is_to_blame) {
  enum { TALL = 50 };
  neap_offset offsets[TALL];
  struct sample samples[TALL];
  struct fixture fixture;
  for (size_t i = 0; i < TALL; i++) {
    samples[i] = (struct sample){(neap_time)i, (neap_time)i + 2, 3, 0};
    offsets[i] = 3 * (neap_offset)i;
  }
  fixture_init(&fixture, sample_problem(samples, TALL), offsets);
  blame(&fixture, TALL - 1);
  for (size_t i = 0; i < TALL; i++)
    expect_blame(&fixture, i, 1);
  fixture_clear(&fixture);
}

/* ---------------------------------------------------------------- fading */

TEST(blame_fades) {
  static const struct sample samples[] = {{0, 2, 5, 0}, {4, 6, 5, 0}};
  static const neap_offset offsets[] = {0, 0};
  struct fixture fixture;
  fixture_init(&fixture, sample_problem(samples, 2), offsets);
  blame(&fixture, 0);
  blame_fade(&fixture.blame);
  double faded = blame_of(&fixture.blame, 0);
  assert_true(faded > 0 && faded < 1);
  blame(&fixture, 1);
  expect_blame(&fixture, 1, 1);
  blame(&fixture, 0);
  expect_blame(&fixture, 0, 1 + faded);
  blame_fade(&fixture.blame);
  expect_blame(&fixture, 1, faded); /* every time by the same factor */
  expect_blame(&fixture, 0, (1 + faded) * faded);
  fixture_clear(&fixture);
}

/* However often blame fades, new blame is 1, and older blame is less. */
TEST(blame_can_fade_for_ever) {
  static const struct sample samples[] = {{0, 2, 5, 0}, {4, 6, 5, 0}, {8, 10, 5, 0}};
  static const neap_offset offsets[] = {0, 0, 0};
  struct fixture fixture;
  fixture_init(&fixture, sample_problem(samples, 3), offsets);
  blame(&fixture, 0);
  blame_fade(&fixture.blame);
  double factor = blame_of(&fixture.blame, 0), wanted = factor, always = 0;
  for (int i = 0; i < 50000; i++) {
    blame(&fixture, 2);
    blame_fade(&fixture.blame);
    wanted *= factor;
    always = (always + 1) * factor;
    double once = blame_of(&fixture.blame, 0), again = blame_of(&fixture.blame, 2);
    if (!(once >= 0 && fabs(once - wanted) <= 1e-9 * wanted + 1e-290))
      fail_msg("after %d fades: expected %g, found %g", i + 2, wanted, once);
    if (!(fabs(again - always) <= 1e-9 * always))
      fail_msg("after %d fades: expected %g, found %g", i + 2, always, again);
  }
  blame(&fixture, 1);
  expect_blame(&fixture, 1, 1);
  fixture_clear(&fixture);
}

/* ---------------------------------------------------------------- refuted groups */

/* Remembering groups: against a list of everything that was ever proven. */

static struct refuted_groups *make_groups(void) {
  struct refuted_groups *groups = test_calloc(1, sizeof *groups);
  refuted_groups_init(groups);
  return groups;
}

static const uint32_t some[] = {1, 2, 5}, more[] = {1, 2, 5, 7}, others[] = {0, 4294967295u};

TEST(no_group_is_refuted_at_first) {
  struct refuted_groups *groups = make_groups();
  assert_int_equal(refuted_groups_target(groups, some, 3), -1);
  for (uint32_t i = 0; i < 10000; i++)
    assert_int_equal(refuted_groups_target(groups, &i, 1), -1);
  test_free(groups);
}

TEST(groups_have_targets_of_their_own) {
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

TEST(the_highest_target_counts) {
  struct refuted_groups *groups = make_groups();
  refuted_groups_add(groups, some, 3, 100);
  refuted_groups_add(groups, some, 3, 40);
  assert_int_equal(refuted_groups_target(groups, some, 3), 100);
  refuted_groups_add(groups, some, 3, 170);
  assert_int_equal(refuted_groups_target(groups, some, 3), 170);
  test_free(groups);
}

TEST(another_layout_makes_a_clean_slate) {
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

/* ---------------------------------------------------------------- more groups than room */

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
TEST(forgetting_is_harmless) {
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
      cmocka_unit_test(nobody_is_to_blame_at_first),
      cmocka_unit_test(the_chain_leads_down_to_the_floor),
      cmocka_unit_test(gaps_of_alignment_do_not_break_a_chain),
      cmocka_unit_test(every_range_of_time_supports),
      cmocka_unit_test(fixed_buffers_are_to_blame_as_well),
      cmocka_unit_test(empty_buffers_support_nothing),
      cmocka_unit_test(a_tall_stack_is_to_blame),
      cmocka_unit_test(blame_fades),
      cmocka_unit_test(blame_can_fade_for_ever),
      cmocka_unit_test(no_group_is_refuted_at_first),
      cmocka_unit_test(groups_have_targets_of_their_own),
      cmocka_unit_test(the_highest_target_counts),
      cmocka_unit_test(another_layout_makes_a_clean_slate),
      cmocka_unit_test(forgetting_is_harmless),
  };
  return cmocka_run_group_tests_name("groups", tests, NULL, NULL);
}
