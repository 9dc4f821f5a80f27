/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other orders of the same peak. */
#ifndef SCHEDULE_VARY_H
#define SCHEDULE_VARY_H

#include "schedule/costs.h"

/*
 * Moves operators of a topological order to other places that their dependences permit, at random,
 * without a higher peak.  Equal seeds make equal orders.
 */
neap_status vary_order(const struct costs *costs, size_t *order, uint64_t seed,
                       neap_error *error);

#endif
