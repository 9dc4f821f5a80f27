/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bounded search for an order of operators with a lower peak. */
#ifndef SCHEDULE_IMPROVE_H
#define SCHEDULE_IMPROVE_H

#include "schedule/costs.h"

/*
 * Lowers the peak of `order`, a topological order.  Raises *least, a lower bound on the peak of every
 * order, to what the search proves: if `order` is proven optimal, its peak.
 */
neap_status improve_order(const struct costs *costs, size_t *order, neap_size *least,
                          neap_error *error);

#endif
