/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In which order the children of a node are tried: a table of ways to rank rectangles. */
#ifndef SEARCH_RANKING_H
#define SEARCH_RANKING_H

#include "core/random.h"
#include "search/part.h"

struct ranking {
  const char *name;
  /* The larger, the earlier.  Sizes and durations are at least 1. */
  double (*merit)(double duration, double size);
};

/* How many there are, and one of them. */
size_t ranking_count(void);
const struct ranking *ranking_at(size_t index);

/*
 * Ranks a part's rectangles, 0 first, into `rank`.  Each merit is raised at random by up to
 * `noise` of itself.  `order` is room for as many. O(n log n).
 */
void ranking_fill(const struct ranking *ranking, const struct part *part, double noise,
                  struct random *random, double *merits, uint32_t *order, uint32_t *rank);

/* Ranks by merits given, the largest first. */
void ranking_by_merits(size_t count, double *merits, uint32_t *order, uint32_t *rank);

#endif
