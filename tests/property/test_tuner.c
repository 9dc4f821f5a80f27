/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs on random problems: sound with every combination of options, never worse than the
 * sorted layout, and repeatable.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "neap/planner.h"
#include "tests/property/random_problem.h"
#include "tests/property/reference.h"
#include "tests/property/run.h"
#include "tests/unit/layout.h"
#include "tests/unit/sample.h"

static void expect(const struct instance *instance, uint64_t seed, const char *what,
                   bool holds) {
  if (holds) return;
  instance_print(instance, seed);
  fail_msg("%s", what);
}

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
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  neap_size best = NEAP_MAX;
  uint64_t count = 0;
  neap_round round = NEAP_INIT(neap_round);
  for (; neap_plan_round_at(plan, count, &round); count++) {
    size_t buffers = 0;
    for (int risk = 0; risk < NEAP_RISK_COUNT; risk++)
      buffers += round.risk[risk];
    expect(instance, seed, "rounds count from 1", round.round == count + 1);
    expect(instance, seed, "every buffer has a class", buffers == instance->count);
    expect(instance, seed, "a round improves if it is lower",
           round.improved == (round.peak < best));
    if (count == 0) {
      expect(instance, seed, "round 1 is the sorted layout", round.peak == sorted_peak);
      expect(instance, seed, "round 1 tunes no groups",
             round.high_groups + round.medium_groups + round.group_rounds == 0);
    }
    if (round.peak < best) best = round.peak;
  }
  expect(instance, seed, "there is a round", count > 0);
  expect(instance, seed, "the report counts the rounds", report.rounds == count);
  expect(instance, seed, "the cap is kept", count <= max_rounds);
  expect(instance, seed, "the best round is the plan", report.peak == best);
  if (report.stop_reason == NEAP_STOP_ITERATION_CAP)
    expect(instance, seed, "the cap is met", count == max_rounds);
}

static void check_report(const struct instance *instance, uint64_t seed, const neap_plan *plan,
                         neap_size sorted_peak) {
  neap_report report = NEAP_INIT(neap_report);
  neap_offset *offsets = test_calloc(instance->count + 1, sizeof *offsets);
  neap_plan_report(plan, &report);
  for (size_t i = 0; i < instance->count; i++)
    offsets[i] = neap_plan_offset(plan, i);
  expect(instance, seed, "the peak is the highest end",
         report.peak == reference_peak(instance, offsets));
  test_free(offsets);
  expect(instance, seed, "buffers", report.buffers == instance->count);
  expect(instance, seed, "the bound", report.bound == reference_bound(instance));
  expect(instance, seed, "bound <= lower bound", report.bound <= report.lower_bound);
  expect(instance, seed, "lower bound <= peak", report.lower_bound <= report.peak);
  expect(instance, seed, "peak <= sorted layout", report.peak <= sorted_peak);
  expect(instance, seed, "optimal is at the lower bound",
         (report.outcome == NEAP_OPTIMAL) == (report.peak == report.lower_bound));
  expect(instance, seed, "at the bound it says so",
         (report.stop_reason == NEAP_STOP_BOUND) == (report.peak == report.bound));
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
  expect(instance, seed, "the same again", run_same(plan, again));
  neap_plan_free(plan);
  neap_plan_free(again);
  layout_clear(&sorted);
}

static void every_way_of_tuning_is_sound(void **state) {
  (void)state;
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
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  neap_size optimum = reference_optimum(instance);
  expect(instance, seed, "bound <= lower bound", report.bound <= report.lower_bound);
  expect(instance, seed, "lower bound <= optimum", report.lower_bound <= optimum);
  expect(instance, seed, "optimum <= peak", optimum <= report.peak);
  if (report.outcome == NEAP_OPTIMAL)
    expect(instance, seed, "optimal is the optimum", report.peak == optimum);
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void the_optimum_lies_between(void **state) {
  (void)state;
  neap_engine_info engine = NEAP_INIT(neap_engine_info);
  for (size_t e = 0; neap_engine_at(e, &engine); e++) {
    if (engine.is_runtime) continue; /* tests/property/test_runtimes */
    const char *const pairs[] = {"engine", engine.name, NULL};
    for (uint64_t seed = 0; seed < 1000; seed++) {
      struct instance instance = instance_random(seed, seed % 10 == 0 ? 7 : 6, WITH_ALL);
      expect_between(&instance, seed, pairs);
      instance_free(&instance);
    }
  }
}

/* Small problems are what the tuner is for at the least: it should find nearly all optima. */
static void most_small_problems_are_solved(void **state) {
  (void)state;
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

static void the_same_input_gives_the_same_plan(void **state) {
  (void)state;
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
      expect(&instance, seed, "the same plan", run_same(plan, again));
      neap_plan_free(plan);
      neap_plan_free(again);
      neap_problem_free(problem);
      neap_problem_free(copy);
      instance_free(&instance);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_way_of_tuning_is_sound),
      cmocka_unit_test(the_optimum_lies_between),
      cmocka_unit_test(most_small_problems_are_solved),
      cmocka_unit_test(the_same_input_gives_the_same_plan),
  };
  return cmocka_run_group_tests_name("property tuner", tests, NULL, NULL);
}
