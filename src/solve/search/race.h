/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs several minimisers in threads; they share layouts and lower bounds. */
#ifndef SEARCH_RACE_H
#define SEARCH_RACE_H

#include "search/minimiser.h"

struct race;

/*
 * With one thread, race_step searches in the caller's thread.  With more, that many new threads
 * search and race_step waits for news from them.  Only the caller uses the task's budget.
 */
neap_status race_new(struct race **race, const struct minimiser_task *task, size_t threads,
                     neap_error *error);
void race_free(struct race *race);

/*
 * Waits for one restart or about ten milliseconds.  Sets *done as minimiser_step does.
 * NEAP_NO_PLAN when the budget is spent; after an error every further step fails as well.
 */
neap_status race_step(struct race *race, bool *done, neap_error *error);

/* Adopts a sound layout found elsewhere, if it is lower. */
void race_adopt(struct race *race, const neap_offset *offsets);

/* As of the last step: the best layout, its peak, and the best lower bound proven. */
const neap_offset *race_offsets(const struct race *race);
neap_size race_peak(const struct race *race);
neap_size race_lower_bound(const struct race *race);

#endif
