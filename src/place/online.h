/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers that the runtime places itself, around those that a plan places. */
#ifndef PLACE_ONLINE_H
#define PLACE_ONLINE_H

#include "model/problem.h"

/*
 * Places the buffers whose offset is NEAP_UNPLACED around the others, as the runtime will.
 * NEAP_ERROR_INPUT: one ends above NEAP_MAX.
 */
neap_status online_place(const struct neap_problem *problem, neap_offset *offsets,
                         neap_error *error);

/* Places the problem's buffers that the runtime places anew; *count is how many there are. */
neap_status online_settle(const struct neap_problem *problem, neap_offset *offsets,
                          size_t *count, neap_error *error);

#endif
