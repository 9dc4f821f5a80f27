/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The offset and pool that a layout gives to each buffer of a problem. */
#ifndef FACTS_PLACEMENT_H
#define FACTS_PLACEMENT_H

#include "model/problem.h"

struct placement {
  const struct neap_problem *problem;
  const neap_offset *offsets; /* NEAP_UNPLACED: not placed; no end of a placed buffer overflows */
  const size_t *pools;        /* per buffer; NULL: all are in pool 0 */
};

static inline size_t placement_pool(const struct placement *placement, size_t index) {
  return placement->pools ? placement->pools[index] : 0;
}

/* Whether a buffer takes up bytes. */
static inline bool placement_has(const struct placement *placement, size_t index) {
  return placement->offsets[index] != NEAP_UNPLACED &&
         placement->problem->buffers[index].size > 0;
}

static inline neap_offset placement_end(const struct placement *placement, size_t index) {
  return placement->offsets[index] + placement->problem->buffers[index].size;
}

/* The bytes that two buffers share, [*low, *high); false if there are none. */
static inline bool placement_shared(const struct placement *placement, size_t a, size_t b,
                                    neap_offset *low, neap_offset *high) {
  if (!placement_has(placement, a) || !placement_has(placement, b) ||
      placement_pool(placement, a) != placement_pool(placement, b))
    return false;
  neap_offset a_end = placement_end(placement, a), b_end = placement_end(placement, b);
  *low = placement->offsets[a] > placement->offsets[b] ? placement->offsets[a]
                                                       : placement->offsets[b];
  *high = a_end < b_end ? a_end : b_end;
  return *low < *high;
}

/* The first range of time in which two buffers are alive together; false if there is none. */
bool placement_together(const struct placement *placement, size_t a, size_t b,
                        neap_range *when);

#endif
