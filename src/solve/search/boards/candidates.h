/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds rectangles that are left, by the columns they cover and by rank. */
#ifndef SEARCH_BOARDS_CANDIDATES_H
#define SEARCH_BOARDS_CANDIDATES_H

#include "search/part.h"

#define CANDIDATES_NONE UINT32_MAX

struct candidates {
  const struct part *part;
  uint32_t *item;  /* the rectangles by ascending first column */
  uint32_t *place; /* where each rectangle is in `item` */
  /* Per column and one more: the first place whose rectangle starts there or later. */
  uint32_t *begin;
  const uint32_t *rank;          /* per rectangle */
  size_t leaves;                 /* of a tree over `item` (core/tree.h) */
  struct candidates_node *nodes; /* per node: a summary of the rectangles below it */
};

/*
 * In `part` every rectangle has one span; fixed ones are never found.  False when memory is
 * short.
 */
bool candidates_init(struct candidates *candidates, const struct part *part);
void candidates_clear(struct candidates *candidates);

/*
 * Adds all rectangles.  Ranks are distinct, and the smallest is tried first; `rank` must remain
 * valid.  O(n).
 */
void candidates_fill(struct candidates *candidates, const uint32_t *rank);

/* Changes the ranks of the rectangles present.  O(n). */
void candidates_rerank(struct candidates *candidates, const uint32_t *rank);

void candidates_remove(struct candidates *candidates, uint32_t item);
void candidates_restore(struct candidates *candidates, uint32_t item);

/*
 * The smallest rank, from `from` on, of a rectangle of size at most `most` that lies within
 * `span` and covers column `at`; CANDIDATES_NONE if there is none.
 */
uint32_t candidates_best(const struct candidates *candidates, struct span span, uint32_t at,
                         neap_size most, uint32_t from);

/*
 * The run of columns around `at` that no rectangle of size at most `most` within `span` covers.
 * The caller knows that `at` is not covered.
 */
struct span candidates_hole(const struct candidates *candidates, struct span span, uint32_t at,
                            neap_size most);

/*
 * The smallest size of the rectangles within `span` that do not cover column `at`; NEAP_MAX when
 * there is none.
 */
neap_size candidates_smallest(const struct candidates *candidates, struct span span,
                              uint32_t at);

#endif
