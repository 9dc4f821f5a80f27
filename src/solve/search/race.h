/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs several minimisers in threads; they share layouts and lower bounds. */
#ifndef SEARCH_RACE_H
#define SEARCH_RACE_H

#include "search/minimiser.h"

struct race;

/*
 * The first of the searches runs in the caller's thread; with more threads than one, others
 * join it.  Only the first uses the task's budget.
 */
neap_status race_new(struct race **race, const struct minimiser_task *task, size_t threads,
                     neap_error *error);
void race_free(struct race *race);

/*
 * Does one restart of the first search.  Sets *done as minimiser_step does, also if another
 * search has decided the race.  NEAP_NO_PLAN when the budget is spent.
 */
neap_status race_step(struct race *race, bool *done, neap_error *error);

/* Adopts a sound layout found elsewhere, if it is lower. */
void race_adopt(struct race *race, const neap_offset *offsets);

/* As of the last step: the best layout, its peak, and the best lower bound proven. */
const neap_offset *race_offsets(const struct race *race);
neap_size race_peak(const struct race *race);
neap_size race_lower_bound(const struct race *race);

#endif
