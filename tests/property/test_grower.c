/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Growing groups in random layouts. */
#include <stdlib.h>

#include "tests/property/random_problem.h"
#include "tests/property/reference.h"
#include "tests/unit/layout.h"
#include "tests/unit/sample.h"
#include "tune/grower.h"

#define MOST 40

/* A random problem with a layout, and blame on some buffers. */
struct fixture {
  uint64_t seed;
  struct instance instance;
  neap_problem *problem;
  struct sections sections;
  struct neighbours neighbours;
  struct movable movable;
  struct layout layout;
  struct blame blame;
  struct random random;
  struct dice dice;
  struct grower *grower;
};

static struct room_layout room_of(const struct fixture *fixture) {
  return (struct room_layout){fixture->problem, &fixture->sections, &fixture->neighbours,
                              &fixture->movable, fixture->layout.offsets};
}

static void blame_some(struct fixture *fixture) {
  const struct room_layout layout = room_of(fixture);
  for (size_t i = 0; i < fixture->instance.count; i++) {
    if (dice_chance(&fixture->dice, 30)) blame_fade(&fixture->blame);
    if (dice_chance(&fixture->dice, 30)) assert_true(blame_add(&fixture->blame, &layout, i));
  }
}

static struct grower *make_grower(struct fixture *fixture) {
  struct grower_task task = {.layout = room_of(fixture),
                             .blame = &fixture->blame,
                             .random = &fixture->random,
                             .bound = reference_bound(&fixture->instance)};
  struct grower *grower = grower_new(&task);
  assert_non_null(grower);
  return grower;
}

static void fixture_init(struct fixture *fixture, uint64_t seed) {
  neap_error error;
  fixture->seed = seed;
  fixture->dice = (struct dice){seed};
  fixture->instance = instance_random(seed, MOST, WITH_ALL);
  fixture->problem = instance_problem(&fixture->instance);
  assert_ok(sections_init(&fixture->sections, fixture->problem, SECTIONS_ALL, &error), &error);
  assert_true(
      neighbours_init(&fixture->neighbours, &fixture->sections, fixture->instance.count));
  assert_true(movable_init(&fixture->movable, fixture->problem));
  size_t *order = instance_order(&fixture->instance, &fixture->dice);
  layout_ordered(&fixture->layout, fixture->problem, order, "lowest");
  test_free(order);
  assert_true(random_init(&fixture->random, seed));
  assert_true(blame_init(&fixture->blame, fixture->instance.count));
  blame_some(fixture);
  fixture->grower = make_grower(fixture);
}

static void fixture_clear(struct fixture *fixture) {
  grower_free(fixture->grower);
  blame_clear(&fixture->blame);
  random_clear(&fixture->random);
  layout_clear(&fixture->layout);
  neighbours_clear(&fixture->neighbours);
  movable_clear(&fixture->movable);
  sections_clear(&fixture->sections);
  neap_problem_free(fixture->problem);
  instance_free(&fixture->instance);
}

static void expect(const struct fixture *fixture, const char *what, bool holds) {
  if (holds) return;
  instance_print(&fixture->instance, fixture->seed);
  fail_msg("%s", what);
}

/* ---------------------------------------------------------------- what every group is like */

static bool can_move(const struct fixture *fixture, size_t buffer) {
  const struct rectangle *rectangle = &fixture->instance.rectangles[buffer];
  return rectangle->size > 0 && rectangle->fixed == NEAP_UNPLACED;
}

/* Marks the members in `is_member`. */
static void check_group(const struct fixture *fixture, const struct grower_wish *wish,
                        bool *is_member) {
  size_t count;
  const uint32_t *members = grower_members(fixture->grower, &count);
  expect(fixture, "there are at most so many members", count >= 1 && count <= wish->most);
  for (size_t i = 0; i < count; i++) {
    expect(fixture, "members are buffers", members[i] < fixture->instance.count);
    expect(fixture, "members ascend, each of them once", i == 0 || members[i - 1] < members[i]);
    expect(fixture, "members can move", can_move(fixture, members[i]));
    is_member[members[i]] = true;
  }
  expect(fixture, "the seed is a member", is_member[wish->seed]);
}

static bool lives_at(const struct rectangle *rectangle, neap_time moment) {
  for (size_t r = 0; r < rectangle->range_count; r++)
    if (rectangle->ranges[r].start <= moment && moment < rectangle->ranges[r].end) return true;
  return false;
}

/*
 * Whether the members are those of the buffers alive at a moment that are nearest to the seed, as
 * many as were wished for.
 */
static bool is_stack_at(const struct fixture *fixture, const struct grower_wish *wish,
                        const bool *is_member, neap_time moment) {
  const neap_offset *offsets = fixture->layout.offsets;
  neap_size farthest = 0, nearest = NEAP_MAX; /* member; other */
  size_t members = 0, alive = 0;
  for (size_t i = 0; i < fixture->instance.count; i++) {
    bool lives = lives_at(&fixture->instance.rectangles[i], moment);
    if (is_member[i] && !lives) return false;
    if (!lives || !can_move(fixture, i)) continue;
    neap_size distance = llabs(offsets[i] - offsets[wish->seed]);
    alive++;
    members += is_member[i];
    if (is_member[i] && distance > farthest) farthest = distance;
    if (!is_member[i] && distance < nearest) nearest = distance;
  }
  return farthest <= nearest && members == (alive < wish->most ? alive : wish->most);
}

static bool is_stack(const struct fixture *fixture, const struct grower_wish *wish,
                     const bool *is_member) {
  const struct rectangle *seed = &fixture->instance.rectangles[wish->seed];
  for (size_t r = 0; r < seed->range_count; r++)
    for (neap_time moment = seed->ranges[r].start; moment < seed->ranges[r].end; moment++)
      if (is_stack_at(fixture, wish, is_member, moment)) return true;
  return false;
}

static void groups_have_what_they_need(void **state) {
  (void)state;
  size_t large = 0;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    struct fixture fixture;
    fixture_init(&fixture, seed);
    for (size_t i = 0; i < fixture.instance.count; i++) {
      if (!can_move(&fixture, i)) continue;
      struct grower_wish wish = {
          .seed = i,
          .most = 1 + (size_t)dice_roll(&fixture.dice, fixture.instance.count + 3),
          .kinship = (enum kinship)dice_roll(&fixture.dice, KINSHIPS),
          .peak = fixture.layout.peak};
      bool is_member[MOST] = {false};
      assert_true(grower_grow(fixture.grower, &wish));
      check_group(&fixture, &wish, is_member);
      size_t count;
      grower_members(fixture.grower, &count);
      large += count > 5;
      if (wish.kinship == KIN_STACK)
        expect(&fixture, "a stack is what lies next to the seed at one moment",
               is_stack(&fixture, &wish, is_member));
    }
    fixture_clear(&fixture);
  }
  assert_true(large > 1000);
}

/* ---------------------------------------------------------------- chance */

/* Two growers with the same random numbers. */
static void the_same_numbers_make_the_same_groups(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 200; seed++) {
    struct fixture one, two;
    fixture_init(&one, seed);
    fixture_init(&two, seed);
    for (size_t i = 0; i < one.instance.count; i++) {
      if (!can_move(&one, i)) continue;
      struct grower_wish wish = {i, 8, (enum kinship)(i % KINSHIPS), one.layout.peak};
      size_t count, other_count;
      assert_true(grower_grow(one.grower, &wish) && grower_grow(two.grower, &wish));
      const uint32_t *members = grower_members(one.grower, &count);
      const uint32_t *others = grower_members(two.grower, &other_count);
      assert_int_equal(count, other_count);
      assert_memory_equal(members, others, count * sizeof *members);
    }
    fixture_clear(&one);
    fixture_clear(&two);
  }
}

/* Of buffers with equal lifetimes, any may come first. */
static void groups_of_one_seed_differ(void **state) {
  (void)state;
  enum { ALIKE = 20, TIMES = 200 };
  struct fixture fixture = {.instance = {.count = ALIKE}};
  fixture.instance.rectangles = test_calloc(ALIKE, sizeof *fixture.instance.rectangles);
  for (unsigned i = 0; i < ALIKE; i++)
    fixture.instance.rectangles[i] = (struct rectangle){.number = i,
                                                        .size = 4,
                                                        .alignment = 1,
                                                        .fixed = NEAP_UNPLACED,
                                                        .ranges = {{0, 9}},
                                                        .range_count = 1};
  neap_error error;
  fixture.problem = instance_problem(&fixture.instance);
  assert_ok(sections_init(&fixture.sections, fixture.problem, SECTIONS_ALL, &error), &error);
  assert_true(neighbours_init(&fixture.neighbours, &fixture.sections, ALIKE));
  assert_true(movable_init(&fixture.movable, fixture.problem));
  layout_sorted(&fixture.layout, fixture.problem, "size", "lowest");
  assert_true(random_init(&fixture.random, 3) && blame_init(&fixture.blame, ALIKE));
  fixture.grower = make_grower(&fixture);
  size_t joined[ALIKE] = {0};
  for (int i = 0; i < TIMES; i++) {
    struct grower_wish wish = {7, 5, KIN_LIFETIME, fixture.layout.peak};
    bool is_member[ALIKE] = {false};
    assert_true(grower_grow(fixture.grower, &wish));
    check_group(&fixture, &wish, is_member);
    for (size_t k = 0; k < ALIKE; k++)
      joined[k] += is_member[k];
  }
  for (size_t k = 0; k < ALIKE; k++)
    assert_true(joined[k] > 0 && (k == 7 || joined[k] < TIMES));
  fixture_clear(&fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_have_what_they_need),
      cmocka_unit_test(the_same_numbers_make_the_same_groups),
      cmocka_unit_test(groups_of_one_seed_differ),
  };
  return cmocka_run_group_tests_name("property grower", tests, NULL, NULL);
}
