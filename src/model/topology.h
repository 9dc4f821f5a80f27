/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Topological orders. */
#ifndef MODEL_TOPOLOGY_H
#define MODEL_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

#include "neap/neap.h"

/* `to` comes after `from`. */
struct topology_edge {
  size_t from, to;
};

/*
 * Fills `order` with the nodes 0 .. count - 1, each after all that it comes after, and of those
 * that may come next always the one with the smallest key; of equal keys the smallest number.
 * *sorted is how many there are: fewer than `count` where there is a cycle, and then the nodes of
 * one follow in `order`, each before the next, from order[*sorted] on, *cycle of them.
 * O((count + edges) log count).  NEAP_ERROR_MEMORY is the only failure.
 */
neap_status topology_sort(size_t count, const struct topology_edge *edges, size_t edge_count,
                          const int64_t *keys, size_t *order, size_t *sorted, size_t *cycle,
                          neap_error *error);

#endif
