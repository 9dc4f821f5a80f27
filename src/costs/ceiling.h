/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How high the bodies of a network need to be. */
#ifndef COSTS_CEILING_H
#define COSTS_CEILING_H

#include "costs/net.h"

/*
 * Among the lightest layouts of whole components, those with the least sum of positions have no
 * position above this; INT64_MAX: unknown.  O(arcs) time.
 */
int64_t ceiling_of(const struct net *net, const uint32_t *bodies, size_t count);

#endif
