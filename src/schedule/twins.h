/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Branches that are alike, of which only one order needs to be looked at. */
#ifndef SCHEDULE_TWINS_H
#define SCHEDULE_TWINS_H

#include "schedule/costs.h"

/*
 * Makes alike chains depend on each other, so that each is never ahead of the one before it.  Some
 * order of the lowest peak keeps these dependences.  `order` is rearranged to keep them, too; its
 * peak stays.  False if memory is short; the costs are then unusable.
 */
bool twins_link(struct costs *costs, size_t *order);

#endif
