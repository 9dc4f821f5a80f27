/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the cheapest layout of a few bodies, by branch and bound over all positions worth trying. */
#ifndef SOFT_ASSIGN_H
#define SOFT_ASSIGN_H

#include "core/budget.h"
#include "soft/net.h"

enum assign_end {
  ASSIGN_PROVEN,  /* no layout is cheaper than `weight` */
  ASSIGN_OPEN,    /* too many positions, or too many nodes */
  ASSIGN_STOPPED, /* the budget is spent */
  ASSIGN_MEMORY
};

struct assign_task {
  const struct net *net;    /* limited to a capacity */
  const neap_size *weights; /* per term */
  /* The bodies to lay out: whole components, so that no arc leads to others but the ground. */
  const uint32_t *bodies;
  size_t count;
  uint64_t most_nodes;
  struct budget *budget;
};

/*
 * Looks for layouts that weigh less than *weight.  Finding one writes its positions and its weight,
 * however the search ends.  *was_searched: there were not too many positions.
 */
enum assign_end assign_solve(const struct assign_task *task, int64_t *positions,
                             neap_size *weight, bool *was_searched);

#endif
