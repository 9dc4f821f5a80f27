/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * If the cell above the floor of a column stays empty, finds the next height at which one of
 * the column's rectangles can begin.
 *
 * In a layout that is pushed down, a rectangle that begins above its low rests on another
 * rectangle that is not yet placed.  So if no rectangle begins at the floor, the lowest
 * rectangle of the column either has a low above the floor, or rests on a rectangle that
 * overlaps it and is not in this column.  Cost: linear in the words of the overlap sets of the
 * column's rectangles at the floor, plus the rectangles in these sets.
 */
#include <string.h>

#include "search/boards/global_state.h"
#include "search/boards/place_constrained.h"

/* Adds all rectangles that overlap one to state->seen. */
static void see_overlapping(struct global_state *state, uint32_t item) {
  const struct rectangle_sets *sets = &state->overlaps;
  const uint64_t *row = sets->words + sets->begin[item];
  for (uint32_t word = sets->first[item]; word < sets->end[item]; word++)
    state->seen[word] |= *row++;
}

/* The lowest possible end of a rectangle that is left, in state->seen and not in the column. */
static neap_offset lowest_end_beside(struct global_state *state, uint32_t column) {
  const struct rectangle_sets *sets = &state->members;
  const uint64_t *here = sets->words + sets->begin[column];
  neap_offset best = NEAP_MAX;
  for (uint32_t word = sets->first[column]; word < sets->end[column]; word++)
    state->seen[word] &= ~*here++;
  for (size_t word = 0; word < sets->row_words; word++)
    for (uint64_t bits = state->seen[word] & state->left[word]; bits; bits &= bits - 1) {
      size_t other = word << 6 | (size_t)__builtin_ctzll(bits);
      neap_offset end = global_state_offset(state, (uint32_t)other) + state->part->size[other];
      if (end < best) best = end;
    }
  return best;
}

static neap_offset lower_of(neap_offset a, neap_offset b) { return a < b ? a : b; }

/* The lowest offset that a rectangle can have if it rests on a partner that is left. */
static neap_offset lowest_on_partner(const struct global_state *state, uint32_t item) {
  const struct ties *ties = state->part->ties;
  neap_offset best = NEAP_MAX;
  for (size_t k = ties->partners_begin[item]; k < ties->partners_begin[item + 1]; k++)
    if (global_state_is_left(state, ties->partners[k].other))
      best = lower_of(best, settle_on(&ties->partners[k], state->low[ties->partners[k].other]));
  return best;
}

/* The lowest offset that a rectangle can have if it rests on any other that is left. */
static neap_offset lowest_on_any(const struct global_state *state, uint32_t item) {
  struct rectangle_walk walk = rectangle_walk(&state->overlaps, item, state->left);
  neap_offset best = lowest_on_partner(state, item);
  uint32_t other;
  while (rectangle_walk_next(&walk, &other))
    if (other != item) best = lower_of(best, state->low[other] + state->part->size[other]);
  return best;
}

/*
 * The lowest offset above its low of a tied rectangle with its low at the floor.  It may rest
 * on a partner, or another rectangle of its body may rest on any rectangle left.
 */
static neap_offset lowest_on_tied(const struct global_state *state, uint32_t item) {
  const struct ties *ties = state->part->ties;
  neap_offset best = lowest_on_partner(state, item);
  if (ties->body[item] != TIES_NONE) {
    const struct tie_body *body = &ties->bodies[ties->body[item]];
    for (size_t k = body->rectangles_begin; k < body->rectangles_end; k++) {
      uint32_t other = ties->rectangles[k];
      neap_offset on = lowest_on_any(state, other);
      if (on < NEAP_MAX) best = lower_of(best, on - ties->delta[other] + ties->delta[item]);
    }
  }
  /* Its support may lie higher than its own low allows. */
  return best > state->low[item] ? best : state->low[item] + 1;
}

neap_offset global_state_next_height(struct global_state *state, uint32_t column) {
  struct rectangle_walk walk = rectangle_walk(&state->members, column, state->left);
  neap_offset best = NEAP_MAX;
  uint32_t item;
  memset(state->seen, 0, state->members.row_words * sizeof *state->seen);
  while (rectangle_walk_next(&walk, &item)) {
    if (state->low[item] > state->floor[column]) {
      if (state->low[item] < best) best = state->low[item];
    } else if (global_state_is_pinned(state, item)) {
      return NEAP_MAX; /* it must begin at the floor */
    } else {
      see_overlapping(state, item);
      neap_offset tied = state->part->ties ? lowest_on_tied(state, item) : NEAP_MAX;
      if (tied < best) best = tied;
    }
  }
  neap_offset beside = lowest_end_beside(state, column);
  return beside < best ? beside : best;
}
