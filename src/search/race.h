/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several minimisers in threads of their own, which share layouts and lower bounds. */
#ifndef SEARCH_RACE_H
#define SEARCH_RACE_H

#include "search/minimiser.h"

struct race;

/*
 * With one thread the search is done by the caller's, in race_step; with more, by as many others,
 * and race_step waits for news of them.  The task's budget is the caller's alone.
 */
neap_status race_new(struct race **race, const struct minimiser_task *task, size_t threads,
                     neap_error *error);
void race_free(struct race *race);

/*
 * Waits for one restart or some ten milliseconds.  *done when nothing is left to find, or nothing
 * can be.  NEAP_NO_PLAN when the budget is spent.
 */
neap_status race_step(struct race *race, bool *done, neap_error *error);

/* The best layout as of the last step, its peak, and the best lower bound proven. */
const neap_offset *race_offsets(const struct race *race);
neap_size race_peak(const struct race *race);
neap_size race_lower_bound(const struct race *race);

#endif
