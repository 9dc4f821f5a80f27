/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches of everything: layouts only get lower, and what is proven is true. */
#include <stdlib.h>
#include <string.h>

#include "model/rounding.h"
#include "neap/planner.h"
#include "tests/property/random_problem.h"
#include "tests/property/reference.h"
#include "tests/unit/layout.h"
#include "tests/unit/sample.h"
#include "tune/whole.h"

/* A random problem with a layout, to be lowered within a budget. */
struct fixture {
  uint64_t seed;
  struct instance instance;
  neap_problem *problem;
  struct sections sections;
  struct layout layout;
  struct budget budget;
  struct whole *whole;
  neap_size optimum; /* -1: unknown */
};

static void fixture_init(struct fixture *fixture, uint64_t seed, size_t most,
                         uint64_t max_ticks) {
  struct dice dice = {seed};
  neap_error error;
  fixture->seed = seed;
  fixture->instance = instance_random(seed, most, WITH_ALL);
  fixture->problem = instance_problem(&fixture->instance);
  assert_ok(sections_init(&fixture->sections, fixture->problem, SECTIONS_ALL, &error), &error);
  size_t *order = instance_order(&fixture->instance, &dice);
  layout_ordered(&fixture->layout, fixture->problem, order, "lowest");
  test_free(order);
  budget_init(&fixture->budget, max_ticks, 0);
  fixture->optimum = fixture->instance.count < 8 ? reference_optimum(&fixture->instance) : -1;
  const struct whole_task task = {.problem = fixture->problem,
                                  .sections = &fixture->sections,
                                  .budget = &fixture->budget,
                                  .bound = reference_bound(&fixture->instance),
                                  .seed = seed};
  fixture->whole = whole_new(&task);
  assert_non_null(fixture->whole);
}

static void fixture_clear(struct fixture *fixture) {
  whole_free(fixture->whole);
  layout_clear(&fixture->layout);
  sections_clear(&fixture->sections);
  neap_problem_free(fixture->problem);
  instance_free(&fixture->instance);
}

static void expect(const struct fixture *fixture, const char *what, bool holds) {
  if (holds) return;
  instance_print(&fixture->instance, fixture->seed);
  fail_msg("%s", what);
}

static void expect_sound(const struct fixture *fixture) {
  neap_error error;
  neap_plan *plan;
  assert_ok(neap_plan_new(fixture->problem, fixture->layout.offsets, &plan, &error), &error);
  expect(fixture, "the layout is sound", neap_plan_verify(plan, -1, &error) == NEAP_OK);
  neap_plan_free(plan);
}

static neap_size peak_of(const struct fixture *fixture) {
  return reference_peak(&fixture->instance, fixture->layout.offsets);
}

/* One step, and what must be true of every step. */
static neap_status step(struct fixture *fixture, enum whole_search search) {
  neap_size peak = peak_of(fixture), lower = whole_lower_bound(fixture->whole);
  size_t bytes = fixture->instance.count * sizeof(neap_offset);
  neap_offset *before = test_calloc(fixture->instance.count + 1, sizeof *before);
  neap_error error;
  if (bytes > 0) memcpy(before, fixture->layout.offsets, bytes);
  neap_status status = whole_step(fixture->whole, search, fixture->layout.offsets, &error);
  if (status != NEAP_NO_PLAN) assert_ok(status, &error);
  expect_sound(fixture);
  expect(fixture, "a layout gets lower or stays as it is",
         peak_of(fixture) < peak ||
             (bytes == 0 || memcmp(before, fixture->layout.offsets, bytes) == 0));
  expect(fixture, "the lower bound does not fall", whole_lower_bound(fixture->whole) >= lower);
  expect(fixture, "no peak is below the lower bound",
         peak_of(fixture) >= whole_lower_bound(fixture->whole));
  expect(fixture, "the lower bound is at most the optimum",
         fixture->optimum < 0 || whole_lower_bound(fixture->whole) <= fixture->optimum);
  test_free(before);
  return status;
}

#define STEPS_MOST 10000

/* Steps on until nothing is left to try. */
static void finish(struct fixture *fixture, enum whole_search search) {
  for (int i = 0; whole_can_go_on(fixture->whole, search); i++) {
    assert_in_range(i, 0, STEPS_MOST);
    expect(fixture, "there is no limit", step(fixture, search) == NEAP_OK);
  }
}

static void plain_searches_end_at_the_optimum(void **state) {
  (void)state;
  size_t lowered = 0, raised = 0;
  for (uint64_t seed = 0; seed < 1500; seed++) {
    struct fixture fixture;
    fixture_init(&fixture, seed, 7, 0);
    finish(&fixture, WHOLE_PLAIN);
    expect(&fixture, "the final peak is the optimum", peak_of(&fixture) == fixture.optimum);
    lowered += fixture.optimum < fixture.layout.peak;
    raised += whole_lower_bound(fixture.whole) > reference_bound(&fixture.instance);
    fixture_clear(&fixture);
  }
  assert_true(lowered > 100 && raised > 30);
}

/* The lowest peak of the rounded problem; the original need not reach it by other means. */
static neap_size rounded_optimum(const struct fixture *fixture) {
  struct rounding rounding;
  struct instance larger = instance_copy(&fixture->instance);
  assert_int_equal(rounding_init(&rounding, fixture->problem), ROUNDING_MADE);
  for (size_t i = 0; i < larger.count; i++)
    larger.rectangles[i].size = rounding.problem.buffers[i].size;
  neap_size optimum = reference_optimum(&larger);
  rounding_clear(&rounding);
  instance_free(&larger);
  return optimum;
}

static void rounded_searches_end_where_rounding_leads(void **state) {
  (void)state;
  size_t count = 0;
  for (uint64_t seed = 0; seed < 3000; seed++) {
    struct fixture fixture;
    fixture_init(&fixture, seed, 6, 0);
    if (whole_can_go_on(fixture.whole, WHOLE_ROUNDED)) {
      count++;
      neap_size bound = whole_lower_bound(fixture.whole);
      finish(&fixture, WHOLE_ROUNDED);
      expect(&fixture, "as low as with rounded sizes",
             peak_of(&fixture) <= rounded_optimum(&fixture));
      expect(&fixture, "rounded sizes prove nothing",
             whole_lower_bound(fixture.whole) == bound);
    }
    fixture_clear(&fixture);
  }
  assert_true(count > 300);
}

/* Taking turns, and with layouts that others have lowered meanwhile. */
static void both_searches_get_along(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 1500; seed++) {
    struct fixture fixture;
    struct dice dice = {seed};
    fixture_init(&fixture, seed, 7, 0);
    for (int i = 0; whole_can_go_on(fixture.whole, WHOLE_PLAIN); i++) {
      bool rounded = whole_can_go_on(fixture.whole, WHOLE_ROUNDED) && dice_chance(&dice, 50);
      assert_in_range(i, 0, STEPS_MOST);
      expect(&fixture, "there is no limit",
             step(&fixture, rounded ? WHOLE_ROUNDED : WHOLE_PLAIN) == NEAP_OK);
      size_t *order = instance_order(&fixture.instance, &dice);
      struct layout other;
      layout_ordered(&other, fixture.problem, order, "lowest");
      if (other.peak < peak_of(&fixture))
        memcpy(fixture.layout.offsets, other.offsets, other.count * sizeof *other.offsets);
      layout_clear(&other);
      test_free(order);
    }
    expect(&fixture, "the final peak is the optimum", peak_of(&fixture) == fixture.optimum);
    fixture_clear(&fixture);
  }
}

/* However few ticks are left: the layout is sound, and the search says that they are spent. */
static void budgets_end_searches(void **state) {
  (void)state;
  size_t ended = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    struct fixture fixture;
    struct dice dice = {seed};
    fixture_init(&fixture, seed, 50, 1 + dice_roll(&dice, 400));
    neap_status status = NEAP_OK;
    for (size_t i = 0; status == NEAP_OK; i++) {
      enum whole_search search = i % 2 == 0 ? WHOLE_PLAIN : WHOLE_ROUNDED;
      if (!whole_can_go_on(fixture.whole, search)) search = WHOLE_SEARCHES - 1 - search;
      if (!whole_can_go_on(fixture.whole, search)) break;
      status = step(&fixture, search);
    }
    expect(&fixture, "it stops when the budget is spent",
           (status == NEAP_NO_PLAN) == (fixture.budget.end == BUDGET_TICKS));
    expect(&fixture, "the limit is kept", fixture.budget.ticks <= fixture.budget.max_ticks);
    ended += status == NEAP_NO_PLAN;
    fixture_clear(&fixture);
  }
  assert_true(ended > 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_searches_end_at_the_optimum),
      cmocka_unit_test(rounded_searches_end_where_rounding_leads),
      cmocka_unit_test(both_searches_get_along),
      cmocka_unit_test(budgets_end_searches),
  };
  return cmocka_run_group_tests_name("property whole", tests, NULL, NULL);
}
