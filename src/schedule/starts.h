/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of a graph's operators that a search can start from, found without one. */
#ifndef SCHEDULE_STARTS_H
#define SCHEDULE_STARTS_H

#include "schedule/costs.h"

/* Fills `order` depth first, most demanding branch first. */
neap_status depth_first_order(const struct costs *costs, size_t *order, neap_error *error);

/*
 * Fills `order` such that each operator is, of those that can run, the last one in the given order, which is thus
 * reversed as far as the dependences permit.
 */
neap_status latest_first_order(const struct costs *costs, size_t *order, neap_error *error);

#endif
