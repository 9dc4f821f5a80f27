/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods of the exact search on tiny random problems, against brute force. */
#include <stdlib.h>

#include "core/random.h"
#include "neap/planner.h"
#include "search/beams/cell_beam.h"
#include "search/boards/board_global.h"
#include "search/ejection/ejector.h"
#include "search/parts.h"
#include "tests/support/generated.h"
#include "tests/support/method.h"
#include "tests/support/reference.h"
#include "tests/support/run.h"
#include "tests/support/sample.h"
#include "tests/support/trial.h"

/* ---------------------------------------------------------------- ejection */

/*
 * Ejection on tiny random problems with alignments, fixed offsets and gaps, against brute force: it
 * finds the optimum, never less, and what it finds is sound.  Of a layout that it begins from, it
 * keeps all that is within the capacity.  Sorted edges stay sorted.
 */

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

TEST(ejection_finds_the_optimum) {
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

/* Whether a descent gets to a capacity in bytes; all layouts on the way are sound. */
static bool descend(struct trial *trial, const struct part *part, neap_size capacity) {
  struct budget budget;
  neap_size peak = NEAP_MAX, goal = capacity / part_step(part);
  enum verdict verdict = VERDICT_OPEN;
  void *descent = method_made(&method_ejection, part, trial->seed);
  budget_init(&budget, 0, 0);
  assert_int_equal(descent != NULL, part_is_fixed(part) || !part->is_unaligned);
  if (!descent) return false;
  if (method_turn(&method_ejection, descent, part->extent, goal, &budget) == VERDICT_FOUND)
    for (int turn = 0; turn < TURNS && verdict == VERDICT_OPEN; turn++) {
      verdict = method_turn(&method_ejection, descent, goal, goal, &budget);
      assert_true(findings_of(descent)->peak <= peak);
      peak = findings_of(descent)->peak;
      trial_take(trial, part, findings_of(descent)->offsets);
      if (trial->parts.count == 1) trial_expect_sound(trial, peak * part_step(part));
    }
  method_ejection.free(descent);
  return verdict == VERDICT_FOUND;
}

TEST(descents_reach_the_optimum) {
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

TEST(descents_end_when_their_budget_does) {
  for (uint64_t limit = 1; limit < 100; limit++) {
    struct trial trial;
    struct budget budget;
    enum verdict verdict = VERDICT_OPEN;
    trial_init(&trial, 16 * limit + WITH_ALIGNMENTS);
    budget_init(&budget, limit, 0);
    if (suits(&trial)) {
      const struct part *part = &trial.parts.items[0];
      void *descent = method_made(&method_ejection, part, limit);
      while (descent && verdict == VERDICT_OPEN)
        verdict = method_turn(&method_ejection, descent, part->lower_bound, part->lower_bound,
                              &budget);
      assert_true(budget.ticks <= limit);
      method_ejection.free(descent);
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
  enum verdict verdict = VERDICT_OPEN;
  neap_size peak = part_peak(part, offsets);
  void *descent = method_made(&method_ejection, part, 1);
  budget_init(&budget, 0, 0);
  method_ejection.guide(descent, offsets);
  for (int turn = 0; turn < TURNS && verdict == VERDICT_OPEN; turn++)
    verdict = method_turn(&method_ejection, descent, peak - 1, peak - 1, &budget);
  assert_int_equal(verdict, VERDICT_FOUND);
  method_ejection.free(descent);
}

TEST(large_layouts_are_sound) {
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

TEST(edges_stay_sorted) {
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

/* ---------------------------------------------------------------- coarser parts */

/*
 * Coarser parts of tiny random problems, against brute force: for any sizes, alignments and fixed
 * offsets, they prove no more than the optimum, and the optimum where it is above the bound.
 */

#define coarse_PROBLEMS 6000
#define MOST 7
#define COARSE_TURNS 60

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
  for (int turn = 0; turn < COARSE_TURNS && !method_coarsening.is_done(coarsener); turn++) {
    neap_size capacity = (optimum - 1) / part_step(part);
    verdict = method_turn(&method_coarsening, coarsener, capacity, capacity, &budget);
    assert_true(verdict == VERDICT_OPEN || verdict == VERDICT_REFUTED);
    assert_int_equal(verdict == VERDICT_REFUTED, capacity < findings_of(coarsener)->proven);
  }
  neap_size proven = findings_of(coarsener)->proven * part_step(part);
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

TEST(nothing_above_the_optimum_is_proven) {
  size_t raised = 0;
  for (uint64_t seed = 0; seed < coarse_PROBLEMS; seed++) {
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

/* Problems whose lowest peak is above the bound, and that peak. */
TEST(gaps_are_proven) {
  static const struct {
    const char *kind;
    uint64_t seed;
    neap_size optimum;
  } cases[] = {{"chain", 2970, 11010048}, {"chain", 8937, 10354688}, {"branch", 1509, 3604480}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct parts parts;
    neap_error error;
    neap_problem *problem = sample_generate(cases[i].kind, 30, cases[i].seed);
    assert_ok(parts_init(&parts, problem, &error), &error);
    assert_true(highest_bound(&parts) < cases[i].optimum);
    assert_true(prove_highest(&parts, 1, cases[i].optimum) == cases[i].optimum);
    parts_clear(&parts);
    neap_problem_free(problem);
  }
}

/* The first search takes so long that others join it. */
TEST(gaps_are_proven_in_threads) {
  static const char *const threads[] = {"1", "2", "5"};
  neap_problem *problem = sample_generate("chain", 30, 8937);
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
    const char *const pairs[] = {"engine", "exact", "threads", threads[i], NULL};
    neap_options *options = run_options(pairs);
    neap_plan *plan = sample_solve(problem, options);
    neap_report report = sample_report(plan);
    assert_int_equal(report.peak, 10354688);
    assert_int_equal(report.outcome, NEAP_OPTIMAL);
    neap_plan_free(plan);
    neap_options_free(options);
  }
  neap_problem_free(problem);
}

TEST(searches_end_when_their_budget_does) {
  struct parts parts;
  neap_error error;
  neap_problem *problem = sample_generate("chain", 30, 2970);
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
    assert_true(verdict == VERDICT_STOPPED || verdict == VERDICT_REFUTED ||
                method_coarsening.is_done(coarsener));
    assert_true(limit > 100 || verdict == VERDICT_STOPPED);
    assert_true(budget.ticks <= limit);
    method_coarsening.free(coarsener);
  }
  parts_clear(&parts);
  neap_problem_free(problem);
}

/* ---------------------------------------------------------------- beams */

/*
 * Beams on tiny random problems with every constraint, against brute force: one that drops nothing
 * finds the optimum, none finds less, and whatever one finds is sound, however narrow it is and
 * however few snapshots it can take.  A snapshot brings everything back that an undo does.
 */

#define beam_PROBLEMS 400
#define AMPLE ((size_t)1 << 26)

/* Whether one beam for each part finds a layout within a capacity in bytes; it is sound. */
static bool beam_find(struct trial *trial, neap_size capacity, struct cell_beam_manner manner,
                      size_t bytes) {
  struct rules rules = RULES_ALL;
  struct random random;
  struct budget budget;
  bool found = true;
  assert_true(random_init(&random, trial->seed));
  budget_init(&budget, 0, 0);
  for (size_t p = 0; p < trial->parts.count; p++) {
    const struct part *part = &trial->parts.items[p];
    struct cell_beam *beam = cell_beam_new(board_global_new(part, rules), bytes);
    assert_non_null(beam);
    enum verdict verdict =
        cell_beam_run(beam, capacity / part_step(part), manner, &random, &budget);
    found = found && verdict == VERDICT_FOUND;
    if (verdict == VERDICT_FOUND) trial_take(trial, part, cell_beam_offsets(beam));
    cell_beam_free(beam);
  }
  random_clear(&random);
  if (found) trial_expect_sound(trial, capacity);
  return found;
}

TEST(a_wide_beam_finds_the_optimum) {
  for (uint64_t seed = 0; seed < beam_PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    neap_size optimum = reference_optimum(&trial.instance);
    enum board_choice choice = seed % 2 == 0 ? BOARD_LOWEST : BOARD_FEWEST;
    struct cell_beam_manner wide = {10000, {choice, 0.002, (neap_size)(seed / 2 % 3)}, 0};
    trial_expect(&trial, beam_find(&trial, optimum, wide, AMPLE), "the optimum is found");
    trial_expect(&trial, optimum == 0 || !beam_find(&trial, optimum - 1, wide, AMPLE),
                 "nothing less is");
    trial_clear(&trial);
  }
}

TEST(narrow_beams_find_sound_layouts) {
  size_t found = 0, tried = 0;
  for (uint64_t seed = 0; seed < beam_PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    neap_size optimum = reference_optimum(&trial.instance);
    for (uint32_t width = 1; width <= 4; width++) {
      struct cell_beam_manner narrow = {
          width, {BOARD_FEWEST, 0.03, (neap_size)(seed % 3)}, 0.5};
      found += beam_find(&trial, optimum, narrow, AMPLE);
      found += beam_find(&trial, optimum + optimum / 2, narrow, 1);
      tried += 2;
    }
    trial_clear(&trial);
  }
  assert_in_range(found, tried / 2, tried);
}

/* Where alignments differ, beams take what is above the capacity and remember the lowest. */
static void check_lowest(const struct part *part) {
  struct budget budget;
  neap_size peak = NEAP_MAX;
  enum verdict verdict = VERDICT_OPEN;
  void *beams = method_made(&method_beams, part, 1);
  budget_init(&budget, 0, 0);
  for (int i = 0; i < 8 && verdict == VERDICT_OPEN; i++) {
    verdict = method_turn(&method_beams, beams, part->lower_bound, 0, &budget);
    assert_true(findings_of(beams)->peak <= peak);
    peak = findings_of(beams)->peak;
    assert_true(verdict == VERDICT_FOUND || peak > part->lower_bound);
    if (peak < NEAP_MAX) assert_true(part_peak(part, findings_of(beams)->offsets) == peak);
  }
  method_beams.free(beams);
}

TEST(beams_keep_the_lowest_layout) {
  for (uint64_t seed = 0; seed < beam_PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    for (size_t p = 0; p < trial.parts.count; p++)
      if (!trial.parts.items[p].is_unaligned) check_lowest(&trial.parts.items[p]);
    trial_clear(&trial);
  }
}

/* Beams run one after another until a layout is found or the budget ends. */
static void check_limit(const struct part *part, uint64_t limit) {
  struct budget budget;
  enum verdict verdict = VERDICT_OPEN;
  void *beams = method_made(&method_beams, part, limit);
  budget_init(&budget, limit, 0);
  assert_non_null(beams);
  while (verdict == VERDICT_OPEN)
    verdict = method_turn(&method_beams, beams, part->lower_bound, part->lower_bound, &budget);
  assert_true(verdict == VERDICT_FOUND || verdict == VERDICT_STOPPED);
  assert_true(budget.ticks <= limit);
  method_beams.free(beams);
}

TEST(beams_end_when_their_budget_does) {
  for (uint64_t limit = 1; limit < 100; limit++) {
    struct trial trial;
    trial_init(&trial, 16 * limit); /* without constraints */
    if (trial.parts.count > 0) check_limit(&trial.parts.items[0], limit);
    trial_clear(&trial);
  }
}

/* Places whatever is lowest, and goes back to a snapshot from each depth. */
static void check_snapshots(struct global_state *state) {
  size_t size = global_snapshot_size(state);
  void *snapshot = calloc(1, size), *again = calloc(1, size);
  assert_true(snapshot && again);
  for (uint32_t item = 0; item < state->part->count; item++) {
    if (!global_state_is_left(state, item)) continue;
    uint64_t digest = global_state_digest(state);
    global_snapshot_save(state, snapshot);
    enum search_status status = global_state_place(state, item);
    uint64_t after = global_state_digest(state);
    global_snapshot_load(state, snapshot);
    assert_true(global_state_digest(state) == digest);
    assert_null(global_state_broken(state));
    global_snapshot_save(state, again);
    assert_memory_equal(snapshot, again, size);
    if (status != SEARCH_OPEN) break;
    assert_int_equal(global_state_place(state, item), SEARCH_OPEN);
    assert_true(global_state_digest(state) == after);
  }
  free(snapshot);
  free(again);
}

TEST(snapshots_bring_everything_back) {
  for (uint64_t seed = 0; seed < beam_PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    for (size_t p = 0; p < trial.parts.count; p++) {
      struct global_state board;
      const struct part *part = &trial.parts.items[p];
      assert_true(global_state_init(&board, part));
      if (global_state_reset(&board, part->extent) == SEARCH_OPEN) check_snapshots(&board);
      global_state_clear(&board);
    }
    trial_clear(&trial);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ejection_finds_the_optimum),
      cmocka_unit_test(descents_reach_the_optimum),
      cmocka_unit_test(descents_end_when_their_budget_does),
      cmocka_unit_test(large_layouts_are_sound),
      cmocka_unit_test(edges_stay_sorted),
      cmocka_unit_test(nothing_above_the_optimum_is_proven),
      cmocka_unit_test(gaps_are_proven),
      cmocka_unit_test(gaps_are_proven_in_threads),
      cmocka_unit_test(searches_end_when_their_budget_does),
      cmocka_unit_test(a_wide_beam_finds_the_optimum),
      cmocka_unit_test(narrow_beams_find_sound_layouts),
      cmocka_unit_test(beams_keep_the_lowest_layout),
      cmocka_unit_test(beams_end_when_their_budget_does),
      cmocka_unit_test(snapshots_bring_everything_back),
  };
  return cmocka_run_group_tests_name("property methods", tests, NULL, NULL);
}
