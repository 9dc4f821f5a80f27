/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topological orders. */
#ifndef SCHEDULE_TOPOLOGY_H
#define SCHEDULE_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "neap/neap.h"

/* `to` comes after `from`. */
struct topology_edge {
  size_t from, to;
};

/*
 * Fills `order` with the nodes 0 .. count - 1, each after its predecessors.  Of the nodes that are
 * ready, the one with the smallest key comes next, or with the smallest number if keys are equal.
 * *sorted is the number of nodes placed.  If that is fewer than `count`, there is a cycle, and the
 * *cycle nodes of one are in `order` from order[*sorted] on, each before its successor.
 * O((count + edges) log count).  NEAP_ERROR_MEMORY is the only failure.
 */
neap_status topology_sort(size_t count, const struct topology_edge *edges, size_t edge_count,
                          const int64_t *keys, size_t *order, size_t *sorted, size_t *cycle,
                          neap_error *error);

#endif
