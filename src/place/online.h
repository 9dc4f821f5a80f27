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

/* The same, after `count` of these buffers, which are placed first, in the order of `first`. */
neap_status online_place_after(const struct neap_problem *problem, const size_t *first,
                               size_t count, neap_offset *offsets, neap_error *error);

/*
 * Compares a layout with the one that the runtime makes on its own, and takes that one if it is
 * lower.  *is_own: it is as low or lower, so that the runtime needs no offsets.  A layout with fixed
 * offsets, planned variables, or relations and limits stays, because on its own the runtime does not
 * keep these.
 */
neap_status online_compare(const struct neap_problem *problem, neap_offset *offsets,
                           bool *is_own, neap_error *error);

/*
 * Places the problem's buffers that the runtime places anew; *count is how many there are.
 * NEAP_ERROR_INPUT: there are some, and relations or limits that the runtime may break.
 */
neap_status online_settle(const struct neap_problem *problem, neap_offset *offsets,
                          size_t *count, neap_error *error);

#endif
