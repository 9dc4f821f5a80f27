/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Proves, without search, that some soft terms must be paid. */
#ifndef COSTS_BOUNDS_H
#define COSTS_BOUNDS_H

#include "core/budget.h"
#include "costs/net.h"

/*
 * Finds a lower bound on the cost that every layout within the net's limits pays for terms of
 * one kind, not counting net.base_reuse.  NEAP_NO_PLAN when the budget is spent; *bound is
 * proven even then.
 */
neap_status bounds_find(const struct net *net, neap_term kind, neap_size capacity,
                        uint64_t seed, struct budget *budget, neap_size *bound,
                        neap_error *error);

#endif
