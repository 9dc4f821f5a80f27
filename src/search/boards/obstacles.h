/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed rectangles as obstacles, as the global board sees them. */
#ifndef SEARCH_BOARDS_OBSTACLES_H
#define SEARCH_BOARDS_OBSTACLES_H

#include "core/checked.h"
#include "search/part.h"
#include "search/rectangle_sets.h"

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
 * them.  `overlaps` has, per rectangle, those that share a column with it.  False when memory
 * is short.
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

/* The bottom of the lowest obstacle in a column above `floor`; NEAP_MAX if there is none. */
static inline neap_offset obstacles_ceiling(const struct obstacles *obstacles, uint32_t column,
                                            neap_offset floor) {
  if (!obstacles->any) return NEAP_MAX;
  size_t k = obstacles->ledges_begin[column], end = obstacles->ledges_begin[column + 1];
  while (k < end && obstacles->ledges[k].top <= floor)
    k++;
  if (k == end) return NEAP_MAX;
  neap_size higher = k + 1 < end ? obstacles->ledges[k + 1].above : 0;
  return obstacles->ledges[k].top - (obstacles->ledges[k].above - higher);
}

#endif
