/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rectangles not yet placed, found by where they lie in time and by rank. */
#ifndef SEARCH_CANDIDATES_H
#define SEARCH_CANDIDATES_H

#include "search/part.h"

#define CANDIDATES_NONE UINT32_MAX

struct candidates {
  const struct part *part;
  uint32_t *item;  /* by ascending first section: which rectangle */
  uint32_t *place; /* the inverse */
  uint32_t *
      /*
       * per section s: the first place whose rectangle starts at s or later; one more at the
       * end
       */
      begin;
  const uint32_t *rank;
  size_t leaf_count;
  struct candidates_node *nodes;
};

/* Of a part with one span each.  False when memory is short. */
bool candidates_init(struct candidates *candidates, const struct part *part);
void candidates_clear(struct candidates *candidates);

/*
 * Puts all in, ranked: rank[i] is different for each, the smallest is tried first.  `rank` is
 * kept.  O(n).
 */
void candidates_fill(struct candidates *candidates, const uint32_t *rank);

void candidates_remove(struct candidates *candidates, uint32_t item);
void candidates_restore(struct candidates *candidates, uint32_t item);

/*
 * Among those that lie within `span` and live in section `at`, the one of the smallest rank at
 * or above `from`.
 */
uint32_t candidates_best(const struct candidates *candidates, struct span span, uint32_t at,
                         uint32_t from);

/*
 * The run of sections around `at` that no rectangle within `span` covers; nobody within `span`
 * lives in `at`.
 */
struct span candidates_hole(const struct candidates *candidates, struct span span, uint32_t at);

/*
 * The smallest size of those within `span` that do not live in section `at`; NEAP_MAX when
 * there is none.
 */
neap_size candidates_smallest(const struct candidates *candidates, struct span span,
                              uint32_t at);

#endif
