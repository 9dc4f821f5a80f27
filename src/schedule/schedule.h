/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reorders the operators of a graph: neap_graph_reorder, and variations of an order. */
#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include "neap/graph.h"

/*
 * Moves operators to random other places without raising the bound of the problem that
 * neap_graph_to_problem builds with `options`.  Equal seeds give equal orders.  The errors are
 * those of neap_graph_reorder.
 */
neap_status graph_vary(neap_graph *graph, const neap_liveness *options, uint64_t seed,
                       neap_error *error);

#endif
