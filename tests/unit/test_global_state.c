/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the global board: after every step its values are those that a slow recomputation
 * gives, an undo restores all of them, and its checks notice values that are wrong.
 */
#include <stdlib.h>
#include <string.h>

#include "search/boards/global_state.h"
#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

#define DEPTH 24

/* The first part of a problem, as a state. */
struct stage {
  neap_problem *problem;
  struct parts parts;
  struct global_state state;
};

static void stage_init(struct stage *stage, neap_problem *problem) {
  neap_error error;
  *stage = (struct stage){.problem = problem};
  assert_ok(parts_init(&stage->parts, problem, &error), &error);
  assert_true(stage->parts.count > 0);
  assert_true(global_state_init(&stage->state, &stage->parts.items[0]));
}

static void stage_clear(struct stage *stage) {
  global_state_clear(&stage->state);
  parts_clear(&stage->parts);
  neap_problem_free(stage->problem);
}

static void expect_whole(const struct global_state *state) {
  const char *broken = global_state_broken(state);
  if (broken) fail_msg("%s", broken);
}

/* ---------------------------------------------------------------- a small example */

/*
 *    0   2   4   6      a is alive in the first column, b in both, c in the second; all lie at
 *    ├─a─┤ ├─c─┤        the floor until something is placed.
 *      ├──b──┤
 */
static struct stage example(void) {
  static const struct sample samples[] = {{0, 3, 3, 0}, {2, 5, 2, 0}, {4, 6, 4, 0}};
  struct stage stage;
  stage_init(&stage, sample_problem(samples, SAMPLE_COUNT(samples)));
  assert_int_equal(stage.parts.items[0].column_count, 2);
  assert_int_equal(global_state_reset(&stage.state, 7), SEARCH_OPEN);
  expect_whole(&stage.state);
  return stage;
}

static void at_first_all_buffers_are_on_the_ground(void **state) {
  (void)state;
  struct stage stage = example();
  for (uint32_t at = 0; at < 2; at++) {
    assert_int_equal(stage.state.floor[at], 0);
    assert_int_equal(stage.state.lowest_count[at], 2);
  }
  assert_int_equal(stage.state.rest[0], 5);
  assert_int_equal(stage.state.rest[1], 6);
  assert_int_equal(stage.state.crossing[0], 1);
  assert_int_equal(global_state_slack(&stage.state, 1), 1);
  stage_clear(&stage);
}

static void overlapping_buffers_are_lifted_onto_placed_ones(void **state) {
  (void)state;
  struct stage stage = example();
  assert_int_equal(global_state_place(&stage.state, 1), SEARCH_OPEN);
  expect_whole(&stage.state);
  assert_int_equal(stage.state.low[0], 2);
  assert_int_equal(stage.state.low[2], 2);
  assert_int_equal(stage.state.floor[0], 2);
  assert_int_equal(stage.state.rest[1], 4);
  assert_int_equal(stage.state.crossing[0], 0);
  stage_clear(&stage);
}

/* With a at the bottom b lies on 3, and c fits below it only if nothing is lost. */
static void lost_bytes_are_paid_from_slack(void **state) {
  (void)state;
  struct stage stage = example();
  assert_int_equal(global_state_place(&stage.state, 0), SEARCH_OPEN);
  assert_int_equal(stage.state.low[1], 3);
  assert_int_equal(stage.state.floor[1], 0); /* c can still go there */
  assert_int_equal(global_state_next_height(&stage.state, 1), 3);
  assert_int_equal(global_state_raise(&stage.state, 1, 3), SEARCH_REFUTED);
  assert_int_equal(stage.state.refuting, 1);
  stage_clear(&stage);
}

static void a_column_without_room_refutes_at_once(void **state) {
  (void)state;
  struct stage stage = example();
  assert_int_equal(global_state_reset(&stage.state, 5), SEARCH_REFUTED);
  assert_int_equal(global_state_reset(&stage.state, 6), SEARCH_OPEN);
  expect_whole(&stage.state);
  stage_clear(&stage);
}

/*
 *    0 1 2 3 4      b is fixed at 5 and up to 10, so c of size 10 must begin above it, and a has
 *    ├─a───┤        just room below.
 *      ├─b───┤
 *        ├─c─┤
 */
static void fixed_buffers_are_obstacles(void **state) {
  (void)state;
  neap_problem *problem = neap_problem_new();
  struct stage stage;
  sample_add(problem, "a", 0, 3, 5);
  sample_add_fixed(problem, "b", 1, 4, 5, 5);
  sample_add(problem, "c", 2, 4, 10);
  stage_init(&stage, problem);
  assert_int_equal(stage.parts.items[0].unit, 5);
  uint32_t a = 0, b = 1, c = 2;
  assert_int_equal(stage.parts.items[0].buffer[a], 0);
  assert_int_equal(global_state_reset(&stage.state, 3), SEARCH_REFUTED); /* no room for c */
  assert_int_equal(global_state_reset(&stage.state, 4), SEARCH_OPEN);
  expect_whole(&stage.state);
  assert_false(global_state_is_left(&stage.state, b));
  assert_int_equal(stage.state.low[b], 1);
  assert_int_equal(stage.state.low[c], 2);
  assert_int_equal(stage.state.floor[0], 0);
  assert_int_equal(global_state_slack(&stage.state, 0), 0);
  struct board_mark mark = global_state_mark(&stage.state);
  assert_int_equal(global_state_lift(&stage.state, a, 1), SEARCH_REFUTED); /* onto b */
  global_state_undo(&stage.state, mark, BOARD_NONE);
  assert_int_equal(global_state_place(&stage.state, a), SEARCH_OPEN);
  expect_whole(&stage.state);
  assert_int_equal(global_state_place(&stage.state, c), SEARCH_OPEN);
  expect_whole(&stage.state);
  stage_clear(&stage);
}

/* ---------------------------------------------------------------- random walks */

/* A step on the way: where it began, what it placed, and what was there before. */
struct step {
  struct board_mark mark;
  uint32_t placed;
  uint64_t digest;
};

/* Some rectangle that is left and at the floor of all its columns, or BOARD_NONE. */
static uint32_t find_on_floor(const struct global_state *state, struct dice *dice) {
  const struct part *part = state->part;
  uint32_t start = (uint32_t)dice_roll(dice, part->count);
  for (uint32_t k = 0; k < part->count; k++) {
    uint32_t item = (start + k) % (uint32_t)part->count;
    bool flat = global_state_is_left(state, item);
    for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        flat = flat && state->floor[at] == state->low[item];
    if (flat) return item;
  }
  return BOARD_NONE;
}

/* Places something, or raises a column or a rectangle. */
static enum search_status step_forth(struct global_state *state, struct dice *dice,
                                     struct step *step) {
  uint32_t item = find_on_floor(state, dice);
  *step = (struct step){global_state_mark(state), BOARD_NONE, global_state_digest(state)};
  if (item == BOARD_NONE) return SEARCH_REFUTED;
  if (dice_chance(dice, 60)) {
    step->placed = item;
    return global_state_place(state, item);
  }
  if (dice_chance(dice, 50))
    return global_state_lift(state, item, state->low[item] + 1 + (neap_size)dice_roll(dice, 3));
  uint32_t column = state->hulls[item].first;
  neap_offset height = global_state_next_height(state, column);
  return height > state->capacity ? SEARCH_REFUTED : global_state_raise(state, column, height);
}

static void step_back(struct global_state *state, const struct step *step) {
  global_state_undo(state, step->mark, step->placed);
  expect_whole(state);
  assert_true(global_state_digest(state) == step->digest);
}

static void walk(struct global_state *state, neap_size capacity, uint64_t seed) {
  struct dice dice = {seed};
  struct step steps[DEPTH];
  size_t depth = 0;
  if (global_state_reset(state, capacity) != SEARCH_OPEN) return;
  expect_whole(state);
  for (int i = 0; i < 120; i++) {
    if (depth > 0 && (depth == DEPTH || dice_chance(&dice, 35))) {
      step_back(state, &steps[--depth]);
      continue;
    }
    enum search_status status = step_forth(state, &dice, &steps[depth]);
    assert_int_not_equal(status, SEARCH_MEMORY);
    if (status == SEARCH_REFUTED) step_back(state, &steps[depth]);
    else expect_whole(state);
    if (status == SEARCH_OPEN) depth++;
  }
  while (depth > 0)
    step_back(state, &steps[--depth]);
}

static void every_step_keeps_the_invariants_and_can_be_undone(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    struct instance instance =
        instance_random(seed, 16, seed % 3 == 0 ? 0 : (unsigned)(seed % 16));
    neap_problem *problem = instance_problem(&instance);
    struct parts parts;
    neap_error error;
    assert_ok(parts_init(&parts, problem, &error), &error);
    for (size_t p = 0; p < parts.count; p++) {
      struct global_state board;
      assert_true(global_state_init(&board, &parts.items[p]));
      walk(&board, parts.items[p].lower_bound, seed);
      walk(&board, parts.items[p].lower_bound + parts.items[p].lower_bound / 4, seed + 1000);
      walk(&board, parts.items[p].extent, seed + 2000);
      global_state_clear(&board);
    }
    parts_clear(&parts);
    neap_problem_free(problem);
    instance_free(&instance);
  }
}

/* Equal states have equal keys, whatever led to them; others have other keys. */
static void keys_distinguish_states(void **state) {
  (void)state;
  struct stage stage = example();
  struct board_mark mark = global_state_mark(&stage.state);
  global_state_place(&stage.state, 1);
  global_state_place(&stage.state, 0);
  wide_half one = stage.state.key;
  assert_true(one != mark.key);
  global_state_reset(&stage.state, 7);
  global_state_place(&stage.state, 1);
  global_state_lift(&stage.state, 0, 3);
  assert_true(stage.state.key != one);
  global_state_place(&stage.state, 0);
  assert_true(stage.state.key == one);
  stage_clear(&stage);
}

/* ---------------------------------------------------------------- the checks themselves */

static void expect_broken(const struct stage *stage, const char *what) {
  const char *broken = global_state_broken(&stage->state);
  if (!broken || !strstr(broken, what))
    fail_msg("expected \"%s\", found %s", what, broken ? broken : "nothing");
}

static void wrong_values_are_noticed(void **state) {
  (void)state;
  struct stage stage = example();
  struct global_state *board = &stage.state;
  uint64_t digest = global_state_digest(board);
  board->floor[1]++;
  expect_broken(&stage, "a floor is not the smallest low");
  assert_true(global_state_digest(board) != digest);
  board->floor[1]--;
  board->lowest_count[0]++;
  expect_broken(&stage, "miscounted");
  board->lowest_count[0]--;
  board->rest[0] -= 6;
  expect_broken(&stage, "a rest is not the sum");
  board->rest[0] += 6;
  board->crossing[0]++;
  expect_broken(&stage, "cross");
  board->crossing[0]--;
  board->capacity = 5;
  expect_broken(&stage, "a slack is negative");
  board->capacity = 7;
  board->key++;
  expect_broken(&stage, "the key");
  board->key--;
  expect_whole(board);
  global_state_place(board, 1);
  board->low[0] = 1;
  expect_broken(&stage, "a low is below the top");
  stage_clear(&stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_first_all_buffers_are_on_the_ground),
      cmocka_unit_test(overlapping_buffers_are_lifted_onto_placed_ones),
      cmocka_unit_test(lost_bytes_are_paid_from_slack),
      cmocka_unit_test(a_column_without_room_refutes_at_once),
      cmocka_unit_test(fixed_buffers_are_obstacles),
      cmocka_unit_test(every_step_keeps_the_invariants_and_can_be_undone),
      cmocka_unit_test(keys_distinguish_states),
      cmocka_unit_test(wrong_values_are_noticed),
  };
  return cmocka_run_group_tests_name("global state", tests, NULL, NULL);
}
