/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the local board (search/boards/board_local), with its changes and their undo. */
#ifndef SEARCH_BOARDS_LOCAL_STATE_H
#define SEARCH_BOARDS_LOCAL_STATE_H

#include "core/index_set.h"
#include "core/range_min.h"
#include "facts/sections.h"
#include "search/boards/board.h"
#include "search/boards/candidates.h"
#include "search/part.h"

/* ---------------------------------------------------------------- skyline */

/*
 * The skyline: how high each column is filled, as segments of equal height, with a trail by which
 * changes are undone.
 */

/* The height of columns in which no rectangle is left; above any offset. */
#define SKYLINE_WALL (INT64_MAX / 4)

struct skyline {
  uint32_t count;
  struct index_set starts; /* the columns at which a segment starts, and always `count` */
  neap_offset *floor;    /* the height, valid at each segment's start */
  uint32_t *changes;     /* the trail: columns and kinds of changes */
  size_t change_count, change_capacity;
  neap_offset *heights; /* heights overwritten by changes */
  size_t height_count, height_capacity;
};

/* All columns are at height 0.  False when memory is short. */
bool skyline_init(struct skyline *skyline, uint32_t count);
void skyline_clear(struct skyline *skyline);

/* The start and the end of the segment that holds column `at`. */
uint32_t skyline_start(const struct skyline *skyline, uint32_t at);
uint32_t skyline_end(const struct skyline *skyline, uint32_t at);

/* The height of column `at`. */
static inline neap_offset skyline_floor(const struct skyline *skyline, uint32_t at) {
  return skyline->floor[skyline_start(skyline, at)];
}

/* The heights on either side of a segment; SKYLINE_WALL at the edges. */
neap_offset skyline_left_of(const struct skyline *skyline, uint32_t start);
neap_offset skyline_right_of(const struct skyline *skyline, uint32_t end);

/*
 * Sets the height of a run of columns; neighbours of equal height become one segment.  False,
 * with nothing changed, when memory is short.
 */
bool skyline_set(struct skyline *skyline, struct span span, neap_offset height);

/* Undoes changes until `change_count` are left. */
void skyline_undo(struct skyline *skyline, size_t change_count);

/* ---------------------------------------------------------------- overhangs */

/* Fixed rectangles as obstacles above a skyline: finds the lowest one over a run of columns. */

#define OVERHANGS_NONE UINT32_MAX

struct overhangs {
  const struct part *part;
  uint32_t count;
  bool collide;         /* two of them collide, so there is no layout */
  neap_size peak;       /* a lower bound: some rectangle cannot end lower */
  uint32_t *item;       /* by ascending offset */
  neap_offset *top;     /* per place in `item`: the lowest top from there on */
  size_t leaves;        /* of a tree over the columns (core/tree.h) */
  size_t *across_begin; /* per node and one more */
  size_t *inside_begin;
  /* The places of rectangles that cover all columns of a node, but not all of its parent's. */
  uint32_t *across;
  uint32_t *inside; /* of rectangles that cover some of a node's columns, but not all */
};

/* In `part` each fixed rectangle has one span.  False when memory is short. */
bool overhangs_init(struct overhangs *overhangs, const struct part *part);
void overhangs_clear(struct overhangs *overhangs);

/*
 * The place of the lowest fixed rectangle that has a column in `span` and begins at or above
 * `floor`.
 */
uint32_t overhangs_lowest(const struct overhangs *overhangs, struct span span,
                          neap_offset floor);

static inline neap_offset overhangs_bottom(const struct overhangs *overhangs, uint32_t place) {
  return overhangs->part->fixed[overhangs->item[place]];
}

static inline neap_offset overhangs_top(const struct overhangs *overhangs, uint32_t place) {
  return overhangs_bottom(overhangs, place) + overhangs->part->size[overhangs->item[place]];
}

static inline struct span overhangs_span(const struct overhangs *overhangs, uint32_t place) {
  return overhangs->part->spans[overhangs->item[place]];
}

/* ---------------------------------------------------------------- local state */

/* An addition to the slack of a range, recorded for undo. */
struct addition {
  struct span span;
  int64_t value; /* RANGE_MIN_FAR was also added to the rest */
};

/* Columns whose floors are at `floor` and must rise to `height`. */
struct raise {
  struct span span;
  neap_offset floor, height;
};

struct local {
  struct board board; /* first member, so that pointers convert */
  struct candidates candidates;
  struct overhangs overhangs;
  struct skyline skyline;
  struct range_min slack, rest;
  struct range_min weighted; /* slack minus weight; made once there are weights */
  int64_t *weights;          /* per column; NULL before the first */
  int64_t *numbers;          /* scratch, per column */
  int64_t *taken;            /* per column: the bytes of obstacles; NULL without obstacles */
  uint32_t *ranked;          /* rank to rectangle */
  neap_offset *offsets;
  size_t placed_count;
  uint64_t resets;
  neap_size capacity; /* in units */
  neap_size reserve;  /* the padding required to end there (search/part) */
  uint64_t *left;     /* the set of rectangles not placed; NULL without ties */
  uint32_t *bodies;   /* the bodies of the ties, in placement order; NULL without ties */
  struct addition *additions; /* the trail; the skyline has its own */
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

/*
 * False if memory is short; free it in any case.  The struct must be zeroed except for
 * board.part.
 */
bool local_init(struct local *local, const struct part *part);
void local_free(struct board *board);

/* Fills the trees: per column the sizes left (rest), and the slack. */
void local_fill(struct local *local);

/* The tree of slack minus weight; the smallest value is the most urgent. */
const struct range_min *local_urgency(const struct local *local);

/* ---------------- Changes.  Undo takes them back unless stated otherwise. */

/*
 * Adds to the sizes left in a span.  Not taken back: undo adds the size of the rectangle again.
 */
void local_add_rest(struct local *local, struct span span, int64_t value);

/* Adds to the slack of a span; false, with nothing changed, when memory is short. */
bool local_add(struct local *local, struct span span, int64_t value);

/* Records whether a rectangle is left, if the part has ties.  Not taken back. */
void local_mark_left(struct local *local, uint32_t item, bool is_left);

/* Takes bytes from the slack of a span; refuted if some column has too little slack. */
enum search_status local_take_slack(struct local *local, struct span span, neap_size bytes);

/*
 * Raises the floors of a span, which are all equal, and gives up the bytes in between except
 * those of obstacles.  A floor that reaches the bottom of an obstacle continues at its top.
 */
enum search_status local_raise(struct local *local, struct raise raise);

/*
 * Gives up the bytes of a span from its floor to a height; refuted if a column has too little
 * slack.
 */
enum search_status local_give_up(struct local *local, struct span span, neap_offset floor,
                                 neap_offset height);

/*
 * Turns columns of a span in which no rectangle is left into walls; false if memory is short.
 */
bool local_close_finished(struct local *local, struct span span);

struct board_mark local_mark(const struct board *board);
void local_undo(struct board *board, struct board_mark mark, uint32_t item);

/* ---------------- Ties (search/boards/local_bodies). */

/* Whether the ties of a rectangle let it begin at a height. */
bool local_may_begin(const struct local *local, uint32_t item, neap_offset height);

/*
 * Places all bodies at the bottom before the search, which builds on top of them: the skyline
 * cannot reserve bytes above a floor.
 */
enum search_status local_place_bodies(struct local *local);

/* ---------------- For checks (search/boards/local_state_check), as in search/boards/board. */

const char *local_broken(const struct board *board);
uint64_t local_digest(const struct board *board);

#endif
