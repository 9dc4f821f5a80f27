/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is sound and what is optimal in a tiny problem, by definition and by enumeration.  It
 * shares nothing with neap but the numbers of the problem.
 */
#ifndef SUPPORT_BRUTE_RELATIONS_H
#define SUPPORT_BRUTE_RELATIONS_H

#include "neap/relations.h"
#include "tests/support/random_relations.h"

struct brute_plan {
  neap_offset offsets[TINY_ROOM];
  size_t pools[TINY_ROOM]; /* 0 without pools */
};

/* Costs of a plan, by term. */
struct brute_costs {
  neap_size of[NEAP_TERM_COUNT];
};

/*
 * Whether a plan keeps everything that is hard, also for up to TINY_ROOM buffers. A capacity below
 * 0 is none.
 */
bool brute_is_sound(const struct tiny *tiny, const struct brute_plan *plan, neap_size capacity);

struct brute_costs brute_costs_of(const struct tiny *tiny, const struct brute_plan *plan);

/*
 * Whether statements contradict each other whatever the offsets are: a pair is separated and also
 * excluded or, perhaps by way of others, colocated.
 */
bool brute_is_contradictory(const struct tiny *tiny);

enum brute_verdict {
  BRUTE_OPTIMAL,
  BRUTE_INFEASIBLE,
  BRUTE_UNKNOWN /* there may be a plan with offsets that are not tried */
};

/*
 * Tries all pools and all offsets below BRUTE_OFFSETS, and finds a plan that minimises the terms
 * in the order of the problem.  With pools, the capacity must be negative.
 */
#define BRUTE_OFFSETS 64
enum brute_verdict brute_solve(const struct tiny *tiny, neap_size capacity,
                               struct brute_plan *plan, struct brute_costs *costs);

#endif
