/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Taking groups out of a layout: what a search in their room finds is sound and within the target,
 * what it refutes no order of the group reaches, and no layout gets higher.
 */
#include <stdlib.h>
#include <string.h>

#include "model/sections.h"
#include "tests/property/random_problem.h"
#include "tests/property/reference.h"
#include "tests/unit/layout.h"
#include "tests/unit/sample.h"
#include "tune/repacker.h"
#include "tune/room.h"

/* A random problem with a layout. */
struct fixture {
  struct instance instance;
  neap_problem *problem;
  struct sections sections;
  struct neighbours neighbours;
  struct movers movers;
  struct layout layout;
  struct dice dice;
};

static void fixture_init(struct fixture *fixture, uint64_t seed, size_t most) {
  neap_error error;
  fixture->dice = (struct dice){seed};
  fixture->instance = instance_random(seed, most, WITH_ALL);
  fixture->problem = instance_problem(&fixture->instance);
  assert_ok(sections_init(&fixture->sections, fixture->problem, SECTIONS_ALL, &error), &error);
  assert_true(
      neighbours_init(&fixture->neighbours, &fixture->sections, fixture->instance.count));
  assert_true(movers_init(&fixture->movers, fixture->problem));
  size_t *order = instance_order(&fixture->instance, &fixture->dice);
  layout_ordered(&fixture->layout, fixture->problem, order, "lowest");
  test_free(order);
}

static void fixture_clear(struct fixture *fixture) {
  layout_clear(&fixture->layout);
  neighbours_clear(&fixture->neighbours);
  movers_clear(&fixture->movers);
  sections_clear(&fixture->sections);
  neap_problem_free(fixture->problem);
  instance_free(&fixture->instance);
}

static void expect(const struct fixture *fixture, uint64_t seed, const char *what, bool holds) {
  if (holds) return;
  instance_print(&fixture->instance, seed);
  fail_msg("%s", what);
}

static void expect_sound(const struct fixture *fixture, uint64_t seed,
                         const neap_offset *offsets) {
  neap_error error;
  neap_plan *plan;
  assert_ok(neap_plan_new(fixture->problem, offsets, &plan, &error), &error);
  expect(fixture, seed, "the layout is sound", neap_plan_verify(plan, -1, &error) == NEAP_OK);
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

static void searches_agree_with_brute_force(void **state) {
  (void)state;
  size_t found = 0, refuted = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    struct fixture fixture;
    uint32_t members[MEMBERS_MOST];
    neap_offset offsets[MEMBERS_MOST];
    fixture_init(&fixture, seed, 12);
    struct budget budget;
    budget_init(&budget, 0, 0);
    struct room_layout layout = {fixture.problem, &fixture.sections, &fixture.neighbours,
                                 &fixture.movers, fixture.layout.offsets};
    struct room_task task = {.members = members,
                             .count = draw_members(&fixture, members),
                             .restarts = 1000,
                             .seed = seed};
    task.target = (neap_size)dice_roll(&fixture.dice, (uint64_t)fixture.layout.peak + 1);
    if (task.count > 0) {
      enum verdict verdict = room_search(&layout, &task, &budget, offsets);
      bool fit = reference_fits(&fixture, members, task.count, task.target);
      expect(&fixture, seed, "the verdict is that of the reference",
             verdict == (fit ? VERDICT_FOUND : VERDICT_REFUTED));
      found += fit;
      refuted += !fit;
      for (size_t i = 0; i < task.count && fit; i++) {
        fixture.layout.offsets[members[i]] = offsets[i];
        expect(&fixture, seed, "members end within the target",
               offsets[i] + fixture.instance.rectangles[members[i]].size <= task.target);
      }
      expect_sound(&fixture, seed, fixture.layout.offsets);
    }
    fixture_clear(&fixture);
  }
  assert_true(found > 300 && refuted > 300);
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
    expect(fixture, seed, "no layout gets higher", peak <= before);
    expect(fixture, seed, "at most ten groups, and those improved among them",
           repacked.groups <= 10 && repacked.improved <= repacked.groups);
    expect_sound(fixture, seed, offsets);
    *is_final = repacked.is_final;
    before = peak;
  }
  repacker_free(repacker);
  random_clear(&random);
  return before;
}

static void layouts_only_get_lower(void **state) {
  (void)state;
  size_t optimal = 0, count = 0;
  for (uint64_t seed = 0; seed < 1000; seed++) {
    struct fixture fixture;
    bool is_final;
    fixture_init(&fixture, seed, 7);
    neap_size bound = reference_bound(&fixture.instance);
    neap_size optimum = reference_optimum(&fixture.instance);
    neap_offset *offsets = test_calloc(fixture.instance.count + 1, sizeof *offsets);
    neap_offset *again = test_calloc(fixture.instance.count + 1, sizeof *offsets);
    neap_size peak = repack(&fixture, seed, bound, offsets, &is_final);
    expect(&fixture, seed, "no peak is below the optimum", peak >= optimum);
    expect(&fixture, seed, "a final peak is the optimum", !is_final || peak == optimum);
    if (fixture.layout.peak > optimum) {
      count++;
      optimal += peak == optimum;
    }
    expect(&fixture, seed, "the same seed gives the same layout",
           repack(&fixture, seed, bound, again, &is_final) == peak &&
               memcmp(offsets, again, fixture.instance.count * sizeof *offsets) == 0);
    test_free(offsets);
    test_free(again);
    fixture_clear(&fixture);
  }
  assert_true(count > 100);
  assert_true(optimal * 100 >= count * 95);
}

/* ---------------------------------------------------------------- work */

/* The trace of a heap, with alignments, which a search of everything does not lay out at once. */
static neap_problem *make_trace(size_t count) {
  neap_problem *trace, *problem = neap_problem_new();
  neap_error error;
  assert_ok(neap_problem_generate("trace", count, 3, &trace, &error), &error);
  assert_non_null(problem);
  for (size_t i = 0; i < count; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    neap_problem_buffer_at(trace, i, &buffer);
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
static void groups_cost_less_than_placing_everything(void **state) {
  (void)state;
  enum { COUNT = 20000, ATTEMPTS = 200 };
  struct sections sections;
  struct layout layout;
  struct random random;
  struct budget budget;
  neap_problem *problem = make_trace(COUNT);
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  assert_ok(sections_init(&sections, problem, SECTIONS_ALL, &error), &error);
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
      cmocka_unit_test(searches_agree_with_brute_force),
      cmocka_unit_test(layouts_only_get_lower),
      cmocka_unit_test(groups_cost_less_than_placing_everything),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
