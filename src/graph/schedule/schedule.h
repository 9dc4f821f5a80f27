/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reorders the operators of a graph: neap_graph_reorder, and variations of an order. */
#ifndef SCHEDULE_SCHEDULE_H
#define SCHEDULE_SCHEDULE_H

#include "core/budget.h"
#include "neap/graph.h"
#include "schedule/costs.h"
#include "schedule/exact.h"

/*
 * Moves operators to random other places without raising the bound of the problem that
 * neap_graph_to_problem builds with `options`.  Equal seeds give equal orders.  The errors are
 * those of neap_graph_reorder.
 */
neap_status graph_vary(neap_graph *graph, const neap_liveness *options, uint64_t seed,
                       neap_error *error);

/* ---------------------------------------------------------------- order bound */

/* A lower bound on the peak of every order of operators, without a search. */

/* Finds a lower bound on the peak of every order.  The lowest peak may be higher. */
neap_status order_bound(const struct costs *costs, neap_size *bytes, neap_error *error);

/* ---------------------------------------------------------------- refine */

/* A local search for an order of operators with a lower peak. */

/* Lowers the peak of the order until it is the lower bound or the budget ends.  Proves nothing. */
neap_status refine_order(struct prove_task *task, uint64_t seed, neap_error *error);

/* ---------------------------------------------------------------- twins */

/* Finds alike branches, for which a search needs to consider only one order. */

/*
 * Makes alike chains depend on each other, so that no chain runs ahead of the one before it.
 * Some optimal order keeps these dependences.  `order` is rearranged to keep them, too, with
 * the same peak.  False if memory is short; the costs are then unusable.
 */
bool twins_link(struct costs *costs, size_t *order);

/* ---------------------------------------------------------------- improve */

/* A bounded search for an order of operators with a lower peak. */

/*
 * Lowers the peak of `order`, a topological order.  Raises *least, a lower bound on the peak of
 * every order, as far as the search proves one: to the peak itself if `order` is proven
 * optimal.  Stops early when the budget ends; it spends no ticks.
 */
neap_status improve_order(const struct costs *costs, size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error);

/* ---------------------------------------------------------------- starts */

/* Orders of a graph's operators that a search can start from, found without a search. */

/* Fills `order` depth first, most demanding branch first. */
neap_status depth_first_order(const struct costs *costs, size_t *order, neap_error *error);

/*
 * Fills `order` with the reverse of the graph's order, as far as dependences permit: of the
 * operators that can run, the one with the highest number always comes next.
 */
neap_status latest_first_order(const struct costs *costs, size_t *order, neap_error *error);

/* ---------------------------------------------------------------- closure bound */

/*
 * Lower bounds on the peak of every order of operators, and orders of low peaks, from minimum cuts.
 */

/*
 * Raises *least, a lower bound on the peak of every order.  `order` should have a low peak: it
 * shows for which operators cuts can raise the bound; *least never exceeds its peak.
 */
neap_status closure_bound(const struct costs *costs, size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error);

/* Also lowers the peak of `order`, unless it is `least` already. */
neap_status closure_order(const struct costs *costs, size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error);

#endif
