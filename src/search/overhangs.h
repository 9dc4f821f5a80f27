/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fixed rectangles as obstacles above a skyline: finds the lowest over a run of columns. */
#ifndef SEARCH_OVERHANGS_H
#define SEARCH_OVERHANGS_H

#include "search/part.h"

#define OVERHANGS_NONE UINT32_MAX

struct overhangs {
  const struct part *part;
  uint32_t count;
  bool collide;         /* two of them do, so that there is no layout */
  neap_size peak;       /* no layout is lower, since some rectangle cannot end lower */
  uint32_t *item;       /* by ascending offset */
  neap_offset *top;     /* per place in `item`: the lowest top of it and those that follow */
  size_t leaves;        /* of a tree over the columns (core/tree.h) */
  size_t *across_begin; /* per node and one more */
  size_t *inside_begin;
  /* The places of those that cover all columns of a node, but not all of its parent. */
  uint32_t *across;
  uint32_t *inside; /* of those that cover some columns of a node and not all */
};

/* In `part` each fixed rectangle has one span.  False when memory is short. */
bool overhangs_init(struct overhangs *overhangs, const struct part *part);
void overhangs_clear(struct overhangs *overhangs);

/* Of those that have a column in `span` and begin at or above `floor`, the place of the lowest. */
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
