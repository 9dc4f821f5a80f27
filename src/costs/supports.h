/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which bodies of a network rest on which. */
#ifndef COSTS_SUPPORTS_H
#define COSTS_SUPPORTS_H

#include "costs/net.h"

/*
 * The least distance from the position of an arc's other body to the end of what the arc forbids.
 * Alignments and banks can only make it longer.
 */
int64_t supports_rise(const struct net *net, const struct net_arc *arc, bool is_hard);

enum supports_end {
  SUPPORTS_GROUNDED, /* each chain of supports reaches the ground */
  SUPPORTS_OPEN,     /* there may be cycles */
  SUPPORTS_MEMORY
};

/*
 * Whether bodies of a network (ascending, all that arcs lead to) can support each other in a cycle.
 * O(bodies * arcs) time; with more arcs than SUPPORTS_MOST_ARCS, only whether each arc rises.
 */
enum supports_end supports_examine(const struct net *net, const uint32_t *bodies, size_t count);

#endif
