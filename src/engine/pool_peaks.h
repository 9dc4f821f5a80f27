/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for pools that allow a lower sum of peaks. */
#ifndef ENGINE_POOL_PEAKS_H
#define ENGINE_POOL_PEAKS_H

#include "core/budget.h"
#include "engine/option_table.h"
#include "engine/units.h"

struct pool_peaks_task {
  const struct neap_problem *problem;
  const struct neap_options *options;
  const struct units *units;
  neap_size cost; /* the most that the pools may cost; NEAP_MAX: any */
  struct budget *budget;
};

/* A plan with pools, to begin with and to improve. */
struct pool_layout {
  size_t *pools;           /* per buffer */
  neap_offset *offsets;    /* per buffer */
  neap_size *lower_bounds; /* of the peak of each pool with these buffers */
  neap_size peak;          /* the sum of the peaks */
};

/*
 * Lowers the peak of a layout by other pools.  Sets *is_proven if no pools within the cost have a
 * lower one; it gives up after some work.  NEAP_NO_PLAN: the budget ended, perhaps after the layout
 * has been improved.
 */
neap_status pool_peaks_lower(const struct pool_peaks_task *task, struct pool_layout *layout,
                             bool *is_proven, neap_error *error);

#endif
