/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Depth-first orders of operators. */
#ifndef SCHEDULE_DEPTH_FIRST_H
#define SCHEDULE_DEPTH_FIRST_H

#include "schedule/costs.h"

/* Fills `order` depth first, most demanding branch first. */
neap_status depth_first_order(const struct costs *costs, size_t *order, neap_error *error);

#endif
