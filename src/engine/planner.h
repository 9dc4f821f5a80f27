/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs planners without making plans: for neap_pack, and for engines that plan parts of a
 * problem.
 */
#ifndef ENGINE_PLANNER_H
#define ENGINE_PLANNER_H

#include "core/budget.h"
#include "neap/planner.h"
#include "neap/relations.h"

struct packing {
  const neap_options *options; /* NULL: the default */
  struct budget *budget;       /* that this run is a part of; NULL: none */
};

/*
 * Plans a problem without pools, and returns only the offsets and their peak, not a plan with a
 * report.  The offsets are verified.  `peak` may be NULL.
 */
neap_status planner_pack(const neap_problem *problem, const struct packing *packing,
                         neap_offset *offsets, neap_size *peak, neap_error *error);

/* The best offsets so far, not verified; NULL if there are none. */
const neap_offset *planner_best(const neap_planner *planner);

/* The best proven lower bound on the peak. */
neap_size planner_lower_bound(const neap_planner *planner);

/* A proven lower bound on the cost of reuse or moves in every plan. */
neap_size planner_term_bound(const neap_planner *planner, neap_term term);

/* The ticks so far. */
uint64_t planner_ticks(const neap_planner *planner);

/* Why the run ended; NEAP_STOP_CANCELLED before that. */
neap_stop_reason planner_reason(const neap_planner *planner);

/*
 * NEAP_OK: some layout fits the capacity.  NEAP_INFEASIBLE: no layout does.  NEAP_NO_PLAN:
 * neither is known.
 */
neap_status planner_verdict(const neap_planner *planner, neap_error *error);

#endif
