/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the two boards. */
#include <stdlib.h>
#include <string.h>

#include "search/boards/candidates.h"
#include "search/boards/global_state.h"
#include "search/boards/local_state.h"
#include "search/parts.h"
#include "tests/support/random_problem.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- the global board */

/*
 * The state of the global board: after every step its values are those that a slow recomputation
 * gives, an undo restores all of them, and its checks notice values that are wrong.
 */

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

TEST(at_first_all_buffers_are_on_the_ground) {
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

TEST(overlapping_buffers_are_lifted_onto_placed_ones) {
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
TEST(lost_bytes_are_paid_from_slack) {
  struct stage stage = example();
  assert_int_equal(global_state_place(&stage.state, 0), SEARCH_OPEN);
  assert_int_equal(stage.state.low[1], 3);
  assert_int_equal(stage.state.floor[1], 0); /* c can still go there */
  assert_int_equal(global_state_next_height(&stage.state, 1), 3);
  assert_int_equal(global_state_raise(&stage.state, 1, 3), SEARCH_REFUTED);
  assert_int_equal(stage.state.refuting, 1);
  stage_clear(&stage);
}

TEST(a_column_without_room_refutes_at_once) {
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
TEST(fixed_buffers_are_obstacles) {
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
  assert_int_equal(global_state_raise(&stage.state, 0, 1), SEARCH_REFUTED); /* a onto b */
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

/* Places something, or raises a column. */
static enum search_status step_forth(struct global_state *state, struct dice *dice,
                                     struct step *step) {
  uint32_t item = find_on_floor(state, dice);
  *step = (struct step){global_state_mark(state), BOARD_NONE, global_state_digest(state)};
  if (item == BOARD_NONE) return SEARCH_REFUTED;
  if (dice_chance(dice, 60)) {
    step->placed = item;
    return global_state_place(state, item);
  }
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

TEST(every_step_keeps_the_invariants_and_can_be_undone) {
  for (uint64_t seed = 0, tries = sample_tries(300); seed < tries; seed++) {
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
TEST(keys_distinguish_states) {
  struct stage stage = example();
  struct board_mark mark = global_state_mark(&stage.state);
  global_state_place(&stage.state, 1);
  global_state_place(&stage.state, 0);
  wide_half one = stage.state.key;
  assert_true(one != mark.key);
  global_state_reset(&stage.state, 7);
  global_state_place(&stage.state, 1);
  global_state_raise(&stage.state, stage.state.hulls[0].first, 3);
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

TEST(wrong_values_are_noticed) {
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

/* ---------------------------------------------------------------- the local board */

/* Compares the data structures of the local board, skyline and candidates, with plain arrays. */

#define MOST 70

/* ---------------------------------------------------------------- skyline */

static void expect_heights(const struct skyline *skyline, const neap_offset *heights,
                           uint32_t count) {
  for (uint32_t at = 0; at < count; at++) {
    uint32_t start = at, end = at + 1;
    while (start > 0 && heights[start - 1] == heights[at])
      start--;
    while (end < count && heights[end] == heights[at])
      end++;
    assert_int_equal(skyline_floor(skyline, at), heights[at]);
    assert_int_equal(skyline_start(skyline, at), start);
    assert_int_equal(skyline_end(skyline, at), end);
    assert_int_equal(skyline_left_of(skyline, start),
                     start ? heights[start - 1] : SKYLINE_WALL);
    assert_int_equal(skyline_right_of(skyline, end), end < count ? heights[end] : SKYLINE_WALL);
  }
}

static void set_some(struct skyline *skyline, neap_offset *heights, struct dice *dice,
                     uint32_t count) {
  uint32_t first = (uint32_t)dice_roll(dice, count);
  struct span span = {first, first + 1 + (uint32_t)dice_roll(dice, count - first)};
  neap_offset height = (neap_offset)dice_roll(dice, 4);
  assert_true(skyline_set(skyline, span, height));
  for (uint32_t at = span.first; at < span.end; at++)
    heights[at] = height;
}

static void follow_skyline(uint32_t count) {
  struct dice dice = {count};
  struct skyline skyline;
  neap_offset heights[8][MOST] = {{0}};
  size_t marks[8];
  assert_true(skyline_init(&skyline, count));
  for (int depth = 0; depth < 7; depth++) {
    marks[depth] = skyline.change_count;
    memcpy(heights[depth + 1], heights[depth], sizeof heights[0]);
    set_some(&skyline, heights[depth + 1], &dice, count);
    expect_heights(&skyline, heights[depth + 1], count);
  }
  for (int depth = 7; depth-- > 0;) {
    skyline_undo(&skyline, marks[depth]);
    expect_heights(&skyline, heights[depth], count);
  }
  skyline_clear(&skyline);
}

TEST(heights_are_those_of_an_array_and_come_back) {
  for (uint32_t count = 1; count <= MOST; count++)
    follow_skyline(count);
}

/* ---------------------------------------------------------------- candidates */

#define SECTIONS 12

/* A part in which each rectangle has one span, in its own arrays. */
struct crowd {
  struct part part;
  struct span spans[MOST];
  neap_size sizes[MOST], most; /* larger ones are not looked at */
  neap_size alignments[MOST];
  neap_offset fixed[MOST];
  uint32_t rank[MOST], item_of[MOST];
  bool there[MOST];
};

static void crowd_roll(struct crowd *crowd, struct dice *dice, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t first = (uint32_t)dice_roll(dice, SECTIONS);
    crowd->spans[i] =
        (struct span){first, first + 1 + (uint32_t)dice_roll(dice, SECTIONS - first)};
    crowd->sizes[i] = 1 + (neap_size)dice_roll(dice, 9);
    crowd->alignments[i] = 1 + (neap_size)dice_roll(dice, 9);
    crowd->fixed[i] = NEAP_UNPLACED;
    crowd->rank[i] = (i * 7 + 3) % count; /* count is not a multiple of 7 */
    crowd->item_of[crowd->rank[i]] = i;
    crowd->there[i] = true;
  }
  crowd->part = (struct part){.count = count,
                              .size = crowd->sizes,
                              .alignment = crowd->alignments,
                              .fixed = crowd->fixed,
                              .spans = crowd->spans,
                              .column_count = SECTIONS,
                              .is_simple = true};
}

static bool lies_within(const struct crowd *crowd, uint32_t item, struct span span) {
  return crowd->there[item] && crowd->sizes[item] <= crowd->most &&
         crowd->spans[item].first >= span.first && crowd->spans[item].end <= span.end;
}

static bool lives_in(const struct crowd *crowd, uint32_t item, uint32_t at) {
  return crowd->spans[item].first <= at && at < crowd->spans[item].end;
}

static uint32_t best_of(const struct crowd *crowd, struct span span, uint32_t at,
                        uint32_t from) {
  for (uint32_t rank = from; rank < crowd->part.count; rank++) {
    uint32_t item = crowd->item_of[rank];
    if (lies_within(crowd, item, span) && lives_in(crowd, item, at)) return rank;
  }
  return CANDIDATES_NONE;
}

static neap_size smallest_of(const struct crowd *crowd, struct span span, uint32_t at) {
  neap_size smallest = NEAP_MAX;
  for (uint32_t i = 0; i < crowd->part.count; i++)
    if (lies_within(crowd, i, span) && !lives_in(crowd, i, at) && crowd->sizes[i] < smallest)
      smallest = crowd->sizes[i];
  return smallest;
}

static bool is_covered(const struct crowd *crowd, struct span span, uint32_t at) {
  for (uint32_t i = 0; i < crowd->part.count; i++)
    if (lies_within(crowd, i, span) && lives_in(crowd, i, at)) return true;
  return false;
}

static void expect_hole(const struct crowd *crowd, struct span hole, struct span span,
                        uint32_t at) {
  uint32_t first = at, end = at + 1;
  while (first > span.first && !is_covered(crowd, span, first - 1))
    first--;
  while (end < span.end && !is_covered(crowd, span, end))
    end++;
  assert_int_equal(hole.first, first);
  assert_int_equal(hole.end, end);
}

static void follow_candidates(uint32_t count) {
  struct dice dice = {count};
  struct crowd crowd;
  struct candidates candidates;
  crowd_roll(&crowd, &dice, count);
  assert_true(candidates_init(&candidates, &crowd.part));
  candidates_fill(&candidates, crowd.rank);
  for (int step = 0; step < 300; step++) {
    uint32_t item = (uint32_t)dice_roll(&dice, count),
             first = (uint32_t)dice_roll(&dice, SECTIONS);
    if (crowd.there[item]) candidates_remove(&candidates, item);
    else candidates_restore(&candidates, item);
    crowd.there[item] = !crowd.there[item];
    struct span span = {first, first + 1 + (uint32_t)dice_roll(&dice, SECTIONS - first)};
    uint32_t at = first + (uint32_t)dice_roll(&dice, span.end - first);
    uint32_t from = (uint32_t)dice_roll(&dice, count);
    crowd.most = NEAP_MAX;
    assert_int_equal(candidates_smallest(&candidates, span, at), smallest_of(&crowd, span, at));
    if (step % 2 == 0) crowd.most = (neap_size)dice_roll(&dice, 11);
    assert_int_equal(candidates_best(&candidates, span, at, crowd.most, from),
                     best_of(&crowd, span, at, from));
    if (best_of(&crowd, span, at, 0) == CANDIDATES_NONE)
      expect_hole(&crowd, candidates_hole(&candidates, span, at, crowd.most), span, at);
  }
  candidates_clear(&candidates);
}

TEST(candidates_are_those_of_loops) {
  for (uint32_t count = 1; count <= MOST; count++)
    if (count % 7 != 0) follow_candidates(count);
}

/* ---------------------------------------------------------------- overhangs */

/* The lowest offset of a fixed rectangle that meets a span at or above a floor, or NEAP_MAX. */
static neap_offset lowest_of(const struct crowd *crowd, struct span span, neap_offset floor) {
  neap_offset lowest = NEAP_MAX;
  for (uint32_t i = 0; i < crowd->part.count; i++)
    if (crowd->fixed[i] != NEAP_UNPLACED && crowd->fixed[i] >= floor &&
        crowd->fixed[i] < lowest && crowd->spans[i].first < span.end &&
        span.first < crowd->spans[i].end)
      lowest = crowd->fixed[i];
  return lowest;
}

/* Whether a rectangle at an offset hits one of the fixed ones before `end`. */
static bool hits_fixed(const struct crowd *crowd, uint32_t item, neap_offset offset,
                       uint32_t end) {
  for (uint32_t k = 0; k < end; k++)
    if (crowd->fixed[k] != NEAP_UNPLACED && offset < crowd->fixed[k] + crowd->sizes[k] &&
        crowd->fixed[k] < offset + crowd->sizes[item] &&
        crowd->spans[item].first < crowd->spans[k].end &&
        crowd->spans[k].first < crowd->spans[item].end)
      return true;
  return false;
}

static bool any_collide(const struct crowd *crowd) {
  for (uint32_t i = 0; i < crowd->part.count; i++)
    if (crowd->fixed[i] != NEAP_UNPLACED && hits_fixed(crowd, i, crowd->fixed[i], i))
      return true;
  return false;
}

/* The highest end when each rectangle lies as low as the fixed ones let it. */
static neap_size peak_of(const struct crowd *crowd) {
  neap_size peak = 0;
  for (uint32_t i = 0; i < crowd->part.count; i++) {
    neap_offset offset = crowd->fixed[i] == NEAP_UNPLACED ? 0 : crowd->fixed[i];
    while (crowd->fixed[i] == NEAP_UNPLACED &&
           hits_fixed(crowd, i, offset, (uint32_t)crowd->part.count))
      offset += crowd->alignments[i];
    if (offset + crowd->sizes[i] > peak) peak = offset + crowd->sizes[i];
  }
  return peak;
}

static void look_for_overhangs(uint32_t count, neap_offset highest) {
  struct dice dice = {count};
  struct crowd crowd;
  struct overhangs overhangs;
  crowd_roll(&crowd, &dice, count);
  for (uint32_t i = 0; i < count; i++)
    if (dice_chance(&dice, 40))
      crowd.fixed[i] = (neap_offset)dice_roll(&dice, (uint64_t)highest);
  assert_true(overhangs_init(&overhangs, &crowd.part));
  assert_int_equal(overhangs.collide, any_collide(&crowd));
  if (overhangs.count > 0) assert_int_equal(overhangs.peak, peak_of(&crowd));
  for (int step = 0; step < 100; step++) {
    uint32_t first = (uint32_t)dice_roll(&dice, SECTIONS);
    struct span span = {first, first + 1 + (uint32_t)dice_roll(&dice, SECTIONS - first)};
    neap_offset floor = (neap_offset)dice_roll(&dice, (uint64_t)highest + 2);
    uint32_t place = overhangs_lowest(&overhangs, span, floor);
    neap_offset lowest =
        place == OVERHANGS_NONE ? NEAP_MAX : overhangs_bottom(&overhangs, place);
    assert_int_equal(lowest, lowest_of(&crowd, span, floor));
  }
  overhangs_clear(&overhangs);
}

TEST(overhangs_are_those_of_loops) {
  for (uint32_t count = 1; count <= MOST; count++)
    if (count % 7 != 0) {
      look_for_overhangs(count, 10);
      look_for_overhangs(count, 2000);
    }
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
      cmocka_unit_test(heights_are_those_of_an_array_and_come_back),
      cmocka_unit_test(candidates_are_those_of_loops),
      cmocka_unit_test(overhangs_are_those_of_loops),
  };
  return cmocka_run_group_tests_name("boards", tests, NULL, NULL);
}
