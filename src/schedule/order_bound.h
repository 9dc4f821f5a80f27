/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lower bound on the peak of every order of operators, without a search. */
#ifndef SCHEDULE_ORDER_BOUND_H
#define SCHEDULE_ORDER_BOUND_H

#include "schedule/costs.h"

/*
 * Finds a lower bound on the peak of every order; with `shared`, even if outputs share the bytes of
 * inputs.  The lowest peak may be higher.
 */
neap_status order_bound(const struct costs *costs, const struct neap_graph *graph,
                        const neap_liveness *options, bool shared, neap_size *bytes,
                        neap_error *error);

/* Whether any output may take the bytes of an input, which `costs` does not model. */
bool order_bound_shares(const struct neap_graph *graph, const neap_liveness *options);

#endif
