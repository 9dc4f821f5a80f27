/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lowers the layout of a problem that has a part which is too large or too high for every
 * search.
 */
#ifndef TUNE_SHUFFLER_H
#define TUNE_SHUFFLER_H

#include "core/budget.h"
#include "model/problem.h"

struct shuffler;

/* The problem (checked) and the budget must outlive the shuffler.  O(n log n). */
neap_status shuffler_new(struct shuffler **shuffler, const struct neap_problem *problem,
                         uint64_t seed, struct budget *budget, neap_error *error);
void shuffler_free(struct shuffler *shuffler);

/*
 * Makes one layout by placing all buffers in a random order close to the order of the offsets
 * `near`, or in any order if `near` is NULL.  NEAP_NO_PLAN when the budget is spent;
 * NEAP_INFEASIBLE, without a message, when no offset is left for a buffer.
 */
neap_status shuffler_step(struct shuffler *shuffler, const neap_offset *near,
                          neap_error *error);

/* The offsets of the last step that made a layout. */
const neap_offset *shuffler_offsets(const struct shuffler *shuffler);

#endif
