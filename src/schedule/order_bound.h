/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lower bound on the peak of every order of operators, without a search. */
#ifndef SCHEDULE_ORDER_BOUND_H
#define SCHEDULE_ORDER_BOUND_H

#include "schedule/costs.h"

/* Finds a lower bound on the peak of every order.  The lowest peak may be higher. */
neap_status order_bound(const struct costs *costs, neap_size *bytes, neap_error *error);

#endif
