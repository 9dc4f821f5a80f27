/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the global board: the placed rectangles, and everything that propagation
 * derives.
 */
#ifndef SEARCH_BOARDS_GLOBAL_STATE_H
#define SEARCH_BOARDS_GLOBAL_STATE_H

#include "core/checked.h"
#include "search/boards/board.h"
#include "search/part.h"
#include "search/rectangle_sets.h"

/* ---------------------------------------------------------------- obstacles */

/* Fixed rectangles as obstacles, as the global board sees them. */

/*
 * A run of fixed bytes in a column, up to `top`; `above` counts its bytes and those of all
 * higher runs.
 */
struct ledge {
  neap_offset top;
  neap_size above;
};

/* Offsets strictly between `low` and `high`, at which a rectangle would hit an obstacle. */
struct barred {
  neap_offset low, high;
};

struct obstacles {
  bool any;              /* false: fixed rectangles are placed like all others */
  bool collide;          /* two obstacles collide, so there is no layout */
  neap_size peak;        /* of the fixed rectangles */
  size_t *ledges_begin;  /* per column and one more */
  struct ledge *ledges;  /* ascending */
  size_t *barred_begin;  /* per rectangle and one more */
  struct barred *barred; /* ascending; every `high` is a multiple of the alignment */
  size_t barred_count, barred_capacity;
};

/*
 * Makes obstacles of the fixed rectangles of a part, unless the part has ties or too many of
 * them.  `overlaps` has, per rectangle, the others that share a column with it.  False when
 * memory is short.
 */
bool obstacles_init(struct obstacles *obstacles, const struct part *part,
                    const struct rectangle_sets *overlaps);
void obstacles_clear(struct obstacles *obstacles);

/* The lowest aligned offset from `from` on at which a rectangle hits no obstacle. */
static inline neap_offset obstacles_next(const struct obstacles *obstacles, uint32_t item,
                                         neap_size alignment, neap_offset from) {
  neap_offset low = alignment == 1 ? from : round_up(from, alignment);
  if (!obstacles->any) return low;
  for (size_t k = obstacles->barred_begin[item]; k < obstacles->barred_begin[item + 1]; k++) {
    if (low <= obstacles->barred[k].low) break;
    if (low < obstacles->barred[k].high) return obstacles->barred[k].high;
  }
  return low;
}

/* The bytes of obstacles in a column above `floor`, which is not within an obstacle. */
static inline neap_size obstacles_above(const struct obstacles *obstacles, uint32_t column,
                                        neap_offset floor) {
  size_t k = obstacles->ledges_begin[column], end = obstacles->ledges_begin[column + 1];
  while (k < end && obstacles->ledges[k].top <= floor)
    k++;
  return k < end ? obstacles->ledges[k].above : 0;
}

/* ---------------------------------------------------------------- global state */

/*
 * An entry of the trail: the old value of a rectangle or a column, or a run of columns whose
 * count of rectangles at the floor was decremented.
 */
struct global_change {
  neap_offset value; /* INT64_MIN for a run */
  uint32_t at;
  uint32_t count; /* of a column; BOARD_NONE for a rectangle; the end of a run */
};

struct global_state {
  const struct part *part;
  neap_size capacity; /* in units */
  neap_size reserve;  /* the padding required to end there (search/part) */

  void *arrays; /* the block of the arrays that follow */

  /* Per column, over its rectangles left: */
  neap_offset *floor;     /* the smallest low; NEAP_MAX if none is left */
  uint32_t *lowest_count; /* the number with that low */
  neap_size *rest;        /* the sum of their sizes, plus 1 if none may end at the capacity */
  uint32_t *crossing;     /* the number of hulls that continue into the next column */
  uint32_t *tops;         /* the number that may end at the capacity; 0 without a reserve */

  /* Per rectangle: */
  neap_offset *low;     /* the lowest offset still possible; the offset once placed */
  neap_offset *highest; /* the highest low possible without ties; the fixed offset if fixed */
  struct span *hulls;
  wide_half *multipliers; /* for the key */

  uint64_t *left; /* the set of rectangles not placed, without obstacles */
  uint32_t left_count;
  struct rectangle_sets members;  /* per column: its rectangles */
  struct rectangle_sets overlaps; /* per rectangle: the others that share a column */
  struct obstacles obstacles;     /* the fixed rectangles, unless the part has ties */
  bool is_free;                   /* no alignment, obstacle or tie limits offsets */
  uint32_t *starters; /* per column and one more: the first rectangle whose hull begins there */
  uint32_t *placed;   /* per body of the part's ties: the number of its rectangles placed */

  /*
   * A hash of the rectangles left and their lows.  Equal states have equal keys; different
   * states have different keys except with probability below 2^-64.
   */
  wide_half key;

  struct global_change *changes; /* the trail */
  size_t change_count, change_capacity;
  uint32_t *dirty; /* columns whose floor must be recomputed */
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

/* Unplaces everything.  SEARCH_REFUTED if some column cannot hold its rectangles. */
enum search_status global_state_reset(struct global_state *state, neap_size capacity);

/*
 * Two changes: place a rectangle at its low; or raise the lows of all rectangles left in a
 * column to a height.  Each propagates, and returns SEARCH_REFUTED if a rectangle has no offset
 * left or the slack of a column becomes negative.  Must be undone by global_state_undo in any
 * case.
 */
enum search_status global_state_place(struct global_state *state, uint32_t item);
enum search_status global_state_raise(struct global_state *state, uint32_t column,
                                      neap_offset height);

static inline struct board_mark global_state_mark(const struct global_state *state) {
  return (struct board_mark){.changes = state->change_count, .key = state->key};
}

/* Restores a mark.  `item` is the only rectangle placed since, or BOARD_NONE. */
void global_state_undo(struct global_state *state, struct board_mark mark, uint32_t item);

/*
 * The lowest height above the floor of `column` at which one of its rectangles can begin, given
 * that none begins at the floor; NEAP_MAX if there is none.
 */
neap_offset global_state_next_height(struct global_state *state, uint32_t column);

/* The key of the rectangles whose hulls begin in a run of columns. */
wide_half global_state_key_of(const struct global_state *state, struct span columns);

/* The room above a column's floor, without the bytes of obstacles. */
static inline neap_size global_state_room(const struct global_state *state, uint32_t column) {
  neap_size room = state->capacity - state->floor[column];
  if (!state->obstacles.any) return room;
  return room - obstacles_above(&state->obstacles, column, state->floor[column]);
}

/* The slack of a column: its room minus the sizes of its rectangles left. */
static inline neap_size global_state_slack(const struct global_state *state, uint32_t column) {
  return global_state_room(state, column) - state->rest[column];
}

/* Whether a rectangle is an obstacle: neither left nor placed by the search. */
static inline bool global_state_is_obstacle(const struct global_state *state, uint32_t item) {
  return state->obstacles.any && state->part->fixed[item] != NEAP_UNPLACED;
}

/* The offset at which global_state_place would put a rectangle that is left. */
static inline neap_offset global_state_offset(const struct global_state *state, uint32_t item) {
  const struct part *part = state->part;
  if (part->alignment[item] == 1 || part->ties) return state->low[item];
  return obstacles_next(&state->obstacles, item, part->alignment[item], state->low[item]);
}

/*
 * Whether the capacity has a reserve and the padding of the rectangle covers it, so that the
 * rectangle may end at the capacity.
 */
static inline bool global_state_may_top(const struct global_state *state, uint32_t item) {
  return state->reserve > 0 && state->part->padding[item] >= state->reserve;
}

static inline bool global_state_is_left(const struct global_state *state, uint32_t item) {
  return state->left[item >> 6] >> (item & 63) & 1;
}

/*
 * Whether the offset of a rectangle is determined before it is placed: it is fixed, or another
 * rectangle of its body is placed.
 */
static inline bool global_state_is_pinned(const struct global_state *state, uint32_t item) {
  const struct part *part = state->part;
  if (part->fixed[item] != NEAP_UNPLACED) return true;
  return part->ties && part->ties->body[item] != TIES_NONE &&
         state->placed[part->ties->body[item]] > 0;
}

/*
 * For checks: the first invariant that is violated between two calls, as text, or NULL; and a
 * hash of everything that global_state_undo must restore.  Both take O(columns * rectangles).
 */
const char *global_state_broken(const struct global_state *state);
uint64_t global_state_digest(const struct global_state *state);

#endif
