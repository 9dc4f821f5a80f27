/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the lightest layout of a few bodies by branch and bound over a sufficient set of
 * positions.
 */
#ifndef COSTS_ASSIGN_H
#define COSTS_ASSIGN_H

#include "core/budget.h"
#include "costs/constraint_network.h"

enum assign_end {
  ASSIGN_PROVEN,  /* no layout is lighter than `weight` */
  ASSIGN_OPEN,    /* too many positions, too many nodes, or the positions may not suffice */
  ASSIGN_STOPPED, /* the budget is spent */
  ASSIGN_MEMORY
};

struct assign_task {
  const struct net *net;    /* limited to a capacity */
  const neap_size *weights; /* per term */
  /*
   * The bodies to place: whole components, so that their only arcs to other bodies lead to the
   * ground.
   */
  const uint32_t *bodies;
  size_t count;
  uint64_t most_nodes;
  struct budget *budget;
};

/*
 * Searches for layouts lighter than *weight.  Whenever it finds one, it writes positions and
 * weight, no matter how the search ends.  *was_searched is set if the positions were few enough
 * to search.
 */
enum assign_end assign_solve(const struct assign_task *task, int64_t *positions,
                             neap_size *weight, bool *was_searched);

/* ---------------------------------------------------------------- ceiling */

/* How high the bodies of a network need to be. */

/*
 * Among the lightest layouts of whole components, those with the least sum of positions have no
 * position above this; INT64_MAX: unknown.  O(arcs) time.
 */
int64_t ceiling_of(const struct net *net, const uint32_t *bodies, size_t count);

/* ---------------------------------------------------------------- unit */

/* Which positions of bodies suffice: the multiples of a unit. */

/*
 * If all positions of a sound layout of whole components are rounded down to multiples of this
 * unit, it remains sound and costs no more.  Of each body, the unit divides the step of its
 * positions or is a multiple of it.  At least 1.  O(arcs) time.
 */
int64_t unit_of(const struct net *net, const uint32_t *bodies, size_t count);

#endif
