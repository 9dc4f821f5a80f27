/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the global board: what is placed, and all that follows from it at once. */
#ifndef SEARCH_GLOBAL_STATE_H
#define SEARCH_GLOBAL_STATE_H

#include "search/board.h"
#include "search/obstacles.h"
#include "search/rectangle_sets.h"

/*
 * A value of a rectangle or a column before it changed, or a run of columns in which one rectangle
 * fewer has its low at the floor.
 */
struct global_change {
  neap_offset value; /* INT64_MIN for a run */
  uint32_t at;
  uint32_t count; /* of a column; BOARD_NONE for a rectangle; the end of a run */
};

struct global_state {
  const struct part *part;
  neap_size capacity; /* in units */
  neap_size reserve;  /* the padding that it takes to end there (search/part) */

  void *arrays; /* the block of those that follow */

  /* Per column, of its rectangles that are left: */
  neap_offset *floor;     /* the smallest low; NEAP_MAX when none is left */
  uint32_t *lowest_count; /* how many have that low */
  neap_size *rest;        /* the sum of their sizes, and 1 if none may end at the capacity */
  uint32_t *crossing;     /* how many hulls continue into the next column */
  uint32_t *tops;         /* how many may end at the capacity; not counted without a reserve */

  /* Per rectangle: */
  neap_offset *low;     /* the lowest offset that it can still get; its offset once placed */
  neap_offset *highest; /* where its low can rise to without ties; not at all if it is fixed */
  struct span *hulls;
  wide_half *multipliers; /* for the key */

  uint64_t *left; /* the set of rectangles not placed; obstacles are none of them */
  uint32_t left_count;
  struct rectangle_sets members;  /* per column: its rectangles */
  struct rectangle_sets overlaps; /* per rectangle: those that share a column with it */
  struct obstacles obstacles;     /* the fixed rectangles, unless ties limit others */
  bool is_free;                   /* no alignment, obstacle or tie limits offsets */
  uint32_t *starters; /* per column and one more: the first rectangle whose hull begins there */
  uint32_t *placed;   /* per body of the part's ties: how many of its rectangles are placed */

  /*
   * Of the rectangles left and their lows: equal for equal states, and otherwise different but
   * for a chance of less than 2^-64.
   */
  wide_half key;

  struct global_change *changes; /* the trail */
  size_t change_count, change_capacity;
  uint32_t *dirty; /* columns whose floor must be found again */
  uint32_t dirty_count;
  int32_t *steps;    /* scratch for sums, per column and one more; all 0 between calls */
  uint64_t *seen;    /* scratch for a set */
  uint32_t refuting; /* the column that refuted last, or BOARD_NONE */
};

/* Whether the sets of a part take a reasonable amount of memory. */
bool global_state_fits(const struct part *part);

/* False when memory is short. */
bool global_state_init(struct global_state *state, const struct part *part);
void global_state_clear(struct global_state *state);

/* Unplaces everything.  SEARCH_REFUTED when some column cannot hold its rectangles. */
enum search_status global_state_reset(struct global_state *state, neap_size capacity);

/*
 * Places a rectangle at its low; raises the floor of a column for all that are left there; or
 * raises one rectangle's low.  Then draws the conclusions: SEARCH_REFUTED when some column has
 * no slack left.  Whatever the result, global_state_undo takes it back.
 */
enum search_status global_state_place(struct global_state *state, uint32_t item);
enum search_status global_state_raise(struct global_state *state, uint32_t column,
                                      neap_offset height);
enum search_status global_state_lift(struct global_state *state, uint32_t item,
                                     neap_offset height);

static inline struct board_mark global_state_mark(const struct global_state *state) {
  return (struct board_mark){.changes = state->change_count, .key = state->key};
}

/*
 * Goes back to a mark.  `item` is the rectangle placed since, or BOARD_NONE; before that there may
 * have been no other.
 */
void global_state_undo(struct global_state *state, struct board_mark mark, uint32_t item);

/*
 * Above the floor of `column`, the next height at which any of its rectangles could begin, given
 * that none begins at the floor; NEAP_MAX when there is none.
 */
neap_offset global_state_next_height(struct global_state *state, uint32_t column);

/* The key of the rectangles whose hulls begin in a run of columns. */
wide_half global_state_key_of(const struct global_state *state, struct span columns);

/* The most that a column can have above its floor beside obstacles. */
static inline neap_size global_state_room(const struct global_state *state, uint32_t column) {
  neap_size room = state->capacity - state->floor[column];
  if (!state->obstacles.any) return room;
  return room - obstacles_above(&state->obstacles, column, state->floor[column]);
}

/* What is left of the capacity when all rectangles of the column lie on its floor and obstacles. */
static inline neap_size global_state_slack(const struct global_state *state, uint32_t column) {
  return global_state_room(state, column) - state->rest[column];
}

/* Whether a rectangle is neither left nor placed by the search, but there from the beginning. */
static inline bool global_state_is_obstacle(const struct global_state *state, uint32_t item) {
  return state->obstacles.any && state->part->fixed[item] != NEAP_UNPLACED;
}

/* Where a rectangle that is left would be placed. */
static inline neap_offset global_state_offset(const struct global_state *state, uint32_t item) {
  const struct part *part = state->part;
  if (part->alignment[item] == 1 || part->ties) return state->low[item];
  return obstacles_next(&state->obstacles, item, part->alignment[item], state->low[item]);
}

/* Whether a reserve is left free below the capacity, which only some rectangles can afford. */
static inline bool global_state_may_top(const struct global_state *state, uint32_t item) {
  return state->reserve > 0 && state->part->padding[item] >= state->reserve;
}

static inline bool global_state_is_left(const struct global_state *state, uint32_t item) {
  return state->left[item >> 6] >> (item & 63) & 1;
}

/* Whether a rectangle's offset is settled although it is not placed: fixed, or in a placed body. */
static inline bool global_state_is_pinned(const struct global_state *state, uint32_t item) {
  const struct part *part = state->part;
  if (part->fixed[item] != NEAP_UNPLACED) return true;
  return part->ties && part->ties->body[item] != TIES_NONE &&
         state->placed[part->ties->body[item]] > 0;
}

/*
 * For checks: the first invariant that does not hold between two calls, as text, or NULL; and a
 * hash of all that global_state_undo must restore.  Both take O(columns * rectangles).
 */
const char *global_state_broken(const struct global_state *state);
uint64_t global_state_digest(const struct global_state *state);

#endif
