/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which positions of bodies suffice: the multiples of a unit. */
#ifndef COSTS_UNIT_H
#define COSTS_UNIT_H

#include "costs/net.h"

/*
 * If all positions of a sound layout of whole components are rounded down to multiples of this
 * unit, it remains sound and costs no more.  Of each body, the unit divides the step of its
 * positions or is a multiple of it.  At least 1.  O(arcs) time.
 */
int64_t unit_of(const struct net *net, const uint32_t *bodies, size_t count);

#endif
