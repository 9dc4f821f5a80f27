/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Coarser parts of tiny random problems, against brute force: what they prove is never above the optimum,
 * whatever the sizes, alignments and fixed offsets, and it is the optimum where that is above the bound.
 */
#include "core/random.h"
#include "tests/property/method.h"
#include "tests/property/reference.h"
#include "tests/property/trial.h"
#include "tests/unit/sample.h"

#define PROBLEMS 6000
#define MOST 7
#define TURNS 60

/* Most sizes become multiples of 4, which leaves a few that are not. */
static void make_even(struct instance *instance, uint64_t seed) {
  struct dice dice = {seed};
  for (size_t i = 0; i < instance->count; i++)
    if (dice_chance(&dice, 75)) instance->rectangles[i].size *= 4;
}

/* What is proven for a part, in bytes. */
static neap_size prove(const struct part *part, uint64_t seed, neap_size optimum) {
  struct budget budget;
  enum verdict verdict = VERDICT_OPEN;
  void *coarsener = method_made(&method_coarsening, part, seed);
  budget_init(&budget, 0, 0);
  if (!coarsener) return 0;
  for (int turn = 0; turn < TURNS && !method_coarsening.is_done(coarsener); turn++) {
    neap_size capacity = (optimum - 1) / part_step(part);
    verdict = method_turn(&method_coarsening, coarsener, capacity, capacity, &budget);
    assert_true(verdict == VERDICT_OPEN || verdict == VERDICT_REFUTED);
    assert_int_equal(verdict == VERDICT_REFUTED,
                     capacity < method_coarsening.proven(coarsener));
  }
  neap_size proven = method_coarsening.proven(coarsener) * part_step(part);
  method_coarsening.free(coarsener);
  return proven;
}

static neap_size highest_bound(const struct parts *parts) {
  neap_size highest = 0;
  for (size_t p = 0; p < parts->count; p++) {
    neap_size bound = parts->items[p].lower_bound * part_step(&parts->items[p]);
    if (bound > highest) highest = bound;
  }
  return highest;
}

static neap_size prove_highest(const struct parts *parts, uint64_t seed, neap_size optimum) {
  neap_size highest = 0;
  for (size_t p = 0; p < parts->count; p++) {
    neap_size proven = prove(&parts->items[p], seed, optimum);
    if (proven > highest) highest = proven;
  }
  return highest;
}

static void nothing_above_the_optimum_is_proven(void **state) {
  (void)state;
  size_t raised = 0;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    unsigned with = seed % 2 == 0 ? 0 : WITH_ALIGNMENTS | (seed % 4 == 1 ? WITH_FIXED : 0);
    struct trial trial = {.seed = seed, .instance = instance_random(seed, MOST, with)};
    neap_error error;
    if (with == 0) make_even(&trial.instance, seed);
    trial.problem = instance_problem(&trial.instance);
    assert_ok(parts_init(&trial.parts, trial.problem, &error), &error);
    neap_size optimum = reference_optimum(&trial.instance);
    neap_size proven = prove_highest(&trial.parts, seed, optimum);
    trial_expect(&trial, proven <= optimum, "no layout is as low as is proven");
    raised += proven > highest_bound(&trial.parts);
    trial_clear(&trial);
  }
  assert_true(raised > 10);
}

/* Problems whose lowest peak is above the bound, and what it is. */
static void gaps_are_proven(void **state) {
  (void)state;
  static const struct {
    const char *kind;
    uint64_t seed;
    neap_size optimum;
  } cases[] = {{"chain", 2970, 11010048}, {"chain", 8937, 10354688}, {"branch", 1509, 3604480}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    neap_problem *problem;
    struct parts parts;
    neap_error error;
    assert_ok(neap_problem_generate(cases[i].kind, 30, cases[i].seed, &problem, &error),
              &error);
    assert_ok(parts_init(&parts, problem, &error), &error);
    assert_true(highest_bound(&parts) < cases[i].optimum);
    assert_true(prove_highest(&parts, 1, cases[i].optimum) == cases[i].optimum);
    parts_clear(&parts);
    neap_problem_free(problem);
  }
}

static void searches_end_when_their_budget_does(void **state) {
  (void)state;
  neap_problem *problem;
  struct parts parts;
  neap_error error;
  assert_ok(neap_problem_generate("chain", 30, 2970, &problem, &error), &error);
  assert_ok(parts_init(&parts, problem, &error), &error);
  assert_int_equal(parts.count, 1);
  for (uint64_t limit = 1; limit < 2000; limit += 37) {
    const neap_size capacity = parts.items[0].lower_bound;
    struct budget budget;
    enum verdict verdict = VERDICT_OPEN;
    void *coarsener = method_made(&method_coarsening, &parts.items[0], 1);
    budget_init(&budget, limit, 0);
    assert_non_null(coarsener);
    while (verdict == VERDICT_OPEN && !method_coarsening.is_done(coarsener))
      verdict = method_turn(&method_coarsening, coarsener, capacity, capacity, &budget);
    assert_true(verdict == VERDICT_STOPPED || method_coarsening.is_done(coarsener));
    assert_true(limit > 100 || verdict == VERDICT_STOPPED);
    assert_true(budget.ticks <= limit);
    method_coarsening.free(coarsener);
  }
  parts_clear(&parts);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_above_the_optimum_is_proven),
      cmocka_unit_test(gaps_are_proven),
      cmocka_unit_test(searches_end_when_their_budget_does),
  };
  return cmocka_run_group_tests_name("property coarsener", tests, NULL, NULL);
}
