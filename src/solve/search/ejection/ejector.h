/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local search that inserts rectangles where they fit best and ejects those in the way. */
#ifndef SEARCH_EJECTION_EJECTOR_H
#define SEARCH_EJECTION_EJECTOR_H

#include "core/budget.h"
#include "search/part.h"
#include "search/verdict.h"

struct ejector;

/* Whether the part is of moderate size and has no ties. */
bool ejector_suits(const struct part *part);

/* `part` must outlive the ejector.  NULL when memory is short. */
struct ejector *ejector_new(const struct part *part, uint64_t seed);
void ejector_free(struct ejector *ejector);

/* Sets the capacity, in steps; ejects rectangles that end above it. */
void ejector_aim(struct ejector *ejector, neap_size capacity);

/*
 * Sets the capacity and starts from a layout, without rectangles that end above it or collide.
 */
void ejector_begin(struct ejector *ejector, const neap_offset *offsets, neap_size capacity);

/*
 * Makes up to `insertions` insertions.  VERDICT_FOUND when all are in; otherwise VERDICT_OPEN or
 * VERDICT_STOPPED.
 */
enum verdict ejector_run(struct ejector *ejector, uint64_t insertions, struct budget *budget);

/* After VERDICT_FOUND: the offset of each rectangle. */
const neap_offset *ejector_offsets(const struct ejector *ejector);

/* ---------------------------------------------------------------- edge index */

/*
 * An index of the edges of the rectangles in a layout: sorted lower and upper edges, one pair of
 * lists for all time, and one per strip of time, so that few edges need to be visited to find a
 * rectangle's neighbours.
 */

struct edge {
  neap_offset at;
  uint32_t item;
};

/* Ascending; at the same height, by item. */
struct edges {
  struct edge *list;
  size_t count;
};

/* Makes an empty list with room for `most` edges; false when memory is short. */
bool edges_init(struct edges *edges, size_t most);
void edges_clear(struct edges *edges);

void edges_insert(struct edges *edges, struct edge edge);

/* For both, the edge must be in the list. */
void edges_remove(struct edges *edges, struct edge edge);
void edges_move(struct edges *edges, struct edge edge, neap_offset to);

/* The number of edges below a height. */
size_t edges_below(const struct edges *edges, neap_offset height);

struct strip {
  struct edges bottoms, tops;
};

struct strips {
  const struct part *part;
  struct strip *list; /* the first one is all time */
  size_t count;
  uint32_t *begins; /* the first column of each strip but the first */
  uint32_t *first,
      *last; /* the strips that each rectangle touches, beside all time; or 1 and 0 */
};

/*
 * Begin with a zeroed struct.  `part`, whose rectangles are numbered by their first columns or
 * have gaps, must outlive it.  False when memory is short; clear it in any case.
 */
bool strips_init(struct strips *strips, const struct part *part);
void strips_clear(struct strips *strips);

void strips_insert(struct strips *strips, uint32_t item, neap_offset offset);

/* For both, the rectangle must be in the layout, at the given offset. */
void strips_remove(struct strips *strips, uint32_t item, neap_offset offset);
void strips_move(struct strips *strips, uint32_t item, neap_offset from, neap_offset to);

/* A strip that holds all neighbours of a rectangle, among others. */
static inline const struct strip *strips_around(const struct strips *strips, uint32_t item) {
  bool is_within = strips->first[item] == strips->last[item];
  return &strips->list[is_within ? strips->first[item] : 0];
}

#endif
