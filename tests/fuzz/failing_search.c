/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A search that runs out of memory has proven nothing.  On problems whose optimum is known, the
 * first allocation fails, then the second, and so on, each both alone and together with all
 * later ones.  Whatever the planner then claims must be true: no plan is called optimal that is
 * not, no lower bound is above the optimum, and no capacity is called infeasible that fits.  The
 * planner can then be asked for its plan, and every further step fails in the same way.
 *
 * Beams begin late in a search, so they are tried alone.
 */
#include <stdio.h>

#include "neap/planner.h"
#include "search/beamer.h"
#include "search/coarsener.h"
#include "search/descent.h"
#include "tests/fuzz/failing_memory.h"
#include "tests/property/random_problem.h"
#include "tests/property/reference.h"
#include "tests/property/run.h"
#include "tests/unit/sample.h"

/* What is searched, and how. */
struct setting {
  const neap_problem *problem;
  neap_size optimum;
  const char *engine, *threads;
  neap_size capacity; /* -1: none */
};

/* ---------------------------------------------------------------- what is true */

static void expect(const struct setting *setting, uint64_t fail_at, bool holds,
                   const char *what) {
  if (!holds)
    fail_msg("engine %s, %s threads, capacity %d, optimum %d, allocation %d fails: %s",
             setting->engine, setting->threads, (int)setting->capacity, (int)setting->optimum,
             (int)fail_at, what);
}

/* Asks for the plan, with enough memory; whatever comes must be true. */
static void check_claims(const struct setting *setting, const neap_planner *planner,
                         uint64_t fail_at) {
  bool fits = setting->capacity < 0 || setting->capacity >= setting->optimum;
  neap_plan *plan = NULL;
  neap_report report = NEAP_INIT(neap_report);
  neap_error error;
  neap_status status = neap_planner_plan(planner, &plan, &error);
  if (status == NEAP_INFEASIBLE) {
    expect(setting, fail_at, !fits, "the capacity is called infeasible, and is not");
  } else if (status != NEAP_NO_PLAN) {
    assert_ok(status, &error);
    assert_ok(neap_plan_verify(plan, setting->capacity, &error), &error);
    neap_plan_report(plan, &report);
    expect(setting, fail_at, report.lower_bound <= setting->optimum,
           "the lower bound is above the optimum");
    expect(setting, fail_at, report.outcome != NEAP_OPTIMAL || report.peak == setting->optimum,
           "the plan is called optimal, and is not");
  }
  neap_plan_free(plan);
}

/* After a run that nothing has cut short. */
static void check_result(const struct setting *setting, const neap_planner *planner,
                         uint64_t fail_at) {
  bool fits = setting->capacity < 0 || setting->capacity >= setting->optimum;
  neap_plan *plan = NULL;
  neap_report report = NEAP_INIT(neap_report);
  neap_status status = neap_planner_plan(planner, &plan, NULL);
  if (status == NEAP_OK) neap_plan_report(plan, &report);
  neap_plan_free(plan);
  expect(setting, fail_at, status == (fits ? NEAP_OK : NEAP_INFEASIBLE),
         fits ? "there is no plan" : "the capacity is not refuted");
  bool is_best = report.peak == setting->optimum && report.outcome == NEAP_OPTIMAL;
  expect(setting, fail_at, setting->capacity >= 0 || is_best, "the optimum is not proven");
}

/* ---------------------------------------------------------------- one attempt */

static neap_options *options_of(const struct setting *setting) {
  char capacity[24];
  snprintf(capacity, sizeof capacity, "%lld", (long long)setting->capacity);
  const char *const pairs[] = {"engine",
                               setting->engine,
                               "threads",
                               setting->threads,
                               "max-rounds",
                               "3",
                               "max-group-rounds",
                               "3",
                               setting->capacity >= 0 ? "capacity" : NULL,
                               capacity,
                               NULL};
  return run_options(pairs);
}

/* Steps until the planner is done or fails. */
static neap_status step_to_end(neap_planner *planner, neap_error *error) {
  neap_status status = NEAP_OK;
  for (bool done = false; status == NEAP_OK && !done;)
    status = neap_planner_step(planner, &done, error);
  return status;
}

/* Whether an allocation failed; 0 lets none fail. */
static bool try(const struct setting *setting, const neap_options *options, uint64_t fail_at,
                bool all_after) {
  neap_planner *planner = NULL;
  neap_error error;
  failing_memory_arm(fail_at, all_after);
  neap_status status = neap_planner_new(setting->problem, options, &planner, &error);
  if (status == NEAP_OK) status = step_to_end(planner, &error);
  bool met = failing_memory_disarm();
  expect(setting, fail_at, status == NEAP_OK || (met && status == NEAP_ERROR_MEMORY),
         "the status is neither ok nor out of memory");
  if (planner) check_claims(setting, planner, fail_at);
  if (planner && status != NEAP_OK)
    expect(setting, fail_at, step_to_end(planner, &error) == status, "a later step succeeds");
  if (status == NEAP_OK) check_result(setting, planner, fail_at);
  neap_planner_free(planner);
  return met;
}

static void fail_each(const struct setting *setting) {
  neap_options *options = options_of(setting);
  uint64_t fail_at = 0;
  try(setting, options, 0, false);
  while (try(setting, options, ++fail_at, false))
    try(setting, options, fail_at, true);
  neap_options_free(options);
}

static void fail_each_within(const neap_problem *problem, neap_size optimum,
                             const char *engine) {
  static const char *const threads[] = {"1", "2"};
  const neap_size capacities[] = {-1, optimum, optimum - 1};
  for (size_t t = 0; t < SAMPLE_COUNT(threads); t++)
    for (size_t c = 0; c < SAMPLE_COUNT(capacities); c++)
      fail_each(&(struct setting){problem, optimum, engine, threads[t], capacities[c]});
}

/* ---------------------------------------------------------------- small problems */

/* Seven buffers whose bound of 4 no layout reaches. */
static const struct sample gap[] = {{1, 4, 2, 0}, {2, 3, 2, 0}, {3, 5, 1, 0}, {3, 6, 1, 0},
                                    {4, 6, 1, 0}, {5, 7, 2, 0}, {6, 7, 2, 0}};
#define GAP_OPTIMUM 5

static void a_gap_is_proven_or_left_open(void **state) {
  (void)state;
  if (!failing_memory_works()) skip();
  neap_problem *problem = sample_problem(gap, SAMPLE_COUNT(gap));
  fail_each_within(problem, GAP_OPTIMUM, "exact");
  fail_each_within(problem, GAP_OPTIMUM, "auto");
  neap_problem_free(problem);
}

/* With fixed offsets, gaps and alignments; their optimum is found by brute force. */
static void constraints_are_proven_or_left_open(void **state) {
  (void)state;
  if (!failing_memory_works()) skip();
  unsigned searched = 0;
  for (uint64_t seed = 0; searched < 4; seed++) {
    struct instance instance = instance_random(seed, 7, WITH_ALL);
    neap_size optimum = reference_optimum(&instance);
    if (optimum > reference_bound(&instance)) {
      neap_problem *problem = instance_problem(&instance);
      fail_each_within(problem, optimum, searched % 2 ? "auto" : "exact");
      neap_problem_free(problem);
      searched++;
    }
    instance_free(&instance);
  }
}

/* ---------------------------------------------------------------- larger ones */

/* No byte may be lost, so that the global search goes deep. */
static void a_perfect_packing_is_found_or_left_open(void **state) {
  (void)state;
  if (!failing_memory_works()) skip();
  neap_problem *problem;
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_error error;
  assert_ok(neap_problem_generate("perfect", 60, 1, &problem, &error), &error);
  assert_ok(neap_problem_bound(problem, &bound, &error), &error);
  fail_each_within(problem, bound.bytes, "exact");
  neap_problem_free(problem);
}

/*
 * The problem with a gap above, a buffer that is always alive, and so many more buffers that
 * the search goes valley by valley. Those fill their moments, whatever happens in the gap.
 */
static neap_problem *long_problem(size_t count) {
  neap_problem *problem = sample_problem(gap, SAMPLE_COUNT(gap));
  char name[24];
  sample_add(problem, "long", 1, 10 + (neap_time)count, 1);
  for (size_t i = 0; i < count; i++) {
    snprintf(name, sizeof name, "more%zu", i);
    sample_add(problem, name, 10 + (neap_time)i, 11 + (neap_time)i, GAP_OPTIMUM - 1);
  }
  return problem;
}

/* The long buffer below all others is one of the best layouts. */
#define LONG_OPTIMUM (GAP_OPTIMUM + 1)

static void long_problems_are_proven_or_left_open(void **state) {
  (void)state;
  if (!failing_memory_works()) skip();
  neap_problem *problem = long_problem(420);
  fail_each_within(problem, LONG_OPTIMUM, "exact");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- one searcher */

/* Where an allocation fails in the search of a part; whether it was met. */
typedef bool attempt(const struct part *part, uint64_t fail_at, bool all_after);

/* Lets each allocation fail in turn, alone and with all after it. */
static void fail_each_of(attempt *search) {
  neap_problem *problem;
  struct parts parts;
  neap_error error;
  size_t largest = 0;
  assert_ok(neap_problem_generate("sheet", 24, 1, &problem, &error), &error);
  assert_ok(parts_init(&parts, problem, &error), &error);
  for (size_t p = 1; p < parts.count; p++)
    if (parts.items[p].count > parts.items[largest].count) largest = p;
  assert_true(parts.items[largest].count > 10);
  uint64_t fail_at = 0;
  while (search(&parts.items[largest], ++fail_at, false))
    search(&parts.items[largest], fail_at, true);
  assert_true(fail_at > 10);
  parts_clear(&parts);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- single methods */

/*
 * Without a failure, a method is made and does not lack memory; with one, it still refutes nothing.  Returns
 * whether there was one.
 */
static bool expect_honest(bool made, enum verdict verdict) {
  bool met = failing_memory_disarm();
  assert_true(met || (made && verdict != VERDICT_MEMORY));
  assert_true(verdict != VERDICT_REFUTED && verdict != VERDICT_STOPPED);
  return met;
}

/* ---------------------------------------------------------------- beams */

/* Three beams within the bound, while an allocation fails; whether it was met. */
static bool try_beams(const struct part *part, uint64_t fail_at, bool all_after) {
  struct beamer *beamer;
  struct budget budget;
  enum verdict verdict = VERDICT_OPEN;
  budget_init(&budget, 0, 0);
  failing_memory_arm(fail_at, all_after);
  bool made = beamer_new(&beamer, part, RULES_ALL, 1);
  for (int i = 0; i < 3 && made && verdict == VERDICT_OPEN; i++)
    verdict = beamer_restart(beamer, part->lower_bound, part->lower_bound, &budget);
  bool met = expect_honest(made, verdict);
  if (made) beamer_free(beamer);
  return met;
}

static void beams_without_memory_say_so(void **state) {
  (void)state;
  if (!failing_memory_works()) skip();
  fail_each_of(try_beams);
}

/* ---------------------------------------------------------------- ejection */

/* Three turns of a descent, while an allocation fails; whether it was met. */
static bool try_descent(const struct part *part, uint64_t fail_at, bool all_after) {
  struct descent *descent;
  struct budget budget;
  enum verdict verdict = VERDICT_OPEN;
  budget_init(&budget, 0, 0);
  struct part aligned = *part; /* ejection takes no other part */
  aligned.is_unaligned = false;
  failing_memory_arm(fail_at, all_after);
  bool made = descent_new(&descent, &aligned, RULES_ALL, 1);
  for (int i = 0; i < 3 && made && verdict == VERDICT_OPEN; i++)
    verdict = descent_restart(descent, part->lower_bound, part->lower_bound, &budget);
  bool met = expect_honest(made, verdict);
  if (made) descent_free(descent);
  return met;
}

static void descents_without_memory_say_so(void **state) {
  (void)state;
  if (!failing_memory_works()) skip();
  fail_each_of(try_descent);
}

/* ---------------------------------------------------------------- coarser parts */

/* Turns of a coarser part, while an allocation fails; whether it was met. */
static bool try_coarsener(const struct part *part, uint64_t fail_at, bool all_after) {
  struct coarsener *coarsener;
  struct budget budget;
  enum verdict verdict = VERDICT_OPEN;
  budget_init(&budget, 0, 0);
  failing_memory_arm(fail_at, all_after);
  bool made = coarsener_new(&coarsener, part, RULES_ALL, 1) && coarsener;
  for (int i = 0; i < 3 && made && verdict == VERDICT_OPEN && !coarsener_is_done(coarsener);
       i++)
    verdict = coarsener_restart(coarsener, part->lower_bound, &budget);
  bool met = expect_honest(made, verdict);
  if (made) coarsener_free(coarsener);
  return met;
}

static void coarser_parts_without_memory_say_so(void **state) {
  (void)state;
  if (!failing_memory_works()) skip();
  fail_each_of(try_coarsener);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gap_is_proven_or_left_open),
      cmocka_unit_test(constraints_are_proven_or_left_open),
      cmocka_unit_test(a_perfect_packing_is_found_or_left_open),
      cmocka_unit_test(long_problems_are_proven_or_left_open),
      cmocka_unit_test(beams_without_memory_say_so),
      cmocka_unit_test(descents_without_memory_say_so),
      cmocka_unit_test(coarser_parts_without_memory_say_so),
  };
  return cmocka_run_group_tests_name("failing search", tests, NULL, NULL);
}
