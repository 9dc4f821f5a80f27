/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A search that runs out of memory has proven nothing.  On problems whose optimum is known, the
 * first allocation fails, then the second, and so on, each both alone and together with all
 * later ones.  Whatever the planner then claims must be true: no plan is called optimal that is
 * not, no lower bound is above the optimum, and no capacity is called infeasible that fits.  The
 * planner can then be asked for its plan, and every further step fails in the same way.
 *
 * Some methods begin late in a search, so each is tried alone.
 */
#include <stdio.h>

#include "neap/planner.h"
#include "search/parts.h"
#include "tests/fuzz/failing_memory.h"
#include "tests/support/generated.h"
#include "tests/support/method.h"
#include "tests/support/random_problem.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"

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

TEST(a_gap_is_proven_or_left_open) {
  if (!failing_memory_works()) skip();
  neap_problem *problem = sample_problem(gap, SAMPLE_COUNT(gap));
  fail_each_within(problem, GAP_OPTIMUM, "exact");
  fail_each_within(problem, GAP_OPTIMUM, "auto");
  neap_problem_free(problem);
}

/* With fixed offsets, gaps and alignments; their optimum is found by brute force. */
TEST(constraints_are_proven_or_left_open) {
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
TEST(a_perfect_packing_is_found_or_left_open) {
  if (!failing_memory_works()) skip();
  neap_problem *problem = sample_generate("perfect", 60, 1);
  const neap_bound bound = sample_bound(problem);
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

TEST(long_problems_are_proven_or_left_open) {
  if (!failing_memory_works()) skip();
  neap_problem *problem = long_problem(420);
  fail_each_within(problem, LONG_OPTIMUM, "exact");
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- single methods */

/*
 * Gives a method a few turns within the bound, while an allocation fails.  Without a failure, it
 * does not lack memory; with one, it still refutes nothing.  Returns whether an allocation
 * failed.
 */
static bool try_method(const struct method *method, const struct part *part, uint64_t fail_at,
                       bool all_after) {
  const struct method_task task = {.part = part, .rules = RULES_ALL, .seed = 1};
  struct budget budget;
  void *state = NULL;
  enum verdict verdict = VERDICT_OPEN;
  budget_init(&budget, 0, 0);
  failing_memory_arm(fail_at, all_after);
  bool made = method->create(&task, &state) && state;
  for (int i = 0; i < 3 && made && verdict == VERDICT_OPEN; i++)
    if (!method->is_done || !method->is_done(state))
      verdict = method_turn(method, state, part->lower_bound, part->lower_bound, &budget);
  bool met = failing_memory_disarm();
  assert_true(met || (made && verdict != VERDICT_MEMORY));
  assert_true(verdict != VERDICT_REFUTED && verdict != VERDICT_STOPPED);
  method->free(state);
  return met;
}

/* Lets each allocation fail in turn, alone and with all after it. */
static void fail_each_of(const struct method *method, const struct part *part) {
  uint64_t fail_at = 0;
  while (try_method(method, part, ++fail_at, false))
    try_method(method, part, fail_at, true);
  assert_true(fail_at > 5);
}

/* Methods that take parts without gaps; they begin late in a search. */
TEST(methods_without_memory_say_so) {
  if (!failing_memory_works()) skip();
  struct parts parts;
  neap_error error;
  size_t largest = 0;
  neap_problem *problem = sample_generate("sheet", 24, 1);
  assert_ok(parts_init(&parts, problem, &error), &error);
  for (size_t p = 1; p < parts.count; p++)
    if (parts.items[p].count > parts.items[largest].count) largest = p;
  const struct part *part = &parts.items[largest];
  struct part aligned = *part; /* ejection and alignment take no other part */
  aligned.is_unaligned = false;
  assert_true(part->count > 10);
  fail_each_of(&method_boards, part);
  fail_each_of(&method_boundaries, part);
  fail_each_of(&method_beams, part);
  fail_each_of(&method_coarsening, part);
  fail_each_of(&method_ejection, &aligned);
  fail_each_of(&method_restacking, &aligned);
  parts_clear(&parts);
  neap_problem_free(problem);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gap_is_proven_or_left_open),
      cmocka_unit_test(constraints_are_proven_or_left_open),
      cmocka_unit_test(a_perfect_packing_is_found_or_left_open),
      cmocka_unit_test(long_problems_are_proven_or_left_open),
      cmocka_unit_test(methods_without_memory_say_so),
  };
  return cmocka_run_group_tests_name("failing search", tests, NULL, NULL);
}
