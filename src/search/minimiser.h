/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lowers the peak and raises the proven lower bound, by deciding one capacity after another. */
#ifndef SEARCH_MINIMISER_H
#define SEARCH_MINIMISER_H

#include "core/budget.h"
#include "model/sections.h"
#include "search/rules.h"

struct minimiser;

struct minimiser_task {
  const struct neap_problem *problem;
  /* SECTIONS_NONEMPTY, only needed by minimiser_new; NULL: not at hand. */
  const struct sections *sections;
  const neap_offset *incumbent; /* a sound layout to start from, copied; or NULL */
  neap_size lower_bound;        /* known so far */
  neap_size capacity;           /* a layout within it is enough; -1 asks for the lowest */
  struct rules rules;
  uint64_t seed;
  uint64_t variant;      /* different variants search in different orders from the start */
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

/* Takes over a sound layout found elsewhere, in the parts where it is better. */
void minimiser_adopt(struct minimiser *minimiser, const neap_offset *offsets);

/* Takes over a lower bound proven elsewhere. */
void minimiser_raise(struct minimiser *minimiser, neap_size lower_bound);

/* NULL, and a peak of NEAP_MAX, as long as there is no layout. */
const neap_offset *minimiser_offsets(const struct minimiser *minimiser);
neap_size minimiser_peak(const struct minimiser *minimiser);

/*
 * Whether a search with a budget of `max_ticks` (0: no limit) finds a first layout about as fast as
 * sorting does: in large problems without constraints.  O(n).
 */
bool minimiser_finds_first(const struct neap_problem *problem, uint64_t max_ticks);

/* How long a tick takes for this problem, compared with one for few buffers.  O(n). */
double minimiser_tick_cost(const struct neap_problem *problem);

/* The best lower bound proven; NEAP_MAX: there is no layout at all. */
neap_size minimiser_lower_bound(const struct minimiser *minimiser);

#endif
