/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sorted edges of the rectangles in a layout, once for all time and once for each strip of time, so
 * that what may touch a rectangle is found among few.
 */
#ifndef SEARCH_STRIPS_H
#define SEARCH_STRIPS_H

#include "search/edges.h"
#include "search/part.h"

struct strip {
  struct edges bottoms, tops;
};

struct strips {
  const struct part *part;
  struct strip *list; /* the first is all time */
  size_t count;
  uint32_t *begins; /* the first column of each strip but the first */
  uint32_t *first,
      *last; /* the strips that each rectangle touches, beside all time; or 1 and 0 */
};

/*
 * Begin with a zeroed struct.  `part`, whose rectangles are numbered by their first columns or have gaps,
 * must outlive it.  False when memory is short; clear it in any case.
 */
bool strips_init(struct strips *strips, const struct part *part);
void strips_clear(struct strips *strips);

void strips_insert(struct strips *strips, uint32_t item, neap_offset offset);

/* Both take a rectangle that is in, at the offset where it is. */
void strips_remove(struct strips *strips, uint32_t item, neap_offset offset);
void strips_move(struct strips *strips, uint32_t item, neap_offset from, neap_offset to);

/* A strip that holds all neighbours of a rectangle, and others. */
static inline const struct strip *strips_around(const struct strips *strips, uint32_t item) {
  bool is_within = strips->first[item] == strips->last[item];
  return &strips->list[is_within ? strips->first[item] : 0];
}

#endif
