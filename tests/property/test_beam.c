/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Beams on tiny random problems with every constraint, against brute force: one that drops nothing finds
 * the optimum, none finds less, and whatever one finds is sound, however narrow it is and however few
 * snapshots it can take.  A snapshot brings everything back that an undo does.
 */
#include <stdlib.h>

#include "search/beams/cell_beam.h"
#include "search/boards/board_global.h"
#include "search/boards/global_snapshot.h"
#include "tests/property/method.h"
#include "tests/property/reference.h"
#include "tests/property/trial.h"
#include "tests/unit/sample.h"

#define PROBLEMS 400
#define AMPLE ((size_t)1 << 26)

/* Whether one beam for each part finds a layout within a capacity in bytes; it is sound. */
static bool find(struct trial *trial, neap_size capacity, struct cell_beam_manner manner,
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

static void a_wide_beam_finds_the_optimum(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    neap_size optimum = reference_optimum(&trial.instance);
    enum board_choice choice = seed % 2 == 0 ? BOARD_LOWEST : BOARD_FEWEST;
    struct cell_beam_manner wide = {10000, {choice, 0.002, (neap_size)(seed / 2 % 3)}, 0};
    trial_expect(&trial, find(&trial, optimum, wide, AMPLE), "the optimum is found");
    trial_expect(&trial, optimum == 0 || !find(&trial, optimum - 1, wide, AMPLE),
                 "nothing less is");
    trial_clear(&trial);
  }
}

static void narrow_beams_find_sound_layouts(void **state) {
  (void)state;
  size_t found = 0, tried = 0;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
    struct trial trial;
    trial_init(&trial, seed);
    neap_size optimum = reference_optimum(&trial.instance);
    for (uint32_t width = 1; width <= 4; width++) {
      struct cell_beam_manner narrow = {
          width, {BOARD_FEWEST, 0.03, (neap_size)(seed % 3)}, 0.5};
      found += find(&trial, optimum, narrow, AMPLE);
      found += find(&trial, optimum + optimum / 2, narrow, 1);
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
    assert_true(method_beams.peak(beams) <= peak);
    peak = method_beams.peak(beams);
    assert_true(verdict == VERDICT_FOUND || peak > part->lower_bound);
    if (peak < NEAP_MAX) assert_true(part_peak(part, method_beams.offsets(beams)) == peak);
  }
  method_beams.free(beams);
}

static void beams_keep_the_lowest_layout(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
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

static void beams_end_when_their_budget_does(void **state) {
  (void)state;
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

static void snapshots_bring_everything_back(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < PROBLEMS; seed++) {
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
      cmocka_unit_test(a_wide_beam_finds_the_optimum),
      cmocka_unit_test(narrow_beams_find_sound_layouts),
      cmocka_unit_test(beams_keep_the_lowest_layout),
      cmocka_unit_test(beams_end_when_their_budget_does),
      cmocka_unit_test(snapshots_bring_everything_back),
  };
  return cmocka_run_group_tests_name("property beam", tests, NULL, NULL);
}
