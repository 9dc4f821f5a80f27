/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lowers the peak and raises the proven lower bound by deciding one capacity after another. */
#ifndef SEARCH_MINIMISER_H
#define SEARCH_MINIMISER_H

#include "core/budget.h"
#include "facts/sections.h"
#include "search/rules.h"

struct minimiser;

struct minimiser_task {
  const struct neap_problem *problem;
  /* SECTIONS_NONEMPTY, or NULL to compute them; only needed by minimiser_new. */
  const struct sections *sections;
  const neap_offset *incumbent; /* a sound layout to start from, copied; or NULL */
  neap_size lower_bound;        /* known so far */
  neap_size capacity;           /* stop at a layout within it; -1: minimise */
  struct rules rules;
  uint64_t seed;
  uint64_t variant;      /* different variants search in different orders from the start */
  uint64_t turns;        /* of a search before this one; it begins after them */
  struct budget *budget; /* must outlive the minimiser, like the problem */
};

neap_status minimiser_new(struct minimiser **minimiser, const struct minimiser_task *task,
                          neap_error *error);
void minimiser_free(struct minimiser *minimiser);

/*
 * Does one restart.  Sets *done when the search is finished: the optimum or the capacity is
 * reached or refuted, or no search can take the part.  NEAP_NO_PLAN when the budget is spent.
 */
neap_status minimiser_step(struct minimiser *minimiser, bool *done, neap_error *error);

/* Adopts a sound layout found elsewhere, in each part where it is lower. */
void minimiser_adopt(struct minimiser *minimiser, const neap_offset *offsets);

/* Adopts a lower bound proven elsewhere. */
void minimiser_raise(struct minimiser *minimiser, neap_size lower_bound);

/* NULL and NEAP_MAX until there is a layout. */
const neap_offset *minimiser_offsets(const struct minimiser *minimiser);
neap_size minimiser_peak(const struct minimiser *minimiser);

/*
 * Whether a search within `max_ticks` (0: no limit) should come before a sorted layout.  A
 * search that finds nothing ends.  True only for large problems without constraints.  O(n).
 */
bool minimiser_finds_first(const struct neap_problem *problem, uint64_t max_ticks);

/* The cost of a tick for this problem, relative to a tick for a small problem.  O(n). */
double minimiser_tick_cost(const struct neap_problem *problem);

/* The best lower bound proven; NEAP_MAX: there is no layout at all. */
neap_size minimiser_lower_bound(const struct minimiser *minimiser);

#endif
