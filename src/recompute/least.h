/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lower bounds on the time that repeated runs take within a capacity. */
#ifndef RECOMPUTE_LEAST_H
#define RECOMPUTE_LEAST_H

#include "core/budget.h"
#include "recompute/runs.h"

/* Instead of a time: no runs fit. */
#define LEAST_NEVER INT64_MAX

/* `profile` is that of `runs`, each operator once or more; the operators at its highest moments come first. */
struct least_task {
  const struct runs_model *model;
  const struct runs *runs;
  const struct runs_profile *profile;
  neap_size capacity;
  int64_t enough; /* looks no further once more is proven */
};

/*
 * Raises *extra to a time that the repeated runs take in every sequence that fits the capacity, or to
 * LEAST_NEVER.  Stops when the budget ends.
 */
neap_status least_extra(const struct least_task *task, struct budget *budget, int64_t *extra,
                        neap_error *error);

/* Sets *peak to what the operator that needs most bytes needs, however often operators run. */
neap_status least_peak(const struct runs_model *model, neap_size *peak, neap_error *error);

#endif
