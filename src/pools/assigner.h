/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for the cheapest assignment of buffers to pools that has a layout. */
#ifndef POOLS_ASSIGNER_H
#define POOLS_ASSIGNER_H

#include "core/budget.h"
#include "pools/pool_planner.h"
#include "pools/units.h"

/* The task's pointers must stay valid as long as the assigner. */
struct assigner_task {
  const struct neap_problem *problem;
  const struct pool_planner *planner;
  const struct units *units;
  struct budget *budget;
};

struct assigner;

neap_status assigner_new(struct assigner **assigner, const struct assigner_task *task,
                         neap_error *error);
void assigner_free(struct assigner *assigner);

/*
 * Continues the search for a while; *is_over is set once every assignment was examined.
 * NEAP_NO_PLAN: the budget ended.
 */
neap_status assigner_step(struct assigner *assigner, bool *is_over, neap_error *error);

/*
 * The cheapest assignment so far (a pool per buffer) and its layout; NULL if there is none yet.
 */
const size_t *assigner_pools(const struct assigner *assigner);
const neap_offset *assigner_offsets(const struct assigner *assigner);

/*
 * The cost of this assignment, and a proven lower bound.  A bound of NEAP_MAX means: proven
 * infeasible.
 */
neap_size assigner_cost(const struct assigner *assigner);
neap_size assigner_lower_bound(const struct assigner *assigner);

#endif
