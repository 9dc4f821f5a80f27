/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lower bounds on the time that repeated runs take within a capacity. */
#ifndef RECOMPUTE_LEAST_H
#define RECOMPUTE_LEAST_H

#include "core/budget.h"
#include "recompute/runs.h"

/* Instead of a time: no runs fit. */
#define LEAST_NEVER INT64_MAX

/*
 * Raises *extra to a time that the repeated runs take in every sequence that fits the capacity, or to
 * LEAST_NEVER.  `profile` is that of `runs`, each operator once or more; the operators at its highest moments
 * come first.  Stops when the budget ends.
 */
neap_status least_extra(const struct runs_model *model, neap_size capacity,
                        const struct runs *runs, const struct runs_profile *profile,
                        struct budget *budget, int64_t *extra, neap_error *error);

#endif
