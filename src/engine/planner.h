/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planning without making plans: for neap_pack, and for engines that plan parts of a problem. */
#ifndef ENGINE_PLANNER_H
#define ENGINE_PLANNER_H

#include "core/budget.h"
#include "neap/neap.h"

struct packing {
  const neap_options *options; /* NULL: the default */
  struct budget *budget;       /* of which it is a part, without a limit of time; NULL: none */
};

/*
 * Plans a problem without pools for the offsets and their peak alone: the report of a plan is not
 * made.  The offsets are verified.  `peak` may be NULL.
 */
neap_status planner_pack(const neap_problem *problem, const struct packing *packing,
                         neap_offset *offsets, neap_size *peak, neap_error *error);

/* The best offsets so far, not verified, or NULL. */
const neap_offset *planner_best(const neap_planner *planner);

/* The best lower bound on the peak that is proven. */
neap_size planner_lower_bound(const neap_planner *planner);

/* What is proven that every plan pays for reuse or for moves. */
neap_size planner_term_bound(const neap_planner *planner, neap_term term);

/* The work so far. */
uint64_t planner_ticks(const neap_planner *planner);

/* Why the run ended; before that, NEAP_STOP_CANCELLED. */
neap_stop_reason planner_reason(const neap_planner *planner);

/*
 * NEAP_OK: there is a layout that fits the capacity.  NEAP_INFEASIBLE: there is none.
 * NEAP_NO_PLAN: neither is known.
 */
neap_status planner_verdict(const neap_planner *planner, neap_error *error);

#endif
