/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tuner on random problems, and its searches of all buffers together. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "facts/columns.h"
#include "facts/rounding.h"
#include "neap/planner.h"
#include "tests/support/layout.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"
#include "tests/support/trial.h"
#include "tune/repacker.h"
#include "tune/shuffler.h"

/* ---------------------------------------------------------------- whole runs */

/*
 * Whole runs on random problems: sound with every combination of options, never worse than the
 * sorted layout, and repeatable.
 */

/* ---------------------------------------------------------------- combinations of options */

static neap_option_info option_named(const char *name) {
  neap_option_info info = NEAP_INIT(neap_option_info);
  for (size_t i = 0; neap_option_at(i, &info); i++)
    if (strcmp(info.name, name) == 0) return info;
  fail_msg("there is no option \"%s\"", name);
  return info;
}

/* The rounds of a tuner's plan, and what the report says of them, must fit together. */
static void check_rounds(const struct instance *instance, uint64_t seed, const neap_plan *plan,
                         neap_size sorted_peak, uint64_t max_rounds) {
  neap_report report = sample_report(plan);
  neap_size best = NEAP_MAX;
  uint64_t count = 0;
  neap_round round = NEAP_INIT(neap_round);
  for (; neap_plan_round_at(plan, count, &round); count++) {
    size_t buffers = 0;
    for (int risk = 0; risk < NEAP_RISK_COUNT; risk++)
      buffers += round.risk[risk];
    instance_expect(instance, seed, "rounds count from 1", round.round == count + 1);
    instance_expect(instance, seed, "every buffer has a class", buffers == instance->count);
    instance_expect(instance, seed, "a round improves if it is lower",
                    round.improved == (round.peak < best));
    if (count == 0) {
      instance_expect(instance, seed, "round 1 is the sorted layout",
                      round.peak == sorted_peak);
      instance_expect(instance, seed, "round 1 tunes no groups",
                      round.high_groups + round.medium_groups + round.group_rounds == 0);
    }
    if (round.peak < best) best = round.peak;
  }
  instance_expect(instance, seed, "there is a round", count > 0);
  instance_expect(instance, seed, "the report counts the rounds", report.run.rounds == count);
  instance_expect(instance, seed, "the cap is kept", count <= max_rounds);
  instance_expect(instance, seed, "the best round is the plan", report.peak == best);
  if (report.run.stop_reason == NEAP_STOP_ITERATION_CAP)
    instance_expect(instance, seed, "the cap is met", count == max_rounds);
}

static void check_report(const struct instance *instance, uint64_t seed, const neap_plan *plan,
                         neap_size sorted_peak) {
  neap_offset *offsets = test_calloc(instance->count + 1, sizeof *offsets);
  neap_report report = sample_report(plan);
  for (size_t i = 0; i < instance->count; i++)
    offsets[i] = neap_plan_offset(plan, i);
  instance_expect(instance, seed, "the peak is the highest end",
                  report.peak == reference_peak(instance, offsets));
  test_free(offsets);
  instance_expect(instance, seed, "buffers", report.buffers == instance->count);
  instance_expect(instance, seed, "the bound", report.bound == reference_bound(instance));
  instance_expect(instance, seed, "bound <= lower bound", report.bound <= report.lower_bound);
  instance_expect(instance, seed, "lower bound <= peak", report.lower_bound <= report.peak);
  instance_expect(instance, seed, "peak <= sorted layout", report.peak <= sorted_peak);
  instance_expect(instance, seed, "optimal is at the lower bound",
                  (report.outcome == NEAP_OPTIMAL) == (report.peak == report.lower_bound));
  instance_expect(instance, seed, "at the bound it says so",
                  (report.run.stop_reason == NEAP_STOP_BOUND) == (report.peak == report.bound));
}

struct choice {
  const char *rule, *rearranger, *order;
};

static void tune(const struct instance *instance, const neap_problem *problem, uint64_t seed,
                 const struct choice *choice, struct dice *dice) {
  static const char *const rounds[] = {"1", "2", "5", "12"}, *const sizes[] = {"1", "3", "12"};
  static const char *const overlaps[] = {"0", "0.25", "0.5", "1"};
  const char *max_rounds = rounds[dice_roll(dice, SAMPLE_COUNT(rounds))];
  const char *const pairs[] = {"engine",
                               "tune",
                               "place",
                               choice->rule,
                               "rearrange",
                               choice->rearranger,
                               "order",
                               choice->order,
                               "max-rounds",
                               max_rounds,
                               "max-group-rounds",
                               rounds[dice_roll(dice, SAMPLE_COUNT(rounds))],
                               "group-size",
                               sizes[dice_roll(dice, SAMPLE_COUNT(sizes))],
                               "group-overlap",
                               overlaps[dice_roll(dice, SAMPLE_COUNT(overlaps))],
                               NULL};
  struct layout sorted;
  layout_sorted(&sorted, problem, choice->order, choice->rule);
  neap_plan *plan = run_plan(problem, pairs), *again = run_plan(problem, pairs);
  check_report(instance, seed, plan, sorted.peak);
  check_rounds(instance, seed, plan, sorted.peak, strtoull(max_rounds, NULL, 10));
  instance_expect(instance, seed, "the same again", run_same(plan, again));
  neap_plan_free(plan);
  neap_plan_free(again);
  layout_clear(&sorted);
}

TEST(every_way_of_tuning_is_sound) {
  static const char *const orders[] = {"size",          "duration",      "overlap",
                                       "-size",         "size*duration", "size/duration",
                                       "overlap,-size", "size+overlap"};
  neap_option_info rules = option_named("place"), ways = option_named("rearrange");
  assert_in_range(rules.choice_count, 4, NEAP_CHOICES_MAX);
  assert_in_range(ways.choice_count, 5, NEAP_CHOICES_MAX);
  for (uint64_t seed = 0; seed < 60; seed++) {
    struct dice dice = {seed};
    struct instance instance = instance_random(seed, 18, WITH_ALL);
    neap_problem *problem = instance_problem(&instance);
    for (size_t rule = 0; rule < rules.choice_count; rule++)
      for (size_t way = 0; way < ways.choice_count; way++)
        for (size_t order = 0; order < SAMPLE_COUNT(orders); order++) {
          const struct choice choice = {rules.choices[rule], ways.choices[way], orders[order]};
          tune(&instance, problem, seed, &choice, &dice);
        }
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

/* ---------------------------------------------------------------- bound and optimum */

static void expect_between(const struct instance *instance, uint64_t seed,
                           const char *const *pairs) {
  neap_problem *problem = instance_problem(instance);
  neap_plan *plan = run_plan(problem, pairs);
  neap_report report = sample_report(plan);
  neap_size optimum = reference_optimum(instance);
  instance_expect(instance, seed, "bound <= lower bound", report.bound <= report.lower_bound);
  instance_expect(instance, seed, "lower bound <= optimum", report.lower_bound <= optimum);
  instance_expect(instance, seed, "optimum <= peak", optimum <= report.peak);
  if (report.outcome == NEAP_OPTIMAL)
    instance_expect(instance, seed, "optimal is the optimum", report.peak == optimum);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

TEST(the_optimum_lies_between) {
  neap_engine_info engine = NEAP_INIT(neap_engine_info);
  for (size_t e = 0; neap_engine_at(e, &engine); e++) {
    if (engine.is_runtime) continue; /* tests/property/test_runtimes */
    const char *const pairs[] = {"engine", engine.name, NULL};
    for (uint64_t seed = 0, tries = sample_tries(1000); seed < tries; seed++) {
      struct instance instance = instance_random(seed, seed % 10 == 0 ? 7 : 6, WITH_ALL);
      expect_between(&instance, seed, pairs);
      instance_free(&instance);
    }
  }
}

/* The tuner should find nearly all optima of small problems. */
TEST(most_small_problems_are_solved) {
  const char *const pairs[] = {"engine", "tune", NULL};
  unsigned solved = 0, count = 1000;
  for (uint64_t seed = 0; seed < count; seed++) {
    struct instance instance = instance_random(seed, 6, 0);
    solved += run_peak(&instance, pairs) == reference_optimum(&instance);
    instance_free(&instance);
  }
  assert_in_range(solved, count * 98 / 100, count);
}

/* ---------------------------------------------------------------- repeating */

TEST(the_same_input_gives_the_same_plan) {
  neap_engine_info engine = NEAP_INIT(neap_engine_info);
  for (size_t e = 0; neap_engine_at(e, &engine); e++) {
    if (engine.is_runtime) continue; /* tests/property/test_runtimes */
    /* Searches may go on for ever: ticks end them, at the same place each time. */
    const char *const pairs[] = {"engine",    engine.name, "seed", "77",
                                 "max-ticks", "20000",     NULL};
    for (uint64_t seed = 0; seed < 40; seed++) {
      struct instance instance = instance_random(seed, 60, WITH_ALL);
      neap_problem *problem = instance_problem(&instance), *copy = instance_problem(&instance);
      neap_plan *plan = run_plan(problem, pairs), *again = run_plan(copy, pairs);
      instance_expect(&instance, seed, "the same plan", run_same(plan, again));
      neap_plan_free(plan);
      neap_plan_free(again);
      neap_problem_free(problem);
      neap_problem_free(copy);
      instance_free(&instance);
    }
  }
}

/* ---------------------------------------------------------------- searches of everything */

/* Searches of everything: layouts only get lower, and what is proven is true. */

/* A random problem with a layout, to be lowered within a budget. */
struct fixture {
  uint64_t seed;
  struct instance instance;
  neap_problem *problem;
  struct sections sections;
  struct layout layout;
  struct budget budget;
  struct global_search *global;
  neap_size optimum; /* -1: unknown */
};

static void fixture_init(struct fixture *fixture, uint64_t seed, size_t most,
                         uint64_t max_ticks) {
  struct dice dice = {seed};
  neap_error error;
  fixture->seed = seed;
  fixture->instance = instance_random(seed, most, WITH_ALL);
  fixture->problem = instance_problem(&fixture->instance);
  assert_ok(columns_init(&fixture->sections, fixture->problem, SECTIONS_ALL, &error), &error);
  size_t *order = instance_order(&fixture->instance, &dice);
  layout_ordered(&fixture->layout, fixture->problem, order, "lowest");
  test_free(order);
  budget_init(&fixture->budget, max_ticks, 0);
  fixture->optimum = fixture->instance.count < 8 ? reference_optimum(&fixture->instance) : -1;
  const struct global_task task = {.problem = fixture->problem,
                                   .sections = &fixture->sections,
                                   .budget = &fixture->budget,
                                   .bound = reference_bound(&fixture->instance),
                                   .seed = seed};
  fixture->global = global_search_new(&task);
  assert_non_null(fixture->global);
}

static void fixture_clear(struct fixture *fixture) {
  global_search_free(fixture->global);
  layout_clear(&fixture->layout);
  sections_clear(&fixture->sections);
  neap_problem_free(fixture->problem);
  instance_free(&fixture->instance);
}

static void expect_sound(const struct fixture *fixture) {
  neap_error error;
  neap_plan *plan = sample_plan(fixture->problem, fixture->layout.offsets);
  instance_expect(&fixture->instance, fixture->seed, "the layout is sound",
                  neap_plan_verify(plan, -1, &error) == NEAP_OK);
  neap_plan_free(plan);
}

static neap_size peak_of(const struct fixture *fixture) {
  return reference_peak(&fixture->instance, fixture->layout.offsets);
}

/* One step, and what must be true of every step. */
static neap_status step(struct fixture *fixture, enum global_kind search) {
  neap_size peak = peak_of(fixture), lower = global_search_lower_bound(fixture->global);
  size_t bytes = fixture->instance.count * sizeof(neap_offset);
  neap_offset *before = test_calloc(fixture->instance.count + 1, sizeof *before);
  neap_error error;
  if (bytes > 0) memcpy(before, fixture->layout.offsets, bytes);
  neap_status status =
      global_search_step(fixture->global, search, fixture->layout.offsets, &error);
  if (status != NEAP_NO_PLAN) assert_ok(status, &error);
  expect_sound(fixture);
  instance_expect(&fixture->instance, fixture->seed, "a layout gets lower or stays as it is",
                  peak_of(fixture) < peak ||
                      (bytes == 0 || memcmp(before, fixture->layout.offsets, bytes) == 0));
  instance_expect(&fixture->instance, fixture->seed, "the lower bound does not fall",
                  global_search_lower_bound(fixture->global) >= lower);
  instance_expect(&fixture->instance, fixture->seed, "no peak is below the lower bound",
                  peak_of(fixture) >= global_search_lower_bound(fixture->global));
  instance_expect(&fixture->instance, fixture->seed, "the lower bound is at most the optimum",
                  fixture->optimum < 0 ||
                      global_search_lower_bound(fixture->global) <= fixture->optimum);
  test_free(before);
  return status;
}

#define STEPS_MOST 10000

/* Steps on until nothing is left to try. */
static void finish(struct fixture *fixture, enum global_kind search) {
  for (int i = 0; global_search_can_go_on(fixture->global, search); i++) {
    assert_in_range(i, 0, STEPS_MOST);
    instance_expect(&fixture->instance, fixture->seed, "there is no limit",
                    step(fixture, search) == NEAP_OK);
  }
}

TEST(plain_searches_end_at_the_optimum) {
  size_t lowered = 0, raised = 0;
  for (uint64_t seed = 0, tries = sample_tries(1500); seed < tries; seed++) {
    struct fixture fixture;
    fixture_init(&fixture, seed, 7, 0);
    finish(&fixture, GLOBAL_PLAIN);
    instance_expect(&fixture.instance, fixture.seed, "the final peak is the optimum",
                    peak_of(&fixture) == fixture.optimum);
    lowered += fixture.optimum < fixture.layout.peak;
    raised += global_search_lower_bound(fixture.global) > reference_bound(&fixture.instance);
    fixture_clear(&fixture);
  }
  assert_true(lowered > sample_tries(100) && raised > sample_tries(30));
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

TEST(rounded_searches_end_where_rounding_leads) {
  size_t count = 0;
  for (uint64_t seed = 0, tries = sample_tries(3000); seed < tries; seed++) {
    struct fixture fixture;
    fixture_init(&fixture, seed, 6, 0);
    if (global_search_can_go_on(fixture.global, GLOBAL_ROUNDED)) {
      count++;
      neap_size bound = global_search_lower_bound(fixture.global);
      finish(&fixture, GLOBAL_ROUNDED);
      instance_expect(&fixture.instance, fixture.seed, "as low as with rounded sizes",
                      peak_of(&fixture) <= rounded_optimum(&fixture));
      instance_expect(&fixture.instance, fixture.seed, "rounded sizes prove nothing",
                      global_search_lower_bound(fixture.global) == bound);
    }
    fixture_clear(&fixture);
  }
  assert_true(count > sample_tries(300));
}

/* The searches take turns, also with layouts that others have lowered meanwhile. */
TEST(both_searches_get_along) {
  for (uint64_t seed = 0, tries = sample_tries(1500); seed < tries; seed++) {
    struct fixture fixture;
    struct dice dice = {seed};
    fixture_init(&fixture, seed, 7, 0);
    for (int i = 0; global_search_can_go_on(fixture.global, GLOBAL_PLAIN); i++) {
      bool rounded =
          global_search_can_go_on(fixture.global, GLOBAL_ROUNDED) && dice_chance(&dice, 50);
      assert_in_range(i, 0, STEPS_MOST);
      instance_expect(&fixture.instance, fixture.seed, "there is no limit",
                      step(&fixture, rounded ? GLOBAL_ROUNDED : GLOBAL_PLAIN) == NEAP_OK);
      size_t *order = instance_order(&fixture.instance, &dice);
      struct layout other;
      layout_ordered(&other, fixture.problem, order, "lowest");
      if (other.peak < peak_of(&fixture))
        memcpy(fixture.layout.offsets, other.offsets, other.count * sizeof *other.offsets);
      layout_clear(&other);
      test_free(order);
    }
    instance_expect(&fixture.instance, fixture.seed, "the final peak is the optimum",
                    peak_of(&fixture) == fixture.optimum);
    fixture_clear(&fixture);
  }
}

/* However few ticks are left: the layout is sound, and the search says that they are spent. */
TEST(budgets_end_searches) {
  size_t ended = 0;
  for (uint64_t seed = 0, tries = sample_tries(600); seed < tries; seed++) {
    struct fixture fixture;
    struct dice dice = {seed};
    fixture_init(&fixture, seed, 50, 1 + dice_roll(&dice, 400));
    neap_status status = NEAP_OK;
    for (size_t i = 0; status == NEAP_OK; i++) {
      enum global_kind search = i % 2 == 0 ? GLOBAL_PLAIN : GLOBAL_ROUNDED;
      if (!global_search_can_go_on(fixture.global, search))
        search = GLOBAL_SEARCHES - 1 - search;
      if (!global_search_can_go_on(fixture.global, search)) break;
      status = step(&fixture, search);
    }
    instance_expect(&fixture.instance, fixture.seed, "it stops when the budget is spent",
                    (status == NEAP_NO_PLAN) == (fixture.budget.end == BUDGET_TICKS));
    instance_expect(&fixture.instance, fixture.seed, "the limit is kept",
                    fixture.budget.ticks <= fixture.budget.max_ticks);
    ended += status == NEAP_NO_PLAN;
    fixture_clear(&fixture);
  }
  assert_true(ended > sample_tries(100));
}

/* ---------------------------------------------------------------- shuffled layouts */

/*
 * Shuffled layouts of tiny random problems are sound and never lower than the optimum; most
 * problems get there.  A problem that suits no other search ends by its limit, or with a proof.
 */

#define PROBLEMS 400
#define STEPS 60

static neap_size shuffler_peak_of(const struct trial *trial) {
  neap_size peak = 0;
  for (size_t i = 0; i < trial->instance.count; i++) {
    neap_offset end = trial->offsets[i] + trial->problem->buffers[i].size;
    if (end > peak) peak = end;
  }
  return peak;
}

/* The lowest of some layouts, each near the last one; NEAP_MAX if none was made. */
static neap_size shuffle(struct trial *trial) {
  struct shuffler *shuffler;
  struct budget budget;
  neap_error error;
  neap_size lowest = NEAP_MAX;
  budget_init(&budget, 0, 0);
  assert_ok(shuffler_new(&shuffler, trial->problem, trial->seed, &budget, &error), &error);
  for (int step = 0; step < STEPS; step++) {
    const neap_offset *near = lowest == NEAP_MAX ? NULL : trial->offsets;
    neap_status status = shuffler_step(shuffler, near, &error);
    if (status == NEAP_INFEASIBLE) continue;
    assert_ok(status, &error);
    memcpy(trial->offsets, shuffler_offsets(shuffler),
           trial->instance.count * sizeof *trial->offsets);
    trial_expect_sound(trial, -1);
    neap_size peak = shuffler_peak_of(trial);
    if (peak < lowest) lowest = peak;
  }
  shuffler_free(shuffler);
  return lowest;
}

TEST(shuffled_layouts_are_sound) {
  size_t optimal = 0;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    neap_size optimum = reference_optimum(&trial.instance), lowest = shuffle(&trial);
    trial_expect(&trial, lowest >= optimum, "none is lower than the optimum");
    optimal += lowest == optimum;
    trial_clear(&trial);
  }
  assert_in_range(optimal, PROBLEMS * 3 / 4, PROBLEMS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_way_of_tuning_is_sound),
      cmocka_unit_test(the_optimum_lies_between),
      cmocka_unit_test(most_small_problems_are_solved),
      cmocka_unit_test(the_same_input_gives_the_same_plan),
      cmocka_unit_test(plain_searches_end_at_the_optimum),
      cmocka_unit_test(rounded_searches_end_where_rounding_leads),
      cmocka_unit_test(both_searches_get_along),
      cmocka_unit_test(budgets_end_searches),
      cmocka_unit_test(shuffled_layouts_are_sound),
  };
  return cmocka_run_group_tests_name("property tuner", tests, NULL, NULL);
}
