/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed rectangles as obstacles above a skyline: finds the lowest one over a run of columns. */
#ifndef SEARCH_BOARDS_OVERHANGS_H
#define SEARCH_BOARDS_OVERHANGS_H

#include "search/part.h"

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

#endif
