/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All of a state follows from `low`: for every rectangle not yet placed, the lowest offset that
 * it can still get, which is the highest end of a placed one that overlaps it, rounded up to
 * its alignment.
 *
 * Nothing can begin in a section below the smallest low of those left there; so that is the
 * section's floor, and what lies between it and the top of what is placed is lost.  Lows do not
 * depend on floors, so one pass over the sections that a change touches draws all conclusions:
 * there is no cascade.
 *
 * A section keeps how many rectangles are at its floor.  While a raise leaves some of them,
 * nothing else changes there; only when the last one is raised is the section looked over.  When
 * a rectangle is placed, all that are left in its sections come to stand on its top or higher,
 * and those on its top are counted for all of its sections at once, by where their lives begin
 * and end.
 *
 * Sets of rectangles are bits; with rectangles in the order of their starts, a section's or a
 * rectangle's set is a few words.
 *
 * The key is a sum over what is left of (low + 1) times a fixed odd number of 128 bits for each
 * rectangle, modulo 2^128 (multilinear hashing, Carter and Wegman 1979): it is kept up to date
 * with one multiplication per change.
 */
#include "search/cells_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "search/refuted.h"

/* Bytes of sets at most. */
#define SETS_MAX (UINT64_C(1) << 27)

/* ---------------------------------------------------------------- making */

bool cells_state_fits(const struct part *part) {
  return ((uint64_t)part->section_count + part->count) * (part->count / 64 + 1) * 8 <= SETS_MAX;
}

static void fill_sets(struct cells_state *state) {
  const struct part *part = state->part;
  for (uint32_t i = 0; i < part->count; i++)
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        rectangle_sets_add(&state->live, at, i);
  rectangle_sets_trim(&state->live);
  for (uint32_t i = 0; i < part->count; i++)
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        rectangle_sets_join(&state->overlaps, i, &state->live, at);
  rectangle_sets_trim(&state->overlaps);
}

static void fill_rectangles(struct cells_state *state) {
  const struct part *part = state->part;
  uint32_t at = 0;
  for (uint32_t i = 0; i < part->count; i++) {
    state->hulls[i] = part_hull(part, i);
    state->multipliers[i] = refuted_multiplier(i);
    while (at <= state->hulls[i].first)
      state->starters[at++] = i;
  }
  while (at <= part->section_count)
    state->starters[at++] = (uint32_t)part->count;
}

static bool make_sections(struct cells_state *state) {
  size_t count = (size_t)state->part->section_count + 1;
  state->floor = memory_array(count, sizeof *state->floor);
  state->lowest_count = memory_array(count, sizeof *state->lowest_count);
  state->rest = memory_array(count, sizeof *state->rest);
  state->crossing = memory_array(count, sizeof *state->crossing);
  state->starters = memory_array(count, sizeof *state->starters);
  state->dirty = memory_array(count, sizeof *state->dirty);
  state->steps = memory_array(count, sizeof *state->steps);
  return state->floor && state->lowest_count && state->rest && state->crossing &&
         state->starters && state->dirty && state->steps;
}

static bool make_rectangles(struct cells_state *state) {
  size_t count = state->part->count;
  state->low = memory_array(count, sizeof *state->low);
  state->hulls = memory_array(count, sizeof *state->hulls);
  state->multipliers = memory_array(count, sizeof *state->multipliers);
  state->left = memory_array(count / 64 + 1, sizeof *state->left);
  state->seen = memory_array(count / 64 + 1, sizeof *state->seen);
  return state->low && state->hulls && state->multipliers && state->left && state->seen;
}

bool cells_state_init(struct cells_state *state, const struct part *part) {
  *state = (struct cells_state){.part = part};
  if (!make_sections(state) || !make_rectangles(state) ||
      !rectangle_sets_init(&state->live, part->section_count, part->count) ||
      !rectangle_sets_init(&state->overlaps, part->count, part->count)) {
    cells_state_clear(state);
    return false;
  }
  fill_rectangles(state);
  fill_sets(state);
  return true;
}

void cells_state_clear(struct cells_state *state) {
  free(state->floor);
  free(state->lowest_count);
  free(state->rest);
  free(state->crossing);
  free(state->starters);
  free(state->dirty);
  free(state->steps);
  free(state->low);
  free(state->hulls);
  free(state->multipliers);
  free(state->left);
  free(state->seen);
  free(state->changes);
  rectangle_sets_clear(&state->live);
  rectangle_sets_clear(&state->overlaps);
  *state = (struct cells_state){0};
}

/* ---------------------------------------------------------------- keys */

static wide_half key_of_rectangle(const struct cells_state *state, uint32_t item) {
  return state->multipliers[item] * (wide_half)(uint64_t)(state->low[item] + 1);
}

static wide_half key_of_capacity(const struct cells_state *state) {
  return refuted_multiplier(UINT32_MAX) * (wide_half)(uint64_t)state->capacity;
}

wide_half cells_state_key_of(const struct cells_state *state, struct span range) {
  wide_half key = key_of_capacity(state);
  for (uint32_t i = state->starters[range.first]; i < state->starters[range.end]; i++)
    if (cells_state_is_left(state, i)) key += key_of_rectangle(state, i);
  return key;
}

/* ---------------------------------------------------------------- inference */

static void note(struct cells_state *state, uint32_t at, neap_offset value, uint32_t count) {
  if (state->change_count == state->change_capacity &&
      !memory_reserve(&state->changes, &state->change_capacity, state->change_count + 1,
                      sizeof *state->changes)) {
    state->out_of_memory = true;
    return;
  }
  state->changes[state->change_count++] = (struct cells_change){value, at, count};
}

static void note_section(struct cells_state *state, uint32_t at) {
  note(state, at, state->floor[at], state->lowest_count[at]);
}

/* Where the floor is `floor`, one fewer is at it. */
static void leave_floors(struct cells_state *state, uint32_t first, uint32_t end,
                         neap_offset floor) {
  for (uint32_t at = first; at < end; at++)
    if (state->floor[at] == floor) {
      note_section(state, at);
      if (--state->lowest_count[at] == 0) state->dirty[state->dirty_count++] = at;
    }
}

/*
 * Gives a rectangle a higher low; false when it is fixed lower than that.  Sections in `skip`
 * are left alone: they are looked after anyway.
 */
static bool lift(struct cells_state *state, uint32_t item, neap_offset height,
                 struct span skip) {
  const struct part *part = state->part;
  neap_offset old = state->low[item];
  if (part->fixed[item] != NEAP_UNPLACED) return false;
  note(state, item, old, CELLS_NONE);
  neap_offset low =
      part->alignment[item] == 1 ? height : round_up(height, part->alignment[item]);
  state->low[item] = low;
  state->key += state->multipliers[item] * (wide_half)(uint64_t)(low - old);
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++) {
    struct span span = part->spans[s];
    uint32_t before = span.end < skip.first ? span.end : skip.first;
    uint32_t after = span.first > skip.end ? span.first : skip.end;
    if (span.first < before) leave_floors(state, span.first, before, old);
    if (after < span.end) leave_floors(state, after, span.end, old);
  }
  return true;
}

/* Whether a section can still hold what is left there. */
static bool has_room(const struct cells_state *state, uint32_t at) {
  return state->floor[at] == NEAP_MAX || state->floor[at] <= state->capacity - state->rest[at];
}

/* Finds the floor of a section anew. */
static void look_over(struct cells_state *state, uint32_t at) {
  struct rectangle_walk walk = rectangle_walk(&state->live, at, state->left);
  neap_offset floor = NEAP_MAX;
  uint32_t count = 0, item;
  while (rectangle_walk_next(&walk, &item)) {
    neap_offset low = state->low[item];
    if (low > floor) continue;
    count = low < floor ? 1 : count + 1;
    floor = low;
  }
  state->floor[at] = floor;
  state->lowest_count[at] = count;
}

static bool look_over_dirty(struct cells_state *state) {
  bool good = true;
  for (uint32_t i = 0; i < state->dirty_count && good; i++) {
    look_over(state, state->dirty[i]);
    good = has_room(state, state->dirty[i]);
    if (!good) state->failed = state->dirty[i];
  }
  state->dirty_count = 0;
  return good;
}

/* ---------------------------------------------------------------- placing */

/* Takes a rectangle out of its sections, or puts it back. */
static void add_to_sections(struct cells_state *state, uint32_t item, neap_size size,
                            uint32_t one) {
  const struct part *part = state->part;
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
    for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
      state->rest[at] += size;
  for (uint32_t at = state->hulls[item].first; at + 1 < state->hulls[item].end; at++)
    state->crossing[at] += one;
}

/* Makes all sections of a rectangle dirty, nobody at their floors until they are found anew. */
static void soil(struct cells_state *state, uint32_t item) {
  const struct part *part = state->part;
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
    for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++) {
      note_section(state, at);
      state->floor[at] = NEAP_UNPLACED;
      state->dirty[state->dirty_count++] = at;
    }
}

/* Lifts all that overlap a rectangle, just placed, to its top. */
static bool lift_overlapping(struct cells_state *state, uint32_t item, neap_offset top) {
  struct rectangle_walk walk = rectangle_walk(&state->overlaps, item, state->left);
  uint32_t other;
  while (rectangle_walk_next(&walk, &other))
    if (state->low[other] < top && !lift(state, other, top, (struct span){0, 0})) return false;
  return true;
}

/* The same, and counts those whose low is the top in state->steps, as changes from section to
 * section within `span`. */
static bool lift_and_count(struct cells_state *state, uint32_t item, neap_offset top,
                           struct span span) {
  struct rectangle_walk walk = rectangle_walk(&state->overlaps, item, state->left);
  uint32_t other;
  bool good = true;
  while (good && rectangle_walk_next(&walk, &other)) {
    if (state->low[other] > top) continue;
    if (state->low[other] < top) good = lift(state, other, top, span);
    if (state->low[other] != top) continue;
    struct span life = state->hulls[other];
    state->steps[life.first > span.first ? life.first : span.first]++;
    state->steps[life.end < span.end ? life.end : span.end]--;
  }
  return good;
}

/* Makes counts of the steps.  Sections with nobody on the top become dirty. */
static bool settle(struct cells_state *state, neap_offset top, struct span span, bool good) {
  int32_t count = 0;
  for (uint32_t at = span.first; at < span.end; at++) {
    note_section(state, at);
    count += state->steps[at];
    state->steps[at] = 0;
    state->floor[at] = top;
    state->lowest_count[at] = (uint32_t)count;
    if (count == 0) {
      state->dirty[state->dirty_count++] = at;
    } else if (good && top > state->capacity - state->rest[at]) {
      state->failed = at;
      good = false;
    }
  }
  state->steps[span.end] = 0;
  return good;
}

/* Draws the conclusions of a rectangle placed; false when they are that there is no layout. */
static bool conclude(struct cells_state *state, uint32_t item, neap_offset top) {
  if (state->part->has_gaps) {
    soil(state, item);
    return lift_overlapping(state, item, top);
  }
  struct span span = state->hulls[item];
  return settle(state, top, span, lift_and_count(state, item, top, span));
}

bool cells_state_place(struct cells_state *state, uint32_t item) {
  state->left[item >> 6] &= ~(UINT64_C(1) << (item & 63));
  state->left_count--;
  state->key -= key_of_rectangle(state, item);
  state->failed = state->hulls[item].first;
  add_to_sections(state, item, -state->part->size[item], UINT32_MAX);
  bool good = conclude(state, item, state->low[item] + state->part->size[item]);
  if (good) return look_over_dirty(state);
  state->dirty_count = 0;
  return false;
}

bool cells_state_raise(struct cells_state *state, uint32_t section, neap_offset height) {
  struct rectangle_walk walk = rectangle_walk(&state->live, section, state->left);
  uint32_t item;
  bool good = true;
  state->failed = section;
  while (good && rectangle_walk_next(&walk, &item))
    if (state->low[item] < height) good = lift(state, item, height, (struct span){0, 0});
  if (good) return look_over_dirty(state);
  state->dirty_count = 0;
  return false;
}

bool cells_state_lift(struct cells_state *state, uint32_t item, neap_offset height) {
  state->failed = state->hulls[item].first;
  return lift(state, item, height, (struct span){0, 0}) && look_over_dirty(state);
}

void cells_state_undo(struct cells_state *state, struct cells_mark mark, uint32_t item) {
  while (state->change_count > mark.change_count) {
    struct cells_change change = state->changes[--state->change_count];
    if (change.count == CELLS_NONE) {
      state->low[change.at] = change.value;
    } else {
      state->floor[change.at] = change.value;
      state->lowest_count[change.at] = change.count;
    }
  }
  state->key = mark.key;
  if (item == CELLS_NONE) return;
  add_to_sections(state, item, state->part->size[item], 1);
  state->left[item >> 6] |= UINT64_C(1) << (item & 63);
  state->left_count++;
}

/* ---------------------------------------------------------------- beginning */

bool cells_state_reset(struct cells_state *state, neap_size capacity) {
  const struct part *part = state->part;
  state->capacity = capacity;
  state->left_count = (uint32_t)part->count;
  state->change_count = state->dirty_count = 0;
  state->failed = CELLS_NONE;
  memset(state->rest, 0, part->section_count * sizeof *state->rest);
  memset(state->crossing, 0, part->section_count * sizeof *state->crossing);
  for (uint32_t i = 0; i < part->count; i++) {
    state->left[i >> 6] |= UINT64_C(1) << (i & 63);
    state->low[i] = part->fixed[i] == NEAP_UNPLACED ? 0 : part->fixed[i];
    add_to_sections(state, i, part->size[i], 1);
  }
  state->key = cells_state_key_of(state, (struct span){0, part->section_count});
  bool good = true;
  for (uint32_t at = 0; at < part->section_count; at++) {
    look_over(state, at);
    good = has_room(state, at) && good;
  }
  return good;
}

/* ---------------------------------------------------------------- the next height */

/* Adds to state->seen all that overlap a rectangle. */
static void see_overlapping(struct cells_state *state, uint32_t item) {
  const struct rectangle_sets *sets = &state->overlaps;
  const uint64_t *row = sets->words + item * sets->row_words;
  for (uint32_t word = sets->first[item]; word < sets->end[item]; word++)
    state->seen[word] |= row[word];
}

/*
 * The lowest end, where it is put as low as it can, of anything left that was seen and does not
 * live in the section.
 */
static neap_offset lowest_end_beside(const struct cells_state *state, uint32_t section) {
  const uint64_t *here = state->live.words + section * state->live.row_words;
  neap_offset best = NEAP_MAX;
  for (size_t word = 0; word < state->live.row_words; word++)
    for (uint64_t bits = state->seen[word] & state->left[word] & ~here[word]; bits;
         bits &= bits - 1) {
      size_t other = word << 6 | (size_t)__builtin_ctzll(bits);
      neap_offset end = state->low[other] + state->part->size[other];
      if (end < best) best = end;
    }
  return best;
}

/*
 * A rectangle at the floor that does not begin there rests on something, which has a place
 * already, and then the rectangle's low is higher, or overlaps it and does not live in the
 * section.
 */
neap_offset cells_state_next_height(struct cells_state *state, uint32_t section) {
  struct rectangle_walk walk = rectangle_walk(&state->live, section, state->left);
  neap_offset best = NEAP_MAX;
  uint32_t item;
  memset(state->seen, 0, state->live.row_words * sizeof *state->seen);
  while (rectangle_walk_next(&walk, &item)) {
    if (state->low[item] > state->floor[section]) {
      if (state->low[item] < best) best = state->low[item];
    } else if (state->part->fixed[item] != NEAP_UNPLACED) {
      return NEAP_MAX; /* it must begin at the floor */
    } else {
      see_overlapping(state, item);
    }
  }
  neap_offset beside = lowest_end_beside(state, section);
  return beside < best ? beside : best;
}
