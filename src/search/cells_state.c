/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All of a state follows from `low`: for every rectangle not yet placed, the lowest offset that
 * it can still get, which is the highest end of a placed one that overlaps it, rounded up to
 * its alignment.
 *
 * Nothing can begin in a section below the smallest low of its members; so that is the
 * section's floor, and what lies between it and the top of what is placed is lost.  Lows do not
 * depend on floors, so one pass over the sections that a change touches draws all conclusions:
 * there is no cascade.
 *
 * A section keeps how many members are at its floor.  While a raise leaves some of them,
 * nothing else changes there; only when the last one is raised are the members looked over.
 */
#include "search/cells_state.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "search/refuted.h"

/* Neighbours and seats listed at most: 256 MiB. */
#define PAIRS_MAX (UINT64_C(1) << 26)

/* ---------------------------------------------------------------- making */

static bool overlap(const struct part *part, uint32_t a, uint32_t b) {
  size_t i = part_spans_begin(part, a), j = part_spans_begin(part, b);
  while (i < part->spans_end[a] && j < part->spans_end[b]) {
    if (part->spans[i].end <= part->spans[j].first) i++;
    else if (part->spans[j].end <= part->spans[i].first) j++;
    else return true;
  }
  return false;
}

static uint64_t seat_count(const struct part *part) {
  uint64_t seats = 0;
  for (size_t s = 0; s < part->spans_end[part->count - 1]; s++)
    seats += part->spans[s].end - part->spans[s].first;
  return seats;
}

/* At most 2048 rectangles: what follows is quadratic in them. */
bool cells_state_fits(const struct part *part) {
  return part->count <= 2048 &&
         seat_count(part) * 2 + (uint64_t)part->count * part->count <= PAIRS_MAX;
}

/* Hands out a piece of the block. */
static uint32_t *carve(uint32_t **from, size_t count) {
  uint32_t *piece = *from;
  *from += count;
  return piece;
}

static void seat_members(struct cells_state *state, uint32_t **block) {
  const struct part *part = state->part;
  for (uint32_t i = 0; i < part->count; i++) {
    size_t seats = 0;
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++) {
      seats += part->spans[s].end - part->spans[s].first;
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        state->sections[at].member_count++;
    }
    state->seats[i] = carve(block, seats);
  }
  for (uint32_t at = 0; at < part->section_count; at++) {
    state->sections[at].members = carve(block, state->sections[at].member_count);
    state->sections[at].member_count = 0;
  }
  for (uint32_t i = 0; i < part->count; i++) {
    uint32_t *seat = state->seats[i];
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++) {
        *seat++ = state->sections[at].member_count;
        state->sections[at].members[state->sections[at].member_count++] = i;
      }
  }
}

static void list_neighbours(struct cells_state *state, uint32_t **block) {
  const struct part *part = state->part;
  for (uint32_t i = 0; i < part->count; i++) {
    state->neighbours[i] = *block;
    for (uint32_t j = 0; j < part->count; j++)
      if (j != i && overlap(part, i, j)) state->neighbours[i][state->neighbour_counts[i]++] = j;
    *block += state->neighbour_counts[i];
  }
}

bool cells_state_init(struct cells_state *state, const struct part *part) {
  *state = (struct cells_state){.part = part};
  size_t pairs = (size_t)seat_count(part) * 2 + part->count * part->count;
  state->sections = memory_array(part->section_count, sizeof *state->sections);
  state->low = memory_array(part->count, sizeof *state->low);
  state->placed = memory_array(part->count, sizeof *state->placed);
  state->seats = memory_array(part->count, sizeof *state->seats);
  state->neighbours = memory_array(part->count, sizeof *state->neighbours);
  state->neighbour_counts = memory_array(part->count, sizeof *state->neighbour_counts);
  state->hulls = memory_array(part->count, sizeof *state->hulls);
  state->memory_block = memory_array(pairs, sizeof *state->memory_block);
  state->dirty = memory_array(part->section_count, sizeof *state->dirty);
  if (!state->sections || !state->low || !state->placed || !state->seats ||
      !state->neighbours || !state->neighbour_counts || !state->hulls || !state->memory_block ||
      !state->dirty) {
    cells_state_clear(state);
    return false;
  }
  uint32_t *block = state->memory_block;
  for (uint32_t i = 0; i < part->count; i++)
    state->hulls[i] = part_hull(part, i);
  seat_members(state, &block);
  list_neighbours(state, &block);
  return true;
}

void cells_state_clear(struct cells_state *state) {
  free(state->sections);
  free(state->low);
  free(state->placed);
  free(state->seats);
  free(state->neighbours);
  free(state->neighbour_counts);
  free(state->hulls);
  free(state->memory_block);
  free(state->changes);
  free(state->dirty);
  *state = (struct cells_state){0};
}

/* ---------------------------------------------------------------- inference */

static void note(struct cells_state *state, bool is_section, uint32_t at, neap_offset value,
                 uint32_t count) {
  if (!memory_reserve(&state->changes, &state->change_capacity, state->change_count + 1,
                      sizeof *state->changes)) {
    state->out_of_memory = true;
    return;
  }
  state->changes[state->change_count++] = (struct cells_change){value, at, count, is_section};
}

static void toggle_key(struct cells_state *state, uint32_t item) {
  state->sections[state->hulls[item].first].key ^=
      refuted_key(item, (uint64_t)state->low[item]);
}

/* A member of section `at` leaves the floor. */
static void leave_floor(struct cells_state *state, uint32_t at) {
  struct cell_section *here = &state->sections[at];
  note(state, true, at, here->floor, here->lowest_count);
  if (--here->lowest_count == 0) state->dirty[state->dirty_count++] = at;
}

static void leave_floors(struct cells_state *state, uint32_t first, uint32_t end,
                         neap_offset floor) {
  for (uint32_t at = first; at < end; at++)
    if (state->sections[at].floor == floor) leave_floor(state, at);
}

/*
 * Gives a rectangle a higher low; false when it is fixed lower than that.  Sections in `skip`
 * are left alone: they are looked over anyway.
 */
static bool lift(struct cells_state *state, uint32_t item, neap_offset height,
                 struct span skip) {
  const struct part *part = state->part;
  neap_offset old = state->low[item];
  if (part->fixed[item] != NEAP_UNPLACED) return false;
  toggle_key(state, item);
  note(state, false, item, old, 0);
  state->low[item] = round_up(height, part->alignment[item]);
  toggle_key(state, item);
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++) {
    struct span span = part->spans[s];
    uint32_t before = span.end < skip.first ? span.end : skip.first;
    uint32_t after = span.first > skip.end ? span.first : skip.end;
    if (span.first < before) leave_floors(state, span.first, before, old);
    if (after < span.end) leave_floors(state, after, span.end, old);
  }
  return true;
}

/* Finds the floor of a section anew; false when that leaves it no slack. */
static bool look_over(struct cells_state *state, uint32_t at) {
  struct cell_section *here = &state->sections[at];
  neap_offset floor = NEAP_MAX;
  uint32_t count = 0;
  for (uint32_t m = 0; m < here->member_count; m++) {
    neap_offset low = state->low[here->members[m]];
    if (low > floor) continue;
    count = low < floor ? 1 : count + 1;
    floor = low;
  }
  here->floor = floor;
  here->lowest_count = count;
  return floor == NEAP_MAX || floor <= state->capacity - here->rest;
}

static bool look_over_dirty(struct cells_state *state) {
  bool good = true;
  for (uint32_t i = 0; i < state->dirty_count && good; i++) {
    good = look_over(state, state->dirty[i]);
    if (!good) state->failed = state->dirty[i];
  }
  state->dirty_count = 0;
  return good;
}

/* ---------------------------------------------------------------- placing */

/* Where a rectangle's seat in a section that it lives in is kept. */
static uint32_t *seat_of(const struct cells_state *state, uint32_t item, uint32_t at) {
  uint32_t *seats = state->seats[item];
  const struct span *span = &state->part->spans[part_spans_begin(state->part, item)];
  for (; at >= span->end; span++)
    seats += span->end - span->first;
  return seats + (at - span->first);
}

/* Moves a member behind the others, where its seat waits for its return. */
static void leave_seat(struct cells_state *state, uint32_t item, uint32_t at) {
  struct cell_section *here = &state->sections[at];
  uint32_t last = here->members[--here->member_count];
  if (last == item) return;
  uint32_t *seat = seat_of(state, item, at);
  here->members[*seat] = last;
  here->members[here->member_count] = item;
  *seat_of(state, last, at) = *seat;
  *seat = here->member_count;
}

/* Takes a rectangle out of its sections, all of which become dirty. */
static void unseat(struct cells_state *state, uint32_t item) {
  const struct part *part = state->part;
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
    for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++) {
      struct cell_section *here = &state->sections[at];
      note(state, true, at, here->floor, here->lowest_count);
      state->dirty[state->dirty_count++] = at;
      here->rest -= part->size[item];
      leave_seat(state, item, at);
    }
  for (uint32_t at = state->hulls[item].first; at + 1 < state->hulls[item].end; at++)
    state->sections[at].crossing--;
}

static void seat_again(struct cells_state *state, uint32_t item) {
  const struct part *part = state->part;
  for (size_t s = part_spans_begin(part, item); s < part->spans_end[item]; s++)
    for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++) {
      state->sections[at].rest += part->size[item];
      state->sections[at].member_count++;
    }
  for (uint32_t at = state->hulls[item].first; at + 1 < state->hulls[item].end; at++)
    state->sections[at].crossing++;
}

bool cells_state_place(struct cells_state *state, uint32_t item) {
  const struct part *part = state->part;
  neap_offset top = state->low[item] + part->size[item];
  struct span skip = part->spans[part_spans_begin(part, item)];
  state->placed[item] = true;
  state->left--;
  state->failed = state->hulls[item].first;
  toggle_key(state, item);
  unseat(state, item);
  if (part->spans_end[item] - part_spans_begin(part, item) > 1) {
    /*
     * More to skip than one span: nobody counts as at the floor in any of them until it is
     * found anew.
     */
    for (uint32_t i = 0; i < state->dirty_count; i++)
      state->sections[state->dirty[i]].floor = NEAP_UNPLACED;
    skip = (struct span){0, 0};
  }
  for (uint32_t n = 0; n < state->neighbour_counts[item]; n++) {
    uint32_t other = state->neighbours[item][n];
    if (state->placed[other] || state->low[other] >= top) continue;
    if (!lift(state, other, top, skip)) {
      state->dirty_count = 0;
      return false;
    }
  }
  return look_over_dirty(state);
}

bool cells_state_raise(struct cells_state *state, uint32_t section, neap_offset height) {
  const struct cell_section *here = &state->sections[section];
  state->failed = section;
  for (uint32_t m = 0; m < here->member_count; m++)
    if (state->low[here->members[m]] < height &&
        !lift(state, here->members[m], height, (struct span){0, 0})) {
      state->dirty_count = 0;
      return false;
    }
  return look_over_dirty(state);
}

void cells_state_undo(struct cells_state *state, size_t change_count, uint32_t item) {
  while (state->change_count > change_count) {
    struct cells_change change = state->changes[--state->change_count];
    if (change.is_section) {
      state->sections[change.at].floor = change.value;
      state->sections[change.at].lowest_count = change.count;
    } else {
      toggle_key(state, change.at);
      state->low[change.at] = change.value;
      toggle_key(state, change.at);
    }
  }
  if (item == CELLS_NONE) return;
  seat_again(state, item);
  state->placed[item] = false;
  state->left++;
  toggle_key(state, item);
}

/* ---------------------------------------------------------------- beginning */

bool cells_state_reset(struct cells_state *state, neap_size capacity) {
  const struct part *part = state->part;
  state->capacity = capacity;
  state->left = (uint32_t)part->count;
  state->change_count = state->dirty_count = 0;
  state->failed = CELLS_NONE;
  for (uint32_t at = 0; at < part->section_count; at++) {
    struct cell_section *here = &state->sections[at];
    here->member_count = here->crossing = 0;
    here->rest = 0;
    here->key = 0;
  }
  for (uint32_t i = 0; i < part->count; i++) {
    state->placed[i] = false;
    state->low[i] = part->fixed[i] == NEAP_UNPLACED ? 0 : part->fixed[i];
    toggle_key(state, i);
    seat_again(state, i);
  }
  bool good = true;
  for (uint32_t at = 0; at < part->section_count; at++)
    good = look_over(state, at) && good;
  return good;
}

/* ---------------------------------------------------------------- the next height */

static bool lives_in(const struct cells_state *state, uint32_t item, uint32_t at) {
  if (at < state->hulls[item].first || at >= state->hulls[item].end) return false;
  const struct span *span = &state->part->spans[part_spans_begin(state->part, item)];
  while (at >= span->end)
    span++;
  return at >= span->first;
}

/*
 * Where, above the floor, `item` could begin: on one that overlaps it and does not live in the
 * section.
 */
static neap_offset next_rest(const struct cells_state *state, uint32_t item, uint32_t section,
                             neap_offset best) {
  const struct part *part = state->part;
  for (uint32_t n = 0; n < state->neighbour_counts[item]; n++) {
    uint32_t other = state->neighbours[item][n];
    if (state->placed[other] || lives_in(state, other, section)) continue;
    neap_offset end = round_up(state->low[other] + part->size[other], part->alignment[item]);
    if (end < best) best = end;
  }
  return best;
}

neap_offset cells_state_next_height(const struct cells_state *state, uint32_t section) {
  const struct cell_section *here = &state->sections[section];
  neap_offset best = NEAP_MAX;
  for (uint32_t m = 0; m < here->member_count; m++) {
    uint32_t item = here->members[m];
    if (state->low[item] > here->floor) {
      if (state->low[item] < best) best = state->low[item];
    } else if (state->part->fixed[item] != NEAP_UNPLACED) {
      return NEAP_MAX; /* it must begin at the floor */
    } else {
      best = next_rest(state, item, section, best);
    }
  }
  return best;
}
