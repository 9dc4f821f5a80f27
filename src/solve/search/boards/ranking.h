/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which rectangles are tried: a table of rankings. */
#ifndef SEARCH_BOARDS_RANKING_H
#define SEARCH_BOARDS_RANKING_H

#include "core/random.h"
#include "search/part.h"

struct ranking {
  const char *name;
  /* Rectangles of larger merit are tried earlier.  Sizes and durations are at least 1. */
  double (*merit)(double duration, double size);
};

size_t ranking_count(void);
const struct ranking *ranking_at(size_t index);

/*
 * Ranks a part's rectangles by merit; rank 0 is tried first.  Each merit is raised at random by
 * up to `noise` of itself.  `merits` and `order` are scratch space for one entry per rectangle.
 * O(n log n).
 */
void ranking_fill(const struct ranking *ranking, const struct part *part, double noise,
                  struct random *random, double *merits, uint32_t *order, uint32_t *rank);

/* Ranks by the given merits, the largest first. */
void ranking_by_merits(size_t count, double *merits, uint32_t *order, uint32_t *rank);

#endif
