/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the data structures of the local board, skyline and candidates, with plain arrays. */
#include <stdlib.h>
#include <string.h>

#include "search/candidates.h"
#include "search/skyline.h"
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
  neap_size sizes[MOST];
  uint32_t rank[MOST], item_of[MOST];
  bool there[MOST];
};

static void crowd_roll(struct crowd *crowd, struct dice *dice, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t first = (uint32_t)dice_roll(dice, SECTIONS);
    crowd->spans[i] =
        (struct span){first, first + 1 + (uint32_t)dice_roll(dice, SECTIONS - first)};
    crowd->sizes[i] = 1 + (neap_size)dice_roll(dice, 9);
    crowd->rank[i] = (i * 7 + 3) % count; /* count is not a multiple of 7 */
    crowd->item_of[crowd->rank[i]] = i;
    crowd->there[i] = true;
  }
  crowd->part = (struct part){.count = count,
                              .size = crowd->sizes,
                              .spans = crowd->spans,
                              .column_count = SECTIONS,
                              .is_simple = true};
}

static bool lies_within(const struct crowd *crowd, uint32_t item, struct span span) {
  return crowd->there[item] && crowd->spans[item].first >= span.first &&
         crowd->spans[item].end <= span.end;
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
    assert_int_equal(candidates_best(&candidates, span, at, from),
                     best_of(&crowd, span, at, from));
    assert_int_equal(candidates_smallest(&candidates, span, at), smallest_of(&crowd, span, at));
    if (best_of(&crowd, span, at, 0) == CANDIDATES_NONE)
      expect_hole(&crowd, candidates_hole(&candidates, span, at), span, at);
  }
  candidates_clear(&candidates);
}

static void candidates_are_those_of_loops(void **state) {
  (void)state;
  for (uint32_t count = 1; count <= MOST; count++)
    if (count % 7 != 0) follow_candidates(count);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heights_are_those_of_an_array_and_come_back),
      cmocka_unit_test(candidates_are_those_of_loops),
  };
  return cmocka_run_group_tests_name("structures", tests, NULL, NULL);
}
