/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From deciding to minimising: ever lower peaks, and ever higher proofs of what cannot be. */
#ifndef SEARCH_MINIMISER_H
#define SEARCH_MINIMISER_H

#include "core/budget.h"
#include "model/problem.h"
#include "search/rules.h"

struct minimiser;

struct minimiser_task {
  const struct neap_problem *problem;
  const neap_offset *incumbent; /* a sound layout to begin with; copied */
  neap_size lower_bound;        /* known so far */
  neap_size capacity;           /* a layout within it is enough; -1: the lowest there is */
  struct rules rules;
  uint64_t seed;
  uint64_t variant; /* searches of different variants go different ways from the beginning */
  struct budget *budget; /* outlives the minimiser, as the problem does */
};

neap_status minimiser_new(struct minimiser **minimiser, const struct minimiser_task *task,
                          neap_error *error);
void minimiser_free(struct minimiser *minimiser);

/*
 * Does one restart.  *done when nothing is left to find, or nothing can be.  NEAP_NO_PLAN when
 * the budget is spent.
 */
neap_status minimiser_step(struct minimiser *minimiser, bool *done, neap_error *error);

/* Takes a sound layout from elsewhere, for those parts in which it is better. */
void minimiser_adopt(struct minimiser *minimiser, const neap_offset *offsets);

/* Takes a lower bound proven elsewhere. */
void minimiser_raise(struct minimiser *minimiser, neap_size lower_bound);

const neap_offset *minimiser_offsets(const struct minimiser *minimiser);
neap_size minimiser_peak(const struct minimiser *minimiser);

/* The best lower bound proven. */
neap_size minimiser_lower_bound(const struct minimiser *minimiser);

#endif
