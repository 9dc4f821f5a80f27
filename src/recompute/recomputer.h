/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for runs of operators that fit a capacity in the least time. */
#ifndef RECOMPUTE_RECOMPUTER_H
#define RECOMPUTE_RECOMPUTER_H

#include "core/budget.h"
#include "recompute/runs.h"

struct recomputer_task {
  const struct runs_model *model;
  neap_size capacity; /* for the bytes alive at each run */
  int64_t most_time;  /* the runs may take */
  int64_t least_time; /* the runs of a solution take at least this */
  struct budget *budget;
};

/*
 * Improves `runs` until they fit in the least time or the budget ends: lowers the peak as far as it exceeds
 * the capacity, and then the time.  Of several peaks above the capacity, keeps the lowest.
 */
neap_status recomputer_run(const struct recomputer_task *task, struct runs *runs,
                           neap_error *error);

#endif
