/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers that the runtime places itself, around the buffers that a plan places. */
#ifndef RUNTIMES_ONLINE_H
#define RUNTIMES_ONLINE_H

#include "model/problem.h"

/*
 * Places the buffers whose offset is NEAP_UNPLACED around the others, as the runtime will.
 * NEAP_ERROR_INPUT: one ends above NEAP_MAX.
 */
neap_status online_place(const struct neap_problem *problem, neap_offset *offsets,
                         neap_error *error);

/* Like online_place, but first places `count` of these buffers, in the order of `first`. */
neap_status online_place_after(const struct neap_problem *problem, const size_t *first,
                               size_t count, neap_offset *offsets, neap_error *error);

/*
 * Compares a layout with the layout that the runtime makes on its own, and adopts the latter if
 * it is lower.  Sets *is_own if the runtime's layout is at least as low, so that it needs no
 * offsets.  A layout with fixed offsets, planned variables, relations or limits is kept,
 * because the runtime on its own ignores these.
 */
neap_status online_compare(const struct neap_problem *problem, neap_offset *offsets,
                           bool *is_own, neap_error *error);

/*
 * Places the buffers again that the runtime will place; *count is their number.
 * NEAP_ERROR_INPUT if there are any, and the problem has relations or limits that the runtime
 * may violate.
 */
neap_status online_settle(const struct neap_problem *problem, neap_offset *offsets,
                          size_t *count, neap_error *error);

#endif
