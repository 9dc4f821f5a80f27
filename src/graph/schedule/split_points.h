/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the operators that split every order. */
#ifndef SCHEDULE_SPLIT_POINTS_H
#define SCHEDULE_SPLIT_POINTS_H

#include "schedule/costs.h"

/*
 * Sets parts[i] if operator order[i] splits the order: every other operator must run before it,
 * or must run after it.  The bytes alive after it are then the same in every order.  `place` is
 * scratch space for one number per operator.
 */
void split_points(const struct costs *costs, const size_t *order, size_t *place, bool *parts);

#endif
