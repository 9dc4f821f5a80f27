/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Groups in random layouts: how they grow, and what a search in their room finds. */
#include <stdlib.h>
#include <string.h>

#include "facts/columns.h"
#include "tests/support/layout.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference.h"
#include "tests/support/sample.h"
#include "tune/grower.h"
#include "tune/repacker.h"
#include "tune/room.h"

#define MOST 40

/* A random problem with a layout; and, to grow groups, blame on some buffers. */
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

static void fixture_init(struct fixture *fixture, uint64_t seed, size_t most) {
  neap_error error;
  fixture->seed = seed;
  fixture->dice = (struct dice){seed};
  fixture->instance = instance_random(seed, most, WITH_ALL);
  fixture->problem = instance_problem(&fixture->instance);
  assert_ok(columns_init(&fixture->sections, fixture->problem, SECTIONS_ALL, &error), &error);
  assert_true(
      neighbours_init(&fixture->neighbours, &fixture->sections, fixture->instance.count));
  assert_true(movable_init(&fixture->movable, fixture->problem));
  size_t *order = instance_order(&fixture->instance, &fixture->dice);
  layout_ordered(&fixture->layout, fixture->problem, order, "lowest");
  test_free(order);
}

static void fixture_clear(struct fixture *fixture) {
  layout_clear(&fixture->layout);
  neighbours_clear(&fixture->neighbours);
  movable_clear(&fixture->movable);
  sections_clear(&fixture->sections);
  neap_problem_free(fixture->problem);
  instance_free(&fixture->instance);
}

/* ---------------------------------------------------------------- growing groups */

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

/* Blames some buffers and makes a grower. */
static void growth_init(struct fixture *fixture, uint64_t seed) {
  fixture_init(fixture, seed, MOST);
  assert_true(random_init(&fixture->random, seed));
  assert_true(blame_init(&fixture->blame, fixture->instance.count));
  blame_some(fixture);
  fixture->grower = make_grower(fixture);
}

static void growth_clear(struct fixture *fixture) {
  grower_free(fixture->grower);
  blame_clear(&fixture->blame);
  random_clear(&fixture->random);
  fixture_clear(fixture);
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
  instance_expect(&fixture->instance, fixture->seed, "there are at most so many members",
                  count >= 1 && count <= wish->most);
  for (size_t i = 0; i < count; i++) {
    instance_expect(&fixture->instance, fixture->seed, "members are buffers",
                    members[i] < fixture->instance.count);
    instance_expect(&fixture->instance, fixture->seed, "members ascend, each of them once",
                    i == 0 || members[i - 1] < members[i]);
    instance_expect(&fixture->instance, fixture->seed, "members can move",
                    can_move(fixture, members[i]));
    is_member[members[i]] = true;
  }
  instance_expect(&fixture->instance, fixture->seed, "the seed is a member",
                  is_member[wish->seed]);
}

static bool lives_at(const struct rectangle *rectangle, neap_time moment) {
  for (size_t r = 0; r < rectangle->range_count; r++)
    if (rectangle->ranges[r].start <= moment && moment < rectangle->ranges[r].end) return true;
  return false;
}

/*
 * Whether the members are the buffers alive at a moment that are nearest to the seed, as many as
 * requested.
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

TEST(groups_have_what_they_need) {
  size_t large = 0;
  for (uint64_t seed = 0, tries = sample_tries(1000); seed < tries; seed++) {
    struct fixture fixture;
    growth_init(&fixture, seed);
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
        instance_expect(&fixture.instance, fixture.seed,
                        "a stack is what lies next to the seed at one moment",
                        is_stack(&fixture, &wish, is_member));
    }
    growth_clear(&fixture);
  }
  assert_true(large > 1000);
}

/* ---------------------------------------------------------------- chance */

/* Two growers with the same random numbers. */
TEST(the_same_numbers_make_the_same_groups) {
  for (uint64_t seed = 0, tries = sample_tries(200); seed < tries; seed++) {
    struct fixture one, two;
    growth_init(&one, seed);
    growth_init(&two, seed);
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
    growth_clear(&one);
    growth_clear(&two);
  }
}

/* Of buffers with equal lifetimes, any may come first. */
TEST(groups_of_one_seed_differ) {
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
  assert_ok(columns_init(&fixture.sections, fixture.problem, SECTIONS_ALL, &error), &error);
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
  growth_clear(&fixture);
}

/* ---------------------------------------------------------------- taking groups out */

/*
 * Taking groups out of a layout: a search in their room finds sound layouts within the target, no
 * order of a group reaches a target that it refutes, and no layout gets higher.
 */

static void expect_sound(const struct fixture *fixture, uint64_t seed,
                         const neap_offset *offsets) {
  neap_error error;
  neap_plan *plan = sample_plan(fixture->problem, offsets);
  instance_expect(&fixture->instance, seed, "the layout is sound",
                  neap_plan_verify(plan, -1, &error) == NEAP_OK);
  neap_plan_free(plan);
}

/* ---------------------------------------------------------------- one search */

#define MEMBERS_MOST 5

static size_t draw_members(struct fixture *fixture, uint32_t *members) {
  size_t count = 0;
  for (size_t i = 0; i < fixture->instance.count && count < MEMBERS_MOST; i++) {
    const struct rectangle *rectangle = &fixture->instance.rectangles[i];
    if (rectangle->size > 0 && rectangle->fixed == NEAP_UNPLACED &&
        dice_chance(&fixture->dice, 50))
      members[count++] = (uint32_t)i;
  }
  return count;
}

/* Whether the members fit in some order of those from `at` on. */
static bool fits(const struct instance *instance, size_t *members, size_t count, size_t at,
                 neap_size target) {
  if (at == count) {
    neap_offset *offsets = test_calloc(instance->count, sizeof *offsets);
    reference_place(instance, members, count, "lowest", offsets);
    bool fit = true;
    for (size_t i = 0; i < count; i++)
      fit &= offsets[members[i]] + instance->rectangles[members[i]].size <= target;
    test_free(offsets);
    return fit;
  }
  bool fit = false;
  for (size_t i = at; i < count && !fit; i++) {
    size_t first = members[i];
    members[i] = members[at];
    members[at] = first;
    fit = fits(instance, members, count, at + 1, target);
    members[at] = members[i];
    members[i] = first;
  }
  return fit;
}

/* The same by trying all orders of the members while everything else is fixed. */
static bool reference_fits(const struct fixture *fixture, const uint32_t *members, size_t count,
                           neap_size target) {
  struct instance rest = instance_copy(&fixture->instance);
  size_t order[MEMBERS_MOST];
  for (size_t i = 0; i < rest.count; i++)
    rest.rectangles[i].fixed = fixture->layout.offsets[i];
  for (size_t i = 0; i < count; i++) {
    rest.rectangles[members[i]].fixed = NEAP_UNPLACED;
    order[i] = members[i];
  }
  bool fit = fits(&rest, order, count, 0, target);
  instance_free(&rest);
  return fit;
}

TEST(searches_agree_with_brute_force) {
  size_t found = 0, refuted = 0;
  for (uint64_t seed = 0, tries = sample_tries(3000); seed < tries; seed++) {
    struct fixture fixture;
    uint32_t members[MEMBERS_MOST];
    neap_offset offsets[MEMBERS_MOST];
    fixture_init(&fixture, seed, 12);
    struct budget budget;
    budget_init(&budget, 0, 0);
    struct room_layout layout = {fixture.problem, &fixture.sections, &fixture.neighbours,
                                 &fixture.movable, fixture.layout.offsets};
    struct room_task task = {.members = members,
                             .count = draw_members(&fixture, members),
                             .restarts = 1000,
                             .seed = seed};
    task.target = (neap_size)dice_roll(&fixture.dice, (uint64_t)fixture.layout.peak + 1);
    if (task.count > 0) {
      enum verdict verdict = room_search(&layout, &task, &budget, offsets);
      bool fit = reference_fits(&fixture, members, task.count, task.target);
      instance_expect(&fixture.instance, seed, "the verdict is that of the reference",
                      verdict == (fit ? VERDICT_FOUND : VERDICT_REFUTED));
      found += fit;
      refuted += !fit;
      for (size_t i = 0; i < task.count && fit; i++) {
        fixture.layout.offsets[members[i]] = offsets[i];
        instance_expect(&fixture.instance, seed, "members end within the target",
                        offsets[i] + fixture.instance.rectangles[members[i]].size <=
                            task.target);
      }
      expect_sound(&fixture, seed, fixture.layout.offsets);
    }
    fixture_clear(&fixture);
  }
  assert_true(found > sample_tries(300) && refuted > sample_tries(300));
}

/* ---------------------------------------------------------------- many attempts */

static neap_size repack(struct fixture *fixture, uint64_t seed, neap_size bound,
                        neap_offset *offsets, bool *is_final) {
  struct budget budget;
  struct random random;
  struct repacked repacked;
  neap_error error;
  budget_init(&budget, 0, 0);
  assert_true(random_init(&random, seed));
  struct repacker_task task = {.problem = fixture->problem,
                               .sections = &fixture->sections,
                               .random = &random,
                               .budget = &budget,
                               .bound = bound,
                               .group_size = 3,
                               .seed = seed,
                               .layout = offsets};
  memcpy(offsets, fixture->layout.offsets, fixture->instance.count * sizeof *offsets);
  struct repacker *repacker = repacker_new(&task);
  assert_non_null(repacker);
  neap_size before = fixture->layout.peak;
  *is_final = false;
  for (int round = 0; round < 5 && !*is_final; round++) {
    assert_ok(repacker_run(repacker, 10, &repacked, &error), &error);
    neap_size peak = reference_peak(&fixture->instance, offsets);
    instance_expect(&fixture->instance, seed, "no layout gets higher", peak <= before);
    instance_expect(&fixture->instance, seed,
                    "at most ten groups, and those improved among them",
                    repacked.groups <= 10 && repacked.improved <= repacked.groups);
    expect_sound(fixture, seed, offsets);
    *is_final = repacked.is_final;
    before = peak;
  }
  repacker_free(repacker);
  random_clear(&random);
  return before;
}

TEST(layouts_only_get_lower) {
  size_t optimal = 0, count = 0;
  for (uint64_t seed = 0, tries = sample_tries(1000); seed < tries; seed++) {
    struct fixture fixture;
    bool is_final;
    fixture_init(&fixture, seed, 7);
    neap_size bound = reference_bound(&fixture.instance);
    neap_size optimum = reference_optimum(&fixture.instance);
    neap_offset *offsets = test_calloc(fixture.instance.count + 1, sizeof *offsets);
    neap_offset *again = test_calloc(fixture.instance.count + 1, sizeof *offsets);
    neap_size peak = repack(&fixture, seed, bound, offsets, &is_final);
    instance_expect(&fixture.instance, seed, "no peak is below the optimum", peak >= optimum);
    instance_expect(&fixture.instance, seed, "a final peak is the optimum",
                    !is_final || peak == optimum);
    if (fixture.layout.peak > optimum) {
      count++;
      optimal += peak == optimum;
    }
    instance_expect(&fixture.instance, seed, "the same seed gives the same layout",
                    repack(&fixture, seed, bound, again, &is_final) == peak &&
                        memcmp(offsets, again, fixture.instance.count * sizeof *offsets) == 0);
    test_free(offsets);
    test_free(again);
    fixture_clear(&fixture);
  }
  assert_true(count > sample_tries(100));
  assert_true(optimal * 100 >= count * 95);
}

/* ---------------------------------------------------------------- work */

/* The trace of a heap, with alignments, which a search of everything needs time to lay out. */
static neap_problem *make_trace(size_t count) {
  neap_problem *trace, *problem = neap_problem_new();
  neap_error error;
  assert_ok(neap_problem_generate("trace", count, 3, &trace, &error), &error);
  assert_non_null(problem);
  for (size_t i = 0; i < count; i++) {
    neap_buffer buffer = sample_buffer(trace, i);
    buffer.alignment = 64;
    assert_ok(neap_problem_add(problem, &buffer, &error), &error);
  }
  neap_problem_free(trace);
  return problem;
}

/*
 * The work of taking out a group depends on the group and on what is alive with it.  It should be a
 * fraction of placing all buffers, which takes a tick for each of them; only a search of everything
 * takes as much, now and then.  Ticks are the same on every machine.
 */
TEST(groups_cost_less_than_placing_everything) {
  enum { COUNT = 20000, ATTEMPTS = 200 };
  struct sections sections;
  struct layout layout;
  struct random random;
  struct budget budget;
  neap_problem *problem = make_trace(COUNT);
  neap_error error;
  const neap_bound bound = sample_bound(problem);
  assert_ok(columns_init(&sections, problem, SECTIONS_ALL, &error), &error);
  layout_sorted(&layout, problem, "size", "lowest");
  assert_true(random_init(&random, 1));
  budget_init(&budget, 0, 0);
  struct repacker_task task = {.problem = problem,
                               .sections = &sections,
                               .random = &random,
                               .budget = &budget,
                               .bound = bound.bytes,
                               .group_size = 12,
                               .seed = 1,
                               .layout = layout.offsets};
  struct repacker *repacker = repacker_new(&task);
  assert_non_null(repacker);
  size_t attempts = 0, cheap = 0;
  for (struct repacked repacked = {.groups = 1}; repacked.groups > 0 && attempts < ATTEMPTS;) {
    uint64_t before = budget.ticks;
    assert_ok(repacker_run(repacker, 1, &repacked, &error), &error);
    attempts += repacked.groups;
    cheap += repacked.groups > 0 && budget.ticks - before < COUNT / 4;
  }
  assert_true(attempts >= 10 && cheap * 4 >= attempts * 3);
  repacker_free(repacker);
  random_clear(&random);
  layout_clear(&layout);
  sections_clear(&sections);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groups_have_what_they_need),
      cmocka_unit_test(the_same_numbers_make_the_same_groups),
      cmocka_unit_test(groups_of_one_seed_differ),
      cmocka_unit_test(searches_agree_with_brute_force),
      cmocka_unit_test(layouts_only_get_lower),
      cmocka_unit_test(groups_cost_less_than_placing_everything),
  };
  return cmocka_run_group_tests_name("property repacker", tests, NULL, NULL);
}
