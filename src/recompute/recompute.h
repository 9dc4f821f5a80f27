/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets operators of a graph run again, for neap_graph_recompute. */
#ifndef RECOMPUTE_RECOMPUTE_H
#define RECOMPUTE_RECOMPUTE_H

#include "core/budget.h"
#include "neap/graph.h"

/* What lays out the graphs that recomputation finds. */
struct recompute_layouts {
  /*
   * Plans a graph's problem for a short time.  Sets *peak to that of the layout; leaves it if no layout is found.
   */
  neap_status (*plan)(void *state, const neap_graph *graph, struct budget *budget,
                      neap_size *peak, neap_error *error);
  void *state;
};

neap_status recompute_graph(neap_graph *graph, const neap_scheduling *scheduling,
                            const neap_liveness *options,
                            const struct recompute_layouts *layouts, neap_error *error);

#endif
