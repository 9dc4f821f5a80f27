/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph of a sequence of runs: each run is an operator of its own. */
#ifndef MODEL_UNROLL_H
#define MODEL_UNROLL_H

#include "model/graph.h"

/*
 * Gives the graph an operator for each of the `count` runs, in their order; `runs` are indices of
 * its operators.  The outputs of a repeated run are new tensors, "x#2" for the second x, and
 * readers read the newest one.  `bound` is the bound of the graph's present order.
 */
neap_status unroll_graph(struct neap_graph *graph, const size_t *runs, size_t count,
                         neap_size bound, neap_error *error);

#endif
