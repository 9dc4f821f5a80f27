/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds branches that are alike, of which a search needs to consider only one order. */
#ifndef SCHEDULE_TWINS_H
#define SCHEDULE_TWINS_H

#include "schedule/costs.h"

/*
 * Makes alike chains depend on each other, so that no chain runs ahead of the one before it.
 * Some optimal order keeps these dependences.  `order` is rearranged to keep them, too, with
 * the same peak.  False if memory is short; the costs are then unusable.
 */
bool twins_link(struct costs *costs, size_t *order);

#endif
