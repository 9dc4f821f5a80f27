/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the data structures of the local board, skyline and candidates, with plain arrays. */
#include <stdlib.h>
#include <string.h>

#include "search/boards/candidates.h"
#include "search/boards/overhangs.h"
#include "search/boards/skyline.h"
#include "tests/property/random_problem.h"
#include "tests/unit/sample.h"

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

static void heights_are_those_of_an_array_and_come_back(void **state) {
  (void)state;
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

static void candidates_are_those_of_loops(void **state) {
  (void)state;
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

static void overhangs_are_those_of_loops(void **state) {
  (void)state;
  for (uint32_t count = 1; count <= MOST; count++)
    if (count % 7 != 0) {
      look_for_overhangs(count, 10);
      look_for_overhangs(count, 2000);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heights_are_those_of_an_array_and_come_back),
      cmocka_unit_test(candidates_are_those_of_loops),
      cmocka_unit_test(overhangs_are_those_of_loops),
  };
  return cmocka_run_group_tests_name("structures", tests, NULL, NULL);
}
