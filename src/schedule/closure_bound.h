/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lower bounds on the peak of every order of operators, and orders of low peaks, from least cuts. */
#ifndef SCHEDULE_CLOSURE_BOUND_H
#define SCHEDULE_CLOSURE_BOUND_H

#include "core/budget.h"
#include "schedule/costs.h"

/*
 * Raises *least, a lower bound on the peak of every order.  `order` is an order, best one of a low
 * peak, which shows for which operators this can succeed; *least never exceeds its peak.
 */
neap_status closure_bound(const struct costs *costs, size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error);

/* Also lowers the peak of `order`, unless it is `least` already. */
neap_status closure_order(const struct costs *costs, size_t *order, struct budget *budget,
                          neap_size *least, neap_error *error);

#endif
