/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for assignments to pools with a lower sum of peaks. */
#ifndef POOLS_POOL_PEAKS_H
#define POOLS_POOL_PEAKS_H

#include "core/budget.h"
#include "pools/pool_planner.h"
#include "pools/units.h"

struct pool_peaks_task {
  const struct neap_problem *problem;
  const struct pool_planner *planner;
  const struct units *units;
  neap_size cost; /* the limit on the cost of the assignment; NEAP_MAX: no limit */
  struct budget *budget;
};

/* A plan with pools, which the search starts from and improves. */
struct pool_layout {
  size_t *pools;           /* per buffer */
  neap_offset *offsets;    /* per buffer */
  neap_size *lower_bounds; /* per pool: on its peak with these buffers */
  neap_size peak;          /* the sum of the peaks */
};

/*
 * Lowers the sum of peaks by other assignments.  Sets *is_proven if no assignment within the
 * cost limit has a lower sum; the search gives up after some work.  NEAP_NO_PLAN: the budget
 * ended, perhaps after an improvement.
 */
neap_status pool_peaks_lower(const struct pool_peaks_task *task, struct pool_layout *layout,
                             bool *is_proven, neap_error *error);

#endif
