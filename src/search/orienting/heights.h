/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements "a lies below b" about pairs of rectangles that share a column, and the room that
 * each rectangle then needs below and above it.
 */
#ifndef SEARCH_ORIENTING_HEIGHTS_H
#define SEARCH_ORIENTING_HEIGHTS_H

#include "search/part.h"

/* Statement 2 p: the first rectangle of pair p lies below the second; 2 p + 1: the converse. */
#define HEIGHTS_NONE UINT32_MAX

struct heights_pair {
  uint32_t first, second;
};

/* Why a rectangle needs its room: a statement, a column of rectangles beyond it, or nothing. */
struct heights_reason {
  uint32_t statement, column; /* or HEIGHTS_NONE */
};

/* Room on one side of each rectangle; all numbers count in steps of the part. */
struct heights_side {
  neap_size *room;               /* per rectangle: the least offset, or height above it */
  struct heights_reason *reason; /* per rectangle */
  neap_size *sums;               /* per rectangle and column: sizes stated beyond it */
  uint32_t *next;                /* per rectangle: those stated to lie beyond it */
  uint32_t *next_count;
  uint32_t *changed; /* rectangles whose room the last statement has changed */
  uint32_t changed_count;
  bool *is_changed;
};

enum { HEIGHTS_BELOW, HEIGHTS_ABOVE, HEIGHTS_SIDES };

/* A statement made, or room before it changed. */
struct heights_change {
  bool is_statement;
  uint32_t side, at;
  neap_size value;
  struct heights_reason reason;
};

struct heights {
  const struct part *part;
  neap_size capacity;
  void *arrays; /* the block of those that follow */
  neap_size *size, *own, *alignment;
  uint32_t *columns_begin, *columns; /* of each rectangle */
  uint32_t *members_begin, *members; /* of each column */
  uint32_t *pair_of;                 /* per two rectangles: their pair, or HEIGHTS_NONE */
  bool *is_stated;                   /* per statement */
  uint32_t *why; /* the statements that explain the last contradiction or conclusion */
  bool *is_why;
  uint32_t *waiting; /* scratch */
  bool *is_waiting;
  struct heights_side sides[HEIGHTS_SIDES];
  struct heights_pair *pairs;
  uint32_t pair_count, why_count;
  struct heights_change *changes;
  size_t change_count, change_capacity;
  bool failed; /* memory is short: clear it */
};

/* Whether a part is small enough, and has neither ties nor fixed rectangles. */
bool heights_suit(const struct part *part);

/* False when memory is short; clear in any case. */
bool heights_init(struct heights *heights, const struct part *part);
void heights_clear(struct heights *heights);

static inline uint32_t heights_statement(const struct heights *heights, uint32_t below,
                                         uint32_t above) {
  uint32_t pair = heights->pair_of[(size_t)below * heights->part->count + above];
  return pair == HEIGHTS_NONE ? HEIGHTS_NONE : 2 * pair + (heights->pairs[pair].first != below);
}

static inline uint32_t heights_lower(const struct heights *heights, uint32_t statement) {
  const struct heights_pair *pair = &heights->pairs[statement / 2];
  return statement % 2 == 0 ? pair->first : pair->second;
}

static inline uint32_t heights_upper(const struct heights *heights, uint32_t statement) {
  return heights_lower(heights, statement ^ 1);
}

/*
 * Adds a statement and propagates.  False if memory is short (`failed`), or if the statement
 * contradicts others; then `why` lists statements that cannot all be true within the capacity.
 */
bool heights_state(struct heights *heights, uint32_t statement);

/* Undoes changes back to an earlier change_count. */
void heights_undo(struct heights *heights, size_t change_count);

/* Whether a statement, not yet made, would need more than the capacity. */
bool heights_excludes(const struct heights *heights, uint32_t statement);

/* Lists in `why` the statements from which heights_excludes follows. */
void heights_explain(struct heights *heights, uint32_t statement);

/* Whether some rectangle already needs more than the capacity. */
bool heights_exceed(const struct heights *heights);

#endif
