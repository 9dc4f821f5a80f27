/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorts a graph topologically. */
#ifndef MODEL_TOPOLOGY_H
#define MODEL_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "neap/neap.h"

/* An edge: `to` comes after `from`. */
struct topology_edge {
  size_t from, to;
};

/*
 * Fills `order` with the nodes 0 .. count - 1, each after its predecessors.  Among ready nodes,
 * the one with the smallest key comes next, and among equal keys the smallest number.  *sorted
 * is the number of nodes placed.  If it is less than `count`, there is a cycle: order[*sorted]
 * and the following entries hold the *cycle nodes of one cycle, each before its successor.
 * O((count + edges) log count).  NEAP_ERROR_MEMORY is the only failure.
 */
neap_status topology_sort(size_t count, const struct topology_edge *edges, size_t edge_count,
                          const int64_t *keys, size_t *order, size_t *sorted, size_t *cycle,
                          neap_error *error);

#endif
