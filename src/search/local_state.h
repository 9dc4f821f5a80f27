/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the local board (search/board_local) knows of a partial layout, and how that changes and is
 * undone.
 */
#ifndef SEARCH_LOCAL_STATE_H
#define SEARCH_LOCAL_STATE_H

#include "core/range_min.h"
#include "search/board.h"
#include "search/candidates.h"
#include "search/overhangs.h"
#include "search/skyline.h"

/* What was added to the slack of a range, so that it can be undone. */
struct addition {
  struct span span;
  int64_t value; /* RANGE_MIN_FAR was added to the rest, too */
};

/* Columns whose floors are at `floor`, and are to be raised to `height`. */
struct raise {
  struct span span;
  neap_offset floor, height;
};

struct local {
  struct board board; /* first, so that a pointer to it is one to all of this */
  struct candidates candidates;
  struct overhangs overhangs;
  struct skyline skyline;
  struct range_min slack, rest;
  struct range_min weighted; /* slack less weight; made when there are weights */
  int64_t *weights;          /* per column; NULL before the first */
  int64_t *numbers;          /* scratch, per column */
  int64_t *taken;            /* per column: the bytes of obstacles; NULL without these */
  uint32_t *ranked;          /* rank to rectangle */
  neap_offset *offsets;
  size_t placed_count;
  uint64_t resets;
  neap_size capacity;         /* in units */
  neap_size reserve;          /* the padding that it takes to end there (search/part) */
  uint64_t *left;             /* the set of rectangles not placed; NULL without ties */
  uint32_t *bodies;           /* of the ties, in the order in which they are placed; or NULL */
  struct addition *additions; /* the trail, next to that of the skyline */
  size_t addition_count, addition_capacity;
  struct raise *raises; /* scratch: a stack */
  size_t raise_capacity;
};

static inline struct local *local_of(struct board *board) { return (struct local *)board; }

static inline const struct local *const_local_of(const struct board *board) {
  return (const struct local *)board;
}

/* The columns that two spans share. */
static inline struct span common_span(struct span a, struct span b) {
  return (struct span){a.first > b.first ? a.first : b.first, a.end < b.end ? a.end : b.end};
}

/* False when memory is short; free it in any case.  Begin with a zeroed struct that has its part. */
bool local_init(struct local *local, const struct part *part);
void local_free(struct board *board);

/* Fills the trees of what is left in the columns, and what the capacity leaves them then. */
void local_fill(struct local *local);

/* Of slack less weight; the smallest is the most urgent. */
const struct range_min *local_urgency(const struct local *local);

/* ---------------- Changes; those that undo does not take back say so. */

/* Adds to the sizes left in a span; whoever puts a rectangle back takes it back. */
void local_add_rest(struct local *local, struct span span, int64_t value);

/* Adds to the slack of a span; false, with nothing changed, when memory is short. */
bool local_add(struct local *local, struct span span, int64_t value);

/* Whether a rectangle is left, if the part has ties; not taken back. */
void local_mark_left(struct local *local, uint32_t item, bool is_left);

/* Takes bytes from the slack of a span; refuted when some column cannot afford it. */
enum search_status local_take_slack(struct local *local, struct span span, neap_size bytes);

/*
 * Raises the floors of a span, all equal, and gives up the bytes in between, but for obstacles.  No
 * floor stays at the bottom of an obstacle.
 */
enum search_status local_raise(struct local *local, struct raise raise);

/* Gives up the bytes of a span from its floor to a height; refuted when a column cannot afford it. */
enum search_status local_give_up(struct local *local, struct span span, neap_offset floor,
                                 neap_offset height);

/* Columns of a span in which nothing is left to place become walls; false when memory is short. */
bool local_close_finished(struct local *local, struct span span);

struct board_mark local_mark(const struct board *board);
void local_undo(struct board *board, struct board_mark mark, uint32_t item);

/* ---------------- Ties (search/local_bodies). */

/* Whether the ties of a rectangle let it begin at a height. */
bool local_may_begin(const struct local *local, uint32_t item, neap_offset height);

/*
 * The skyline cannot keep a place free high up, so bodies go to the bottom before the search begins,
 * and it builds on top of them.
 */
enum search_status local_place_bodies(struct local *local);

/* ---------------- For checks (search/local_state_check), as in search/board. */

const char *local_broken(const struct board *board);
uint64_t local_digest(const struct board *board);

#endif
