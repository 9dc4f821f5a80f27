/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements "a lies below b" about pairs of nodes, and the room that each node then needs below
 * and above it.  A node is a rectangle, or the rectangles of a body, which keep their distances.
 */
#ifndef SEARCH_DISJUNCTIVE_LONGEST_PATHS_H
#define SEARCH_DISJUNCTIVE_LONGEST_PATHS_H

#include "search/part.h"

/* Statement 2 p: the first node of pair p lies below the second; 2 p + 1: the converse. */
#define HEIGHTS_NONE UINT32_MAX

/*
 * A forbidden interval of distances from the first node to the second.  The upper node is at
 * least `weight` above the lower one; the weight depends on which node is lower.  Two bodies
 * can have several pairs.  With banks, the upper node begins in a later bank than the bank in
 * which the lower node ends.
 */
struct heights_pair {
  uint32_t first, second;
  size_t collisions_end; /* a pair's collisions begin where the previous pair's end */
  neap_offset weight[2];
  neap_size bank; /* > 0: in which `end` of the lower node and `start` of the upper one count */
  neap_offset end[2], start[2];
};

/* Two rectangles, of the first and the second node of a pair, that collide in its interval. */
struct heights_collision {
  uint32_t first, second;
};

/* Why a node needs its room: a statement, a column beyond one of its rectangles, or nothing. */
struct heights_reason {
  uint32_t statement, column; /* or HEIGHTS_NONE */
  uint32_t rectangle;         /* with a column */
};

/* A statement that puts a node below another one, or above it. */
struct heights_arc {
  uint32_t other, statement;
  neap_offset most; /* the most that it takes beside the rooms of both nodes; unknown: large */
};

/* Room on one side of each node; all numbers count in steps of the part. */
struct heights_side {
  neap_size *room;               /* per node: the least offset, or height above it */
  struct heights_reason *reason; /* per node */
  neap_size *sums;               /* per rectangle and column: sizes stated beyond it */
  struct heights_arc *arcs;      /* of each node: what would put it beyond others */
  uint32_t *next;                /* per node: the statements that put others beyond it */
  uint32_t *next_count;
  uint32_t *changed; /* nodes whose room the last statement has changed */
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
  uint32_t count;               /* of nodes; without ties, these are the rectangles */
  void *arrays;                 /* the block of the arrays that follow */
  uint32_t *node;               /* per rectangle */
  uint32_t *first;              /* per node: its first rectangle */
  neap_size *own, *alignment;   /* per node: up to its top, of offsets */
  neap_offset *residue, *limit; /* offsets are this modulo the alignment, and at most this */
  bool *is_regular;             /* per node: all offsets of that residue will do */
  uint32_t *arcs_begin;         /* of each node, on either side */
  uint32_t *waiting;            /* scratch */
  bool *is_waiting;
  struct heights_side sides[HEIGHTS_SIDES];
  void *sums; /* the block of the arrays that follow; NULL: they would be too large */
  uint32_t *columns_begin, *columns; /* of each rectangle */
  uint32_t *members_begin, *members; /* of each column */
  uint32_t *pair_of; /* per two rectangles: the pair in which they collide, or HEIGHTS_NONE */
  void *statements;  /* the block of the arrays that follow */
  bool *is_stated;   /* per statement */
  uint32_t *why;     /* the statements that explain the last contradiction or conclusion */
  bool *is_why;
  struct heights_pair *pairs;
  struct heights_collision *collisions;
  size_t pair_capacity, collision_count, collision_capacity;
  uint32_t pair_count, why_count;
  struct heights_change *changes;
  size_t change_count, change_capacity;
  /* Lowering rooms by a multiple of this lowers all that follows by exactly as much; 0: unknown. */
  neap_size grain;
  bool has_banks;
  bool failed; /* memory is short: clear it */
};

/* Whether a part is small enough, and has nothing that statements cannot express. */
bool heights_suit(const struct part *part);

/* False when memory is short; clear in any case.  Without banks, their separations do not count. */
bool heights_init(struct heights *heights, const struct part *part, bool has_banks);
void heights_clear(struct heights *heights);

/* Undoes all changes, and begins with another capacity. */
void heights_reset(struct heights *heights, neap_size capacity);

static inline size_t heights_collisions_begin(const struct heights *heights, uint32_t pair) {
  return pair == 0 ? 0 : heights->pairs[pair - 1].collisions_end;
}

/* The rectangles of a collision, the one in the lower node of a statement first. */
static inline struct heights_collision heights_collision_at(const struct heights *heights,
                                                            uint32_t statement, size_t place) {
  const struct heights_collision collision = heights->collisions[place];
  if (statement % 2 == 0) return collision;
  return (struct heights_collision){collision.second, collision.first};
}

/* The offset of a rectangle in its node. */
static inline neap_offset heights_delta(const struct part *part, uint32_t rectangle) {
  return part->ties ? part->ties->delta[rectangle] : 0;
}

/* The size of a rectangle, in steps, with the padding up to the next one. */
static inline neap_size heights_size(const struct heights *heights, uint32_t rectangle) {
  return heights->part->size[rectangle] * heights->part->steps;
}

static inline uint32_t heights_lower(const struct heights *heights, uint32_t statement) {
  const struct heights_pair *pair = &heights->pairs[statement / 2];
  return statement % 2 == 0 ? pair->first : pair->second;
}

static inline uint32_t heights_upper(const struct heights *heights, uint32_t statement) {
  return heights_lower(heights, statement ^ 1);
}

/* The least offset of the upper node of a statement, with the lower one at `offset`. */
static inline neap_offset heights_after(const struct heights *heights, uint32_t statement,
                                        neap_offset offset) {
  const struct heights_pair *pair = &heights->pairs[statement / 2];
  const uint32_t side = statement % 2;
  if (pair->bank == 0) return offset + pair->weight[side];
  return round_up(offset + pair->end[side], pair->bank) - pair->start[side];
}

/* The offset of a node in a layout of the rectangles. */
neap_offset heights_offset_in(const struct heights *heights, uint32_t node,
                              const neap_offset *offsets);

/*
 * Sets the offsets of all rectangles, in units of the part, to the lowest; returns the peak in
 * steps.
 */
neap_size heights_place(const struct heights *heights, neap_offset *offsets);

/*
 * Adds a statement and propagates.  False if memory is short (`failed`), or if the statement
 * contradicts others; then `why` lists statements that cannot all be true within the capacity.
 */
bool heights_state(struct heights *heights, uint32_t statement);

/* Undoes changes back to an earlier change_count. */
void heights_undo(struct heights *heights, size_t change_count);

/*
 * Whether nodes certainly have room for an arc on a side of one of them, which leaves `space` to
 * the rest.  It is much faster than heights_excludes.
 */
static inline bool heights_has_room(const struct heights *heights, int side,
                                    const struct heights_arc *arc, neap_size space) {
  return arc->most + heights->sides[1 - side].room[arc->other] <= space;
}

/* Whether a statement, not yet made, would need more than the capacity. */
bool heights_excludes(const struct heights *heights, uint32_t statement);

/* Lists in `why` the statements from which heights_excludes follows. */
void heights_explain(struct heights *heights, uint32_t statement);

/* Whether some rectangle already needs more than the capacity. */
bool heights_exceed(const struct heights *heights);

#endif
