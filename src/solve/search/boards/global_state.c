/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state is derived from the lows.  A rectangle's low is the lowest offset that it can still
 * get: the highest end of a placed rectangle that shares a column with it, or more if a cell
 * was left empty.  A low is rounded up to the alignment only when the rectangle is placed:
 * unrounded, rectangles of all alignments compete at the same floor, so they are tried by rank
 * and not by alignment.  The floor of a column is the smallest low of its rectangles left: no
 * rectangle can begin below it, so the bytes between the top of the placed rectangles and the
 * floor are lost.
 *
 *      capacity ┌──────────┐ ◄── slack: capacity - floor - rest
 *               │   rest   │     (the sizes of rectangles left)
 *         floor ├──────────┤
 *               │   lost   │
 *               ├──────────┤
 *               │  placed  │
 *               └──────────┘ one column
 *
 * Lows do not depend on floors, so propagation is one pass over the columns that a change
 * touches, and does not cascade.
 *
 * A column counts the rectangles that have their low at its floor.  A raise that leaves some of
 * them there changes nothing else in the column; the floor is recomputed only when the last one
 * rises.  When a rectangle is placed, the lows of all rectangles left in its columns rise to
 * its top or higher; those at the top are counted for all columns at once, from where their
 * hulls begin and end.
 *
 * Sets of rectangles are bit sets.  Rectangles are numbered by their first columns, so the set
 * of a column or of a rectangle's neighbours is a few words.  Placing takes time linear in the
 * neighbours and in the columns whose floor must be recomputed.
 *
 * The key is a sum over the rectangles left of (low + 1) times a fixed odd number of 128 bits
 * per rectangle, modulo 2^128 (multilinear hashing, Carter and Wegman 1979), so an update takes
 * one multiplication.
 *
 * Offsets and sizes are in units of the part. search/boards/global_state_check lists and checks the
 * invariants.
 */
#include "search/boards/global_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/checks.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "search/boards/place_constrained.h"
#include "search/refuted.h"

/* The number of changes that the first allocation has room for. */
#define FIRST_CHANGES 1024

/*
 * For functions that each placement calls for most rectangles left: calls would take a tenth of
 * its time.
 */
#define INLINED static inline __attribute__((always_inline)) enum search_status

/* The value that marks a trail entry as a run of columns; no floor or low is this small. */
#define LEFT INT64_MIN

/* ---------------------------------------------------------------- making */

/*
 * Announces the rectangles that fill_sets will add, so that the sets take only the memory they
 * need.
 */
static void widen_sets(const struct part *part, struct rectangle_sets *members,
                       struct rectangle_sets *overlaps) {
  if (!rectangle_sets_are_wide(members)) return;
  for (uint32_t i = 0; i < part->count; i++)
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        rectangle_sets_widen(members, at, i);
  for (uint32_t i = 0; i < part->count; i++)
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        rectangle_sets_widen_to(overlaps, i, members, at);
}

static bool init_sets(const struct part *part, struct rectangle_sets *members,
                      struct rectangle_sets *overlaps) {
  if (!rectangle_sets_init(members, part->column_count, part->count) ||
      !rectangle_sets_init(overlaps, part->count, part->count))
    return false;
  widen_sets(part, members, overlaps);
  return true;
}

bool global_state_fits(const struct part *part) {
  uint64_t most =
      ((uint64_t)part->column_count + part->count) * (part->count / 64 + 1) * sizeof(uint64_t);
  if (most <= GLOBAL_SETS_MAX || most > GLOBAL_SETS_COUNTED) return most <= GLOBAL_SETS_MAX;
  struct rectangle_sets members = {0}, overlaps = {0};
  bool fits =
      init_sets(part, &members, &overlaps) &&
      (rectangle_sets_size(&members) + rectangle_sets_size(&overlaps)) * sizeof(uint64_t) <=
          GLOBAL_SETS_MAX;
  rectangle_sets_clear(&members);
  rectangle_sets_clear(&overlaps);
  return fits;
}

/*
 * Removes partners by overlap allowance from `overlaps`: they may begin below the end of the
 * other, so ends do not limit their lows.
 */
static void take_out_partners(struct global_state *state) {
  const struct ties *ties = state->part->ties;
  for (uint32_t i = 0; i < state->part->count; i++)
    for (size_t k = ties->partners_begin[i]; k < ties->partners_begin[i + 1]; k++)
      if (ties->partners[k].bank == 0)
        rectangle_sets_remove(&state->overlaps, i, ties->partners[k].other);
}

static void fill_sets(struct global_state *state) {
  const struct part *part = state->part;
  for (uint32_t i = 0; i < part->count; i++)
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        rectangle_sets_add(&state->members, at, i);
  for (uint32_t i = 0; i < part->count; i++)
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        rectangle_sets_join(&state->overlaps, i, &state->members, at);
  if (part->ties) take_out_partners(state);
}

static void fill_rectangles(struct global_state *state) {
  const struct part *part = state->part;
  uint32_t at = 0;
  for (uint32_t i = 0; i < part->count; i++) {
    state->hulls[i] = part_hull(part, i);
    state->multipliers[i] = refuted_multiplier(i);
    while (at <= state->hulls[i].first)
      state->starters[at++] = i;
  }
  while (at <= part->column_count)
    state->starters[at++] = (uint32_t)part->count;
}

/* Makes room for `more` changes; false when memory is short. */
static bool reserve_changes(struct global_state *state, size_t more) {
  return state->change_capacity - state->change_count >= more ||
         memory_reserve(&state->changes, &state->change_capacity, state->change_count + more,
                        sizeof *state->changes);
}

static bool make_arrays(struct global_state *state) {
  size_t columns = (size_t)state->part->column_count + 1, count = state->part->count;
  size_t bodies = state->part->ties ? state->part->ties->body_count : 0;
  const struct memory_part parts[] = {
      {&state->multipliers, count, sizeof *state->multipliers},
      {&state->floor, columns, sizeof *state->floor},
      {&state->rest, columns, sizeof *state->rest},
      {&state->low, count, sizeof *state->low},
      {&state->highest, count, sizeof *state->highest},
      {&state->hulls, count, sizeof *state->hulls},
      {&state->left, count / 64 + 1, sizeof *state->left},
      {&state->seen, count / 64 + 1, sizeof *state->seen},
      {&state->lowest_count, columns, sizeof *state->lowest_count},
      {&state->crossing, columns, sizeof *state->crossing},
      {&state->tops, columns, sizeof *state->tops},
      {&state->starters, columns, sizeof *state->starters},
      {&state->dirty, columns, sizeof *state->dirty},
      {&state->steps, columns, sizeof *state->steps},
      {&state->placed, bodies, sizeof *state->placed},
  };
  state->arrays = memory_block(parts, sizeof parts / sizeof *parts);
  return state->arrays && reserve_changes(state, FIRST_CHANGES);
}

bool global_state_init(struct global_state *state, const struct part *part) {
  *state = (struct global_state){.part = part};
  if (!make_arrays(state) || !init_sets(part, &state->members, &state->overlaps) ||
      !rectangle_sets_open(&state->members) || !rectangle_sets_open(&state->overlaps)) {
    global_state_clear(state);
    return false;
  }
  fill_rectangles(state);
  fill_sets(state);
  if (!obstacles_init(&state->obstacles, part, &state->overlaps)) {
    global_state_clear(state);
    return false;
  }
  state->is_free = part->is_unaligned && !part->ties && !state->obstacles.any;
  return true;
}

void global_state_clear(struct global_state *state) {
  free(state->arrays);
  free(state->changes);
  rectangle_sets_clear(&state->members);
  rectangle_sets_clear(&state->overlaps);
  obstacles_clear(&state->obstacles);
  *state = (struct global_state){0};
}

/* ---------------------------------------------------------------- keys */

static wide_half key_of_rectangle(const struct global_state *state, uint32_t item) {
  return state->multipliers[item] * (wide_half)(uint64_t)(state->low[item] + 1);
}

static wide_half key_of_capacity(const struct global_state *state) {
  neap_size steps = state->capacity * state->part->steps - state->reserve;
  return refuted_multiplier(UINT32_MAX) * (wide_half)(uint64_t)steps;
}

wide_half global_state_key_of(const struct global_state *state, struct span columns) {
  wide_half key = key_of_capacity(state);
  for (uint32_t i = state->starters[columns.first]; i < state->starters[columns.end]; i++)
    if (global_state_is_left(state, i)) key += key_of_rectangle(state, i);
  return key;
}

/* ---------------------------------------------------------------- inference */

/* Records a value before it changes, or a run; room has been reserved. */
static void log_change(struct global_state *state, uint32_t at, neap_offset value,
                       uint32_t count) {
  assert_slowly(state->change_count < state->change_capacity);
  state->changes[state->change_count++] = (struct global_change){value, at, count};
}

static void log_column(struct global_state *state, uint32_t at) {
  log_change(state, at, state->floor[at], state->lowest_count[at]);
}

/*
 * Decrements the count of each column whose floor is `floor`.  A long-lived rectangle leaves
 * hundreds of neighbouring columns at once, so runs are recorded.
 */
static inline void leave_floors(struct global_state *state, uint32_t first, uint32_t end,
                                neap_offset floor) {
  for (uint32_t at = first; at < end; at++) {
    if (state->floor[at] != floor) continue;
    uint32_t begin = at;
    for (; at < end && state->floor[at] == floor; at++) {
      assert(state->lowest_count[at] > 0);
      if (--state->lowest_count[at] == 0) state->dirty[state->dirty_count++] = at;
    }
    log_change(state, begin, LEFT, at);
  }
}

/* Leaves the floors of a run of columns outside `skip`. */
static inline void leave_run(struct global_state *state, struct span run, struct span skip,
                             neap_offset floor) {
  leave_floors(state, run.first, run.end < skip.first ? run.end : skip.first, floor);
  leave_floors(state, run.first > skip.end ? run.first : skip.end, run.end, floor);
}

/* Leaves the floors of a rectangle's columns outside `skip`. */
static void leave_columns(struct global_state *state, uint32_t item, struct span skip,
                          neap_offset floor) {
  const struct part *part = state->part;
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
    leave_run(state, part->spans[s], skip, floor);
}

/*
 * Sets a rectangle's low, which rises.  The columns in `skip` stay as they are: the caller updates
 * them.
 */
INLINED set_low(struct global_state *state, uint32_t item, neap_offset low, struct span skip) {
  neap_offset old = state->low[item];
  assert(old < low);
  struct span hull = state->hulls[item];
  if (!reserve_changes(state, 1 + (size_t)(hull.end - hull.first))) return SEARCH_MEMORY;
  log_change(state, item, old, BOARD_NONE);
  state->low[item] = low;
  state->key += state->multipliers[item] * (wide_half)(uint64_t)(low - old);
  if (hull.first < skip.first || hull.end > skip.end) leave_columns(state, item, skip, old);
  return SEARCH_OPEN;
}

static enum search_status set_tied_low(struct global_state *state, uint32_t item,
                                       neap_offset low) {
  const struct span nothing = {0, 0};
  if (low > state->capacity - state->part->size[item]) return SEARCH_REFUTED;
  return low > state->low[item] ? set_low(state, item, low, nothing) : SEARCH_OPEN;
}

/* Raises the low of a rectangle with ties, together with its whole body. */
static enum search_status lift_tied(struct global_state *state, uint32_t item,
                                    neap_offset height) {
  const struct ties *ties = state->part->ties;
  struct settle_view view = {ties, state->left, state->low, state->capacity};
  if (global_state_is_pinned(state, item)) return SEARCH_REFUTED;
  neap_offset low = settle_lowest(&view, item, height);
  if (low == NEAP_UNPLACED) return SEARCH_REFUTED;
  if (ties->body[item] == TIES_NONE) return set_tied_low(state, item, low);
  const struct tie_body *body = &ties->bodies[ties->body[item]];
  neap_offset base = low - ties->delta[item];
  if (base > state->capacity - body->size) return SEARCH_REFUTED;
  enum search_status status = SEARCH_OPEN;
  for (size_t k = body->rectangles_begin; k < body->rectangles_end && status == SEARCH_OPEN;
       k++)
    status = set_tied_low(state, ties->rectangles[k], base + ties->delta[ties->rectangles[k]]);
  return status;
}

/* Whether only alignment, and no obstacle, moves a rectangle from a height up to `next`. */
static bool is_padding(const struct global_state *state, uint32_t item, neap_offset height,
                       neap_offset next) {
  neap_size alignment = state->part->alignment[item];
  return alignment > 1 && next == round_up(height, alignment) &&
         obstacles_next(&state->obstacles, item, 1, height) == height;
}

/* Raises the low of a rectangle that obstacles or its alignment limit. */
static enum search_status lift_limited(struct global_state *state, uint32_t item,
                                       neap_offset height, struct span skip) {
  neap_size alignment = state->part->alignment[item];
  neap_offset low = obstacles_next(&state->obstacles, item, alignment, height);
  assert(low >= height);
  if (low > state->highest[item]) return SEARCH_REFUTED;
  if (low != height && is_padding(state, item, height, low)) low = height;
  return set_low(state, item, low, skip);
}

/*
 * Raises a rectangle's low; refuted if the rectangle cannot lie there or higher.  The columns
 * in `skip` stay as they are: the caller updates them.
 */
INLINED lift_rectangle(struct global_state *state, uint32_t item, neap_offset height,
                       struct span skip) {
  assert(state->low[item] < height);
  assert_slowly(global_state_is_left(state, item));
  if (!state->is_free)
    return state->part->ties ? lift_tied(state, item, height)
                             : lift_limited(state, item, height, skip);
  return height > state->highest[item] ? SEARCH_REFUTED : set_low(state, item, height, skip);
}

/* Whether a column can still hold its rectangles left. */
static bool has_room(const struct global_state *state, uint32_t at) {
  return state->floor[at] == NEAP_MAX || global_state_slack(state, at) >= 0;
}

/* Recomputes the floor of a column. */
static void find_floor(struct global_state *state, uint32_t at) {
  struct rectangle_walk walk = rectangle_walk(&state->members, at, state->left);
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

static enum search_status find_floors(struct global_state *state) {
  enum search_status status =
      reserve_changes(state, state->dirty_count) ? SEARCH_OPEN : SEARCH_MEMORY;
  for (uint32_t i = 0; i < state->dirty_count && status == SEARCH_OPEN; i++) {
    log_column(state, state->dirty[i]);
    find_floor(state, state->dirty[i]);
    if (has_room(state, state->dirty[i])) continue;
    state->refuting = state->dirty[i];
    status = SEARCH_REFUTED;
  }
  state->dirty_count = 0;
  return status;
}

/* Recomputes the floors of dirty columns, unless the change has already failed. */
static enum search_status finish_change(struct global_state *state, enum search_status status) {
  if (status == SEARCH_OPEN) return find_floors(state);
  state->dirty_count = 0;
  return status;
}

/* ---------------------------------------------------------------- placing */

/*
 * Adds to the rest of each column, with this sign, the bytes that a rectangle can share with
 * partners left.
 */
static void add_savings(struct global_state *state, uint32_t item, int sign) {
  const struct ties *ties = state->part->ties;
  for (size_t k = ties->partners_begin[item]; k < ties->partners_begin[item + 1]; k++) {
    const struct tie_partner *partner = &ties->partners[k];
    if (partner->saving == 0 || partner->other == item ||
        !global_state_is_left(state, partner->other))
      continue;
    struct common common = part_common(state->part, item, partner->other);
    struct span span;
    while (common_next(&common, &span))
      for (uint32_t at = span.first; at < span.end; at++)
        state->rest[at] += sign * partner->saving;
  }
}

/* Adds or removes a rectangle that may end at the capacity, in the count of a column. */
static void count_top(struct global_state *state, uint32_t at, uint32_t one) {
  bool had_tops = state->tops[at] > 0;
  state->tops[at] += one;
  state->rest[at] += (had_tops ? 1 : 0) - (state->tops[at] > 0 ? 1 : 0);
}

/* Takes a rectangle out of its columns, with its size negated, or puts it back. */
static void add_to_columns(struct global_state *state, uint32_t item, neap_size size,
                           uint32_t one) {
  const struct part *part = state->part;
  if (part->ties) add_savings(state, item, size > 0 ? -1 : 1);
  if (global_state_may_top(state, item))
    for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        count_top(state, at, one);
  uint32_t reached = state->hulls[item].first; /* the hull's next column, maybe in a gap */
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++) {
    for (; reached < part->spans[s].first; reached++)
      state->crossing[reached] += one;
    for (; reached < part->spans[s].end; reached++) {
      state->rest[reached] += size;
      state->crossing[reached] += one;
    }
  }
  state->crossing[reached - 1] -= one; /* it ends there */
}

/* Records all columns of a rectangle; false when memory is short. */
static bool log_columns(struct global_state *state, uint32_t item) {
  const struct part *part = state->part;
  struct span hull = state->hulls[item];
  if (!reserve_changes(state, hull.end - hull.first)) return false;
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
    for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
      log_column(state, at);
  return true;
}

/* Marks all columns of a rectangle dirty; their floors are invalid until recomputed. */
static void mark_dirty(struct global_state *state, uint32_t item) {
  const struct part *part = state->part;
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
    for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++) {
      state->floor[at] = NEAP_UNPLACED;
      state->dirty[state->dirty_count++] = at;
    }
}

/* Lifts all rectangles that overlap the one just placed to its top. */
static enum search_status lift_overlapping(struct global_state *state, uint32_t item,
                                           neap_offset top) {
  struct rectangle_walk walk = rectangle_walk(&state->overlaps, item, state->left);
  enum search_status status = SEARCH_OPEN;
  uint32_t other;
  while (status == SEARCH_OPEN && rectangle_walk_next(&walk, &other))
    if (state->low[other] < top)
      status = lift_rectangle(state, other, top, (struct span){0, 0});
  return status;
}

/* Lifts the partners of the rectangle just placed to the lowest offset that it allows. */
static enum search_status lift_partners(struct global_state *state, uint32_t item,
                                        enum search_status status) {
  const struct ties *ties = state->part->ties;
  struct settle_view view = {ties, state->left, state->low, state->capacity};
  for (size_t k = ties->partners_begin[item]; k < ties->partners_begin[item + 1]; k++) {
    uint32_t other = ties->partners[k].other;
    if (status != SEARCH_OPEN) break;
    if (!global_state_is_left(state, other)) continue;
    neap_offset low = settle_lowest(&view, other, state->low[other]);
    if (low == NEAP_UNPLACED) return SEARCH_REFUTED;
    if (low > state->low[other])
      status = lift_rectangle(state, other, low, (struct span){0, 0});
  }
  return status;
}

/*
 * Like lift_overlapping, but also counts, per column of `span`, the rectangles whose low is
 * then the top. state->steps receives the differences between neighbouring columns.
 */
static enum search_status lift_and_count(struct global_state *state, uint32_t item,
                                         neap_offset top, struct span span) {
  struct rectangle_walk walk = rectangle_walk(&state->overlaps, item, state->left);
  enum search_status status = SEARCH_OPEN;
  uint32_t other;
  while (status == SEARCH_OPEN && rectangle_walk_next(&walk, &other)) {
    if (state->low[other] > top) continue;
    if (state->low[other] < top) status = lift_rectangle(state, other, top, span);
    if (state->low[other] != top) continue;
    struct span life = state->hulls[other];
    state->steps[life.first > span.first ? life.first : span.first]++;
    state->steps[life.end < span.end ? life.end : span.end]--;
  }
  return status;
}

/* Adds up the steps.  Columns in which no rectangle has its low at the top become dirty. */
static enum search_status count_on_top(struct global_state *state, neap_offset top,
                                       struct span span, enum search_status status) {
  int32_t count = 0;
  for (uint32_t at = span.first; at < span.end; at++) {
    count += state->steps[at];
    assert(count >= 0);
    state->steps[at] = 0;
    state->floor[at] = top;
    state->lowest_count[at] = (uint32_t)count;
    if (count == 0) {
      state->dirty[state->dirty_count++] = at;
    } else if (status == SEARCH_OPEN && global_state_slack(state, at) < 0) {
      state->refuting = at;
      status = SEARCH_REFUTED;
    }
  }
  state->steps[span.end] = 0;
  return status;
}

/* Propagates the placement of a rectangle. */
static enum search_status conclude_placement(struct global_state *state, uint32_t item,
                                             neap_offset top) {
  if (!log_columns(state, item)) return SEARCH_MEMORY;
  if (state->part->has_gaps) {
    mark_dirty(state, item);
    enum search_status status = lift_overlapping(state, item, top);
    return state->part->ties ? lift_partners(state, item, status) : status;
  }
  struct span span = state->hulls[item];
  return count_on_top(state, top, span, lift_and_count(state, item, top, span));
}

/*
 * The change of the key when a rectangle is placed.  Offsets of tied rectangles limit others in
 * ways that lows do not show, so placed tied rectangles stay in the key.
 */
static wide_half key_change(const struct global_state *state, uint32_t item) {
  const struct part *part = state->part;
  if (part->ties && ties_has(part->ties, item)) return refuted_multiplier(part->count + item);
  return -key_of_rectangle(state, item);
}

static void count_placed(struct global_state *state, uint32_t item, uint32_t one) {
  uint32_t body = state->part->ties->body[item];
  if (body != TIES_NONE) state->placed[body] += one;
}

/* The highest offset at which a rectangle ends within the capacity. */
static neap_offset highest_offset(const struct global_state *state, uint32_t item) {
  neap_offset highest = state->capacity - state->part->size[item];
  return state->reserve > 0 && !global_state_may_top(state, item) ? highest - 1 : highest;
}

enum search_status global_state_place(struct global_state *state, uint32_t item) {
  assert(global_state_is_left(state, item) && state->dirty_count == 0);
  state->left[item >> 6] &= ~(UINT64_C(1) << (item & 63));
  state->left_count--;
  state->key += key_change(state, item);
  if (state->part->ties) count_placed(state, item, 1);
  state->refuting = state->hulls[item].first;
  add_to_columns(state, item, -state->part->size[item], UINT32_MAX);
  neap_offset offset = global_state_offset(state, item);
  if (offset != state->low[item]) {
    if (!reserve_changes(state, 1)) return SEARCH_MEMORY;
    log_change(state, item, state->low[item], BOARD_NONE);
    state->low[item] = offset;
  }
  if (offset > highest_offset(state, item)) return SEARCH_REFUTED;
  return finish_change(state,
                       conclude_placement(state, item, offset + state->part->size[item]));
}

enum search_status global_state_raise(struct global_state *state, uint32_t column,
                                      neap_offset height) {
  struct rectangle_walk walk = rectangle_walk(&state->members, column, state->left);
  enum search_status status = SEARCH_OPEN;
  uint32_t item;
  state->refuting = column;
  while (status == SEARCH_OPEN && rectangle_walk_next(&walk, &item))
    if (state->low[item] < height)
      status = lift_rectangle(state, item, height, (struct span){0, 0});
  return finish_change(state, status);
}

static void undo_change(struct global_state *state, struct global_change change) {
  if (change.value == LEFT) {
    for (uint32_t at = change.at; at < change.count; at++)
      state->lowest_count[at]++;
  } else if (change.count == BOARD_NONE) {
    state->low[change.at] = change.value;
  } else {
    state->floor[change.at] = change.value;
    state->lowest_count[change.at] = change.count;
  }
}

void global_state_undo(struct global_state *state, struct board_mark mark, uint32_t item) {
  assert(mark.changes <= state->change_count && state->dirty_count == 0);
  while (state->change_count > mark.changes)
    undo_change(state, state->changes[--state->change_count]);
  state->key = mark.key;
  if (item == BOARD_NONE) return;
  assert(!global_state_is_left(state, item));
  if (state->part->ties) count_placed(state, item, UINT32_MAX);
  add_to_columns(state, item, state->part->size[item], 1);
  state->left[item >> 6] |= UINT64_C(1) << (item & 63);
  state->left_count++;
}

/* ---------------------------------------------------------------- starting over */

/* Sets the lows of tied rectangles before the search; false if one has no place. */
static bool settle_all(struct global_state *state) {
  const struct part *part = state->part;
  struct settle_view view = {part->ties, state->left, state->low, state->capacity};
  memset(state->placed, 0, part->ties->body_count * sizeof *state->placed);
  for (uint32_t i = 0; i < part->count; i++) {
    neap_offset low = settle_lowest(&view, i, state->low[i]);
    if (low == NEAP_UNPLACED || low > state->capacity - part->size[i]) return false;
    if (part->fixed[i] != NEAP_UNPLACED && low != part->fixed[i]) return false;
    uint32_t body = part->ties->body[i];
    if (body != TIES_NONE &&
        low - part->ties->delta[i] > state->capacity - part->ties->bodies[body].size)
      return false;
    state->low[i] = low;
  }
  return true;
}

/*
 * Removes obstacles from the rectangles left, and raises all other lows above obstacles that
 * they would hit; false if a rectangle has no place.
 */
static bool settle_obstacles(struct global_state *state) {
  const struct part *part = state->part;
  const struct obstacles *obstacles = &state->obstacles;
  for (uint32_t i = 0; i < part->count; i++)
    if (part->fixed[i] != NEAP_UNPLACED) {
      add_to_columns(state, i, -part->size[i], UINT32_MAX);
      state->left[i >> 6] &= ~(UINT64_C(1) << (i & 63));
      state->left_count--;
    } else {
      state->low[i] = obstacles_next(obstacles, i, part->alignment[i], 0);
      if (state->low[i] > state->capacity - part->size[i]) return false;
    }
  return !obstacles->collide && obstacles->peak <= state->capacity;
}

enum search_status global_state_reset(struct global_state *state, neap_size capacity) {
  const struct part *part = state->part;
  assert(capacity >= 0);
  state->capacity = part_capacity(part, capacity).units;
  state->reserve = part_capacity(part, capacity).reserve;
  state->left_count = (uint32_t)part->count;
  state->change_count = state->dirty_count = 0;
  state->refuting = BOARD_NONE;
  memset(state->tops, 0, part->column_count * sizeof *state->tops);
  for (uint32_t at = 0; at < part->column_count; at++)
    state->rest[at] = state->reserve > 0;
  memset(state->crossing, 0, part->column_count * sizeof *state->crossing);
  memset(state->left, 0, (part->count / 64 + 1) * sizeof *state->left);
  for (uint32_t i = 0; i < part->count; i++) {
    state->left[i >> 6] |= UINT64_C(1) << (i & 63);
    bool is_fixed = part->fixed[i] != NEAP_UNPLACED;
    state->low[i] = is_fixed ? part->fixed[i] : 0;
    state->highest[i] = is_fixed ? part->fixed[i] : state->capacity - part->size[i];
    add_to_columns(state, i, part->size[i], 1);
  }
  if (part->ties && !settle_all(state)) return SEARCH_REFUTED;
  if (state->obstacles.any && !settle_obstacles(state)) return SEARCH_REFUTED;
  state->key = global_state_key_of(state, (struct span){0, part->column_count});
  enum search_status status = SEARCH_OPEN;
  for (uint32_t at = 0; at < part->column_count; at++) {
    find_floor(state, at);
    if (!has_room(state, at)) status = SEARCH_REFUTED;
  }
  return status;
}
