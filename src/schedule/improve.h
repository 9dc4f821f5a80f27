/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A bounded search for an order of operators with a lower peak. */
#ifndef SCHEDULE_IMPROVE_H
#define SCHEDULE_IMPROVE_H

#include "core/budget.h"
#include "schedule/costs.h"

/*
 * Lowers the peak of `order`, a topological order.  Raises *least, a lower bound on the peak of
 * every order, as far as the search proves one: to the peak itself if `order` is proven
 * optimal.  Stops early when the budget ends; it spends no ticks.
 */
neap_status improve_order(const struct costs *costs, size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error);

#endif
