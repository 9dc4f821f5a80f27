/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ejection on tiny random problems with alignments, fixed offsets and gaps, against brute force: it finds
 * the optimum, never less, and what it finds is sound.  Of a layout that it begins from, it keeps all that
 * is within the capacity.  Sorted edges stay sorted.
 */
#include <stdlib.h>

#include "core/random.h"
#include "neap/planner.h"
#include "search/descent.h"
#include "search/edges.h"
#include "search/ejector.h"
#include "tests/property/reference.h"
#include "tests/property/trial.h"
#include "tests/unit/sample.h"

#define PROBLEMS 2000
#define INSERTIONS 300
#define TURNS 40
#define LARGE 3000

static bool suits(const struct trial *trial) {
  for (size_t p = 0; p < trial->parts.count; p++)
    if (!ejector_suits(&trial->parts.items[p])) return false;
  return trial->parts.count > 0;
}

/* Whether ejection finds a layout of each part within a capacity in bytes; it is sound. */
static bool find(struct trial *trial, neap_size capacity) {
  struct budget budget;
  bool found = true;
  budget_init(&budget, 0, 0);
  for (size_t p = 0; p < trial->parts.count; p++) {
    const struct part *part = &trial->parts.items[p];
    struct ejector *ejector = ejector_new(part, trial->seed);
    assert_non_null(ejector);
    ejector_aim(ejector, capacity / part_step(part));
    enum verdict verdict = ejector_run(ejector, INSERTIONS, &budget);
    assert_true(verdict == VERDICT_FOUND || verdict == VERDICT_OPEN);
    found = found && verdict == VERDICT_FOUND;
    if (verdict == VERDICT_FOUND) trial_take(trial, part, ejector_offsets(ejector));
    ejector_free(ejector);
  }
  if (found) trial_expect_sound(trial, capacity);
  return found;
}

static void ejection_finds_the_optimum(void **state) {
  (void)state;
  size_t found = 0, tried = 0;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    neap_size optimum = reference_optimum(&trial.instance);
    if (suits(&trial) && optimum > 0) {
      tried++;
      found += find(&trial, optimum);
      trial_expect(&trial, !find(&trial, optimum - 1), "nothing less is");
      find(&trial, optimum + optimum / 2);
    }
    trial_clear(&trial);
  }
  assert_true(tried > PROBLEMS / 2);
  assert_in_range(found, tried - tried / 100, tried);
}

/* Whether a descent gets to a capacity in bytes; all that it passes are sound. */
static bool descend(struct trial *trial, const struct part *part, neap_size capacity) {
  struct budget budget;
  struct descent *descent;
  neap_size peak = NEAP_MAX, goal = capacity / part_step(part);
  enum verdict verdict = VERDICT_OPEN;
  budget_init(&budget, 0, 0);
  assert_true(descent_new(&descent, part, RULES_ALL, trial->seed));
  assert_int_equal(descent != NULL, part_is_fixed(part) || !part->is_unaligned);
  if (!descent) return false;
  if (descent_restart(descent, part->extent, goal, &budget) == VERDICT_FOUND)
    for (int turn = 0; turn < TURNS && verdict == VERDICT_OPEN; turn++) {
      verdict = descent_restart(descent, goal, goal, &budget);
      assert_true(descent_peak(descent) <= peak);
      peak = descent_peak(descent);
      trial_take(trial, part, descent_offsets(descent));
      if (trial->parts.count == 1) trial_expect_sound(trial, peak * part_step(part));
    }
  descent_free(descent);
  return verdict == VERDICT_FOUND;
}

static void descents_reach_the_optimum(void **state) {
  (void)state;
  size_t found = 0, tried = 0;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    neap_size optimum = reference_optimum(&trial.instance);
    for (size_t p = 0; p < trial.parts.count && suits(&trial); p++) {
      const struct part *part = &trial.parts.items[p];
      tried += part_is_fixed(part) || !part->is_unaligned;
      found += descend(&trial, part, optimum);
    }
    trial_clear(&trial);
  }
  assert_true(tried > PROBLEMS / 5);
  assert_in_range(found, tried - tried / 100, tried);
}

static void descents_end_when_their_budget_does(void **state) {
  (void)state;
  for (uint64_t limit = 1; limit < 100; limit++) {
    struct trial trial;
    struct descent *descent;
    struct budget budget;
    enum verdict verdict = VERDICT_OPEN;
    trial_init(&trial, 16 * limit + WITH_ALIGNMENTS);
    budget_init(&budget, limit, 0);
    if (suits(&trial)) {
      const struct part *part = &trial.parts.items[0];
      assert_true(descent_new(&descent, part, RULES_ALL, limit));
      while (descent && verdict == VERDICT_OPEN)
        verdict = descent_restart(descent, part->lower_bound, part->lower_bound, &budget);
      assert_true(budget.ticks <= limit);
      descent_free(descent);
    }
    trial_clear(&trial);
  }
}

/* Short and long lives, and few alignments: rectangles in one strip of time and in several. */
static neap_problem *large_problem(struct random *random) {
  static struct sample samples[LARGE];
  for (size_t i = 0; i < LARGE; i++) {
    uint32_t longest = random_below(random, 20) == 0 ? LARGE : 60;
    samples[i] = (struct sample){.start = (neap_time)i,
                                 .end = (neap_time)i + 1 + random_below(random, longest),
                                 .size = 8 * (1 + random_below(random, 100)),
                                 .alignment = random_below(random, 2) == 0 ? 8 : 32};
  }
  return sample_problem(samples, LARGE);
}

/* Begins from a layout; what is not above a lower capacity stays where it is. */
static void check_begin(const struct part *part, const neap_offset *offsets) {
  struct budget budget;
  struct ejector *ejector = ejector_new(part, 2);
  neap_size capacity = part->lower_bound * 5 / 4;
  assert_non_null(ejector);
  budget_init(&budget, 0, 0);
  ejector_begin(ejector, offsets, part_peak(part, offsets));
  assert_int_equal(ejector_run(ejector, 0, &budget), VERDICT_FOUND);
  assert_memory_equal(ejector_offsets(ejector), offsets, part->count * sizeof *offsets);
  ejector_begin(ejector, offsets, capacity);
  for (size_t i = 0; i < part->count; i++)
    if (part_end(part, i, offsets[i]) <= capacity)
      assert_int_equal(ejector_offsets(ejector)[i], offsets[i]);
  ejector_free(ejector);
}

/* A descent in a large part begins from the guide at once, and is soon below it. */
static void check_guided(const struct part *part, const neap_offset *offsets) {
  struct budget budget;
  struct descent *descent;
  enum verdict verdict = VERDICT_OPEN;
  neap_size peak = part_peak(part, offsets);
  budget_init(&budget, 0, 0);
  assert_true(descent_new(&descent, part, RULES_ALL, 1));
  descent_guide(descent, offsets);
  for (int turn = 0; turn < TURNS && verdict == VERDICT_OPEN; turn++)
    verdict = descent_restart(descent, peak - 1, peak - 1, &budget);
  assert_int_equal(verdict, VERDICT_FOUND);
  descent_free(descent);
}

static void large_layouts_are_sound(void **state) {
  (void)state;
  struct random random;
  struct parts parts;
  struct budget budget;
  neap_error error;
  neap_plan *plan;
  assert_true(random_init(&random, 1));
  neap_problem *problem = large_problem(&random);
  assert_ok(parts_init(&parts, problem, &error), &error);
  assert_int_equal(parts.count, 1);
  struct part *part = &parts.items[0];
  struct ejector *ejector = ejector_new(part, 1);
  assert_non_null(ejector);
  budget_init(&budget, 0, 0);
  neap_offset *offsets = calloc(LARGE, sizeof *offsets);
  assert_non_null(offsets);
  for (int lower = 6; lower > 2; lower--) {
    neap_size capacity = part->lower_bound * lower / 2;
    ejector_aim(ejector, capacity);
    assert_int_equal(ejector_run(ejector, 20 * LARGE, &budget), VERDICT_FOUND);
    for (size_t i = 0; i < part->count; i++)
      offsets[part->buffer[i]] = ejector_offsets(ejector)[i] * part->unit;
    assert_ok(neap_plan_new(problem, offsets, &plan, &error), &error);
    assert_ok(neap_plan_verify(plan, capacity * part_step(part), &error), &error);
    neap_plan_free(plan);
  }
  check_begin(part, ejector_offsets(ejector));
  check_guided(part, ejector_offsets(ejector));
  free(offsets);
  ejector_free(ejector);
  parts_clear(&parts);
  neap_problem_free(problem);
  random_clear(&random);
}

static bool is_sorted(const struct edges *edges) {
  for (size_t k = 1; k < edges->count; k++) {
    struct edge left = edges->list[k - 1], right = edges->list[k];
    if (left.at > right.at || (left.at == right.at && left.item >= right.item)) return false;
  }
  return true;
}

static void edges_stay_sorted(void **state) {
  (void)state;
  enum { EDGES = 40, HEIGHTS = 12 };
  neap_offset at[EDGES];
  bool is_in[EDGES] = {false};
  struct edges edges;
  struct random random;
  assert_true(random_init(&random, 1) && edges_init(&edges, EDGES));
  for (int step = 0; step < 20000; step++) {
    uint32_t item = random_below(&random, EDGES);
    neap_offset to = random_below(&random, HEIGHTS);
    bool goes = is_in[item] && to == 0;
    if (goes) edges_remove(&edges, (struct edge){at[item], item});
    else if (is_in[item]) edges_move(&edges, (struct edge){at[item], item}, to);
    else edges_insert(&edges, (struct edge){to, item});
    is_in[item] = !goes;
    at[item] = to;
    size_t below = 0, count = 0;
    for (uint32_t i = 0; i < EDGES; i++) {
      count += is_in[i];
      below += is_in[i] && at[i] < to;
    }
    assert_true(is_sorted(&edges) && edges.count == count);
    assert_true(edges_below(&edges, to) == below);
  }
  edges_clear(&edges);
  random_clear(&random);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ejection_finds_the_optimum),
      cmocka_unit_test(descents_reach_the_optimum),
      cmocka_unit_test(descents_end_when_their_budget_does),
      cmocka_unit_test(large_layouts_are_sound),
      cmocka_unit_test(edges_stay_sorted),
  };
  return cmocka_run_group_tests_name("property ejection", tests, NULL, NULL);
}
