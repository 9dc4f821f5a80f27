/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The exact search against brute force on tiny random problems with every constraint: within the
 * optimum a layout is found, one unit below it there is a refutation, whichever rule is off.
 * NEAP_LONG in the environment takes twenty times as many problems.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap/planner.h"
#include "search/boards/board_global.h"
#include "search/boards/board_local.h"
#include "search/boards/driver.h"
#include "search/boards/ranking.h"
#include "search/parts.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

#define MOST 6

static unsigned features_of(uint64_t seed) {
  if (seed % 4 == 3) return MOSTLY_FIXED | (seed % 8 == 3 ? 0 : (unsigned)(seed / 8 % 4));
  return seed % 3 == 0 ? WITH_ALL : seed % 3 == 1 ? 0 : (unsigned)(seed % 16);
}

/* In every fifth problem, all buffers have the same alignment, or multiples of one. */
static struct instance draw_instance(uint64_t seed) {
  static const neap_size alignments[] = {2, 3, 4, 8};
  bool is_alike = seed % 5 == 2;
  unsigned features = features_of(seed);
  if (is_alike) features &= WITH_GAPS | WITH_ZEROS;
  struct instance instance = instance_random(seed, MOST, features);
  neap_size alignment = alignments[seed / 5 % SAMPLE_COUNT(alignments)];
  for (size_t i = 0; i < instance.count && is_alike; i++)
    instance.rectangles[i].alignment = alignment << (seed % 2 == 0 ? 0 : (seed / 10 + i) % 3);
  return instance;
}

/* ---------------------------------------------------------------- deciding one part */

/* One search of a part, over the global board or the local one. */
struct search {
  const struct part *part;
  struct driver *driver;
  struct random *random;
  uint32_t rank[MOST + 1];
  bool retreats;
};

static void draw_rank(struct search *search) {
  double merits[MOST + 1];
  uint32_t order[MOST + 1];
  const struct ranking *ranking = ranking_at(random_below(search->random, 4));
  ranking_fill(ranking, search->part, 0.3, search->random, merits, order, search->rank);
}

static enum verdict restart(struct search *search, neap_size capacity, uint64_t failures) {
  struct budget budget;
  budget_init(&budget, 0, 0);
  draw_rank(search);
  driver_start(search->driver, capacity, search->rank);
  enum verdict verdict = driver_run(search->driver, failures, &budget);
  for (int i = 0; i < 3 && search->retreats && verdict == VERDICT_OPEN; i++) {
    size_t depth = driver_depth(search->driver);
    driver_retreat(search->driver, 1 + random_below(search->random, (uint32_t)depth));
    draw_rank(search);
    driver_rerank(search->driver, search->rank);
    verdict = driver_run(search->driver, failures, &budget);
  }
  return verdict;
}

/* Restarts, at first with very few failures allowed, until there is a verdict. */
static enum verdict decide(struct search *search, neap_size capacity) {
  for (uint64_t failures = 3;; failures *= 2) {
    enum verdict verdict = restart(search, capacity, failures);
    if (verdict != VERDICT_OPEN) return verdict;
  }
}

static void take_offsets(const struct search *search, neap_offset *offsets) {
  const struct part *part = search->part;
  const neap_offset *found = driver_offsets(search->driver);
  for (size_t i = 0; i < part->count; i++)
    offsets[part->buffer[i]] = found[i] * part->unit;
}

/* ---------------------------------------------------------------- deciding a problem */

/* What one problem's parts came to at the optimum and below it. */
struct outcome {
  bool all_found, any_refuted_below;
};

static struct search search_new(const struct part *part, const struct rules *rules,
                                struct random *random) {
  struct rules all = RULES_ALL;
  all.checks = true;
  struct board *board = rules ? board_global_new(part, *rules) : board_local_new(part);
  struct search search = {.part = part,
                          .driver = driver_new(board, rules ? *rules : all),
                          .random = random,
                          .retreats = !rules};
  assert_non_null(search.driver);
  return search;
}

/* Without rules it is the local search, which takes simple parts only. */
static struct outcome decide_parts(const struct parts *parts, const struct rules *rules,
                                   neap_size optimum, struct random *random,
                                   neap_offset *offsets) {
  struct outcome outcome = {true, false};
  for (size_t p = 0; p < parts->count; p++) {
    const struct part *part = &parts->items[p];
    struct search search = search_new(part, rules, random);
    if (decide(&search, optimum / part_step(part)) == VERDICT_FOUND)
      take_offsets(&search, offsets);
    else outcome.all_found = false;
    if (optimum > 0 && decide(&search, (optimum - 1) / part_step(part)) == VERDICT_REFUTED)
      outcome.any_refuted_below = true;
    driver_free(search.driver);
  }
  return outcome;
}

static bool all_simple(const struct parts *parts) {
  for (size_t p = 0; p < parts->count; p++)
    if (!parts->items[p].is_simple) return false;
  return true;
}

/* Buffers without a byte are in no part; one that is fixed may be all that is at the peak. */
static bool place_empty_ones(const struct instance *instance, neap_offset *offsets) {
  bool any_fixed = false;
  for (size_t i = 0; i < instance->count; i++) {
    const struct rectangle *rectangle = &instance->rectangles[i];
    if (rectangle->size > 0) continue;
    any_fixed = any_fixed || rectangle->fixed != NEAP_UNPLACED;
    offsets[i] = rectangle->fixed == NEAP_UNPLACED ? 0 : rectangle->fixed;
  }
  return any_fixed;
}

static void check_problem(uint64_t seed, struct instance instance, const struct rules *rules,
                          struct random *random) {
  neap_problem *problem = instance_problem(&instance);
  struct parts parts;
  neap_error error;
  assert_ok(parts_init(&parts, problem, &error), &error);
  neap_offset offsets[MOST + 1] = {0};
  if (rules || all_simple(&parts)) {
    neap_size optimum = reference_optimum(&instance);
    struct outcome outcome = decide_parts(&parts, rules, optimum, random, offsets);
    bool empty_fixed = place_empty_ones(&instance, offsets);
    instance_expect(&instance, seed, "a layout within the optimum", outcome.all_found);
    neap_plan *plan = sample_plan(problem, offsets);
    instance_expect(&instance, seed, "the layout is sound",
                    neap_plan_verify(plan, optimum, &error) == NEAP_OK);
    neap_plan_free(plan);
    instance_expect(&instance, seed, "nothing below the optimum",
                    optimum == 0 || empty_fixed || outcome.any_refuted_below);
  }
  parts_clear(&parts);
  neap_problem_free(problem);
  instance_free(&instance);
}

static void check_problems(const struct rules *rules) {
  struct random random;
  assert_true(random_init(&random, 7));
  for (uint64_t seed = 0; seed < sample_tries(400); seed++)
    check_problem(seed, draw_instance(seed), rules, &random);
  random_clear(&random);
}

TEST(the_global_search_is_exact) {
  struct rules all = RULES_ALL;
  all.checks = true;
  check_problems(&all);
}

TEST(the_search_is_exact_with_any_rule_off) {
  struct rules some[5] = {[0] = {false}};
  for (size_t i = 1; i < SAMPLE_COUNT(some); i++)
    some[i] = RULES_ALL;
  some[1].components = false;
  some[2].refuted = false;
  some[3].twins = false;
  some[4].weights = false;
  for (size_t i = 0; i < SAMPLE_COUNT(some); i++)
    check_problems(&some[i]);
}

TEST(the_local_search_is_exact) {
  check_problems(NULL);
}

TEST(searches_are_exact_around_obstacles) {
  struct rules all = RULES_ALL;
  struct random random;
  all.checks = true;
  assert_true(random_init(&random, 11));
  for (uint64_t seed = 0; seed < sample_tries(2000); seed++) {
    unsigned features = MOSTLY_FIXED | (seed % 8 < 4 ? 0 : WITH_ALIGNMENTS);
    check_problem(seed, instance_random(seed, MOST, features), seed % 4 == 0 ? &all : NULL,
                  &random);
  }
  random_clear(&random);
}

/* ---------------------------------------------------------------- the engines */

static void check_engine(const char *engine, uint64_t seed) {
  const char *const pairs[] = {"engine", engine, NULL};
  struct instance instance = draw_instance(seed);
  neap_problem *problem = instance_problem(&instance);
  neap_plan *plan = run_plan(problem, pairs), *again = run_plan(problem, pairs);
  neap_report report = sample_report(plan);
  neap_size optimum = reference_optimum(&instance);
  instance_expect(&instance, seed, "the peak is the optimum", report.peak == optimum);
  instance_expect(&instance, seed, "and proven", report.lower_bound == optimum);
  instance_expect(&instance, seed, "and is reported as optimal",
                  report.outcome == NEAP_OPTIMAL);
  instance_expect(&instance, seed, "the same again", run_same(plan, again));
  neap_plan_free(plan);
  neap_plan_free(again);
  neap_problem_free(problem);
  instance_free(&instance);
}

TEST(engines_prove_the_optimum) {
  for (uint64_t seed = 0; seed < sample_tries(200); seed++) {
    check_engine("exact", seed);
    check_engine("auto", seed);
  }
}

static neap_status solve_within(const neap_problem *problem, neap_size capacity,
                                neap_size *peak) {
  char text[24];
  snprintf(text, sizeof text, "%lld", (long long)capacity);
  const char *const pairs[] = {"engine", "exact", "capacity", text, NULL};
  neap_options *options = run_options(pairs);
  neap_plan *plan = NULL;
  neap_report report = NEAP_INIT(neap_report);
  neap_status status = neap_solve(problem, options, &plan, NULL);
  if (status == NEAP_OK) neap_plan_report(plan, &report);
  *peak = report.peak;
  neap_plan_free(plan);
  neap_options_free(options);
  return status;
}

TEST(a_capacity_is_met_or_refuted) {
  for (uint64_t seed = 0; seed < sample_tries(200); seed++) {
    struct instance instance = draw_instance(seed);
    neap_problem *problem = instance_problem(&instance);
    neap_size optimum = reference_optimum(&instance), peak;
    instance_expect(&instance, seed, "a plan within the optimum",
                    solve_within(problem, optimum, &peak) == NEAP_OK && peak == optimum);
    if (optimum > 0)
      instance_expect(&instance, seed, "none below it",
                      solve_within(problem, optimum - 1, &peak) == NEAP_INFEASIBLE);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_global_search_is_exact),
      cmocka_unit_test(the_search_is_exact_with_any_rule_off),
      cmocka_unit_test(the_local_search_is_exact),
      cmocka_unit_test(searches_are_exact_around_obstacles),
      cmocka_unit_test(engines_prove_the_optimum),
      cmocka_unit_test(a_capacity_is_met_or_refuted),
  };
  return cmocka_run_group_tests_name("property search", tests, NULL, NULL);
}
