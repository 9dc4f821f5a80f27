/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of a sequence of runs: each run is an operator of its own. */
#ifndef RECOMPUTE_UNROLL_H
#define RECOMPUTE_UNROLL_H

#include "model/graph.h"
#include "recompute/runs.h"

/*
 * Gives the graph the operators of the runs, in their order.  What a further run makes are tensors of their
 * own, "x#2" for the second x, and readers read the newest.  `bound` is that of the graph's present order.
 */
neap_status unroll_graph(struct neap_graph *graph, const struct runs *runs, neap_size bound,
                         neap_error *error);

#endif
