/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Detects contradictory constraints: those that follow from a few statements without search.  A
 * problem that only a search can refute is infeasible, not contradictory.
 */
#ifndef VERIFY_CONTRADICTIONS_H
#define VERIFY_CONTRADICTIONS_H

#include "facts/bodies.h"
#include "facts/placement.h"

/*
 * NEAP_ERROR_INPUT names the statements.  O(n log n) time, O(n) memory for n buffers, ranges,
 * relations and allowed pools.
 */
neap_status contradictions_check(const struct neap_problem *problem, neap_error *error);

#define KNOWN_NO_POOL SIZE_MAX

/* The facts about each buffer that are certain without search. */
struct known {
  const struct neap_problem *problem;
  struct bodies bodies;
  neap_offset *offsets; /* fixed, also by a buffer of the same body; or NEAP_UNPLACED */
  size_t *pools;        /* the only pool that the buffer can be in, or KNOWN_NO_POOL */
};

/* Finds `bodies`, `offsets` and `pools`, and contradictions among colocated buffers. */
neap_status contradictions_of_bodies(struct known *known, neap_error *error);

#define DISTANCE_TEXT 256

/* "'b', which is colocated 4 bytes above 'a'"; returns `text`. */
const char *contradictions_distance(const struct known *known, size_t a, size_t b,
                                    char text[DISTANCE_TEXT]);

#endif
