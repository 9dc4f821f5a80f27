/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the time at which too many bytes are alive, and buffers that are alive throughout. */
#ifndef EXPLAIN_SPANNING_H
#define EXPLAIN_SPANNING_H

#include "model/problem.h"

/* Two buffers of which at least one is alive whenever too many bytes are. */
struct spanning_pair {
  size_t first, second;
};

#define SPANNING_MOST 6

struct spanning {
  neap_range
      when; /* from the first moment with too many bytes to the last; 0, 0: there is none */
  struct spanning_pair pairs[SPANNING_MOST];
  size_t pair_count;
};

/*
 * Finds out when more than `capacity` bytes are alive, and pairs that span all of it.  O(n log
 * n) time for n ranges.
 */
neap_status spanning_find(struct spanning *spanning, const struct neap_problem *problem,
                          neap_size capacity, neap_error *error);

#endif
