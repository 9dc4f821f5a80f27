/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a refuted capacity does not suffice: which buffers cannot fit together. */
#ifndef EXPLAIN_CORE_H
#define EXPLAIN_CORE_H

#include "explain/oracle.h"
#include "neap/proof.h"

struct core {
  neap_reason reason;
  size_t *members; /* the largest first */
  size_t count;
  bool is_minimal;
  neap_size available, required; /* if the reason is NEAP_REASON_POOLS: of the crowded pools */
};

/*
 * Finds a conflicting set of a problem for which `capacity` (-1: those of its pools) is proven
 * not to suffice.  Unless memory is short, there always is one, in the worst case all buffers.
 */
neap_status core_find(struct core *core, const struct neap_problem *problem, neap_size capacity,
                      struct oracle *oracle, neap_error *error);
void core_clear(struct core *core);

/*
 * Lists the buffers of at least one byte that are alive at a moment, or all of them for
 * NEAP_UNPLACED, the largest first; NULL if memory is short.
 */
size_t *core_alive(const struct neap_problem *problem, neap_time moment, size_t *count);

/* Sorts buffers, the largest first, those of one size by index. */
bool core_sort_by_size(const struct neap_problem *problem, size_t *buffers, size_t count);

/* ---------------------------------------------------------------- shrink */

/* Shrinks a set of buffers that do not fit to a small one, by leaving some out. */

struct shrink {
  const struct neap_problem *problem;
  neap_size capacity; /* proven too small for the members; -1: that of their pools */
  size_t *members;    /* buffers; those to be left out first come first */
  size_t count;
  bool is_minimal; /* proven: without any one member (or body) the others fit */
};

/*
 * Removes members as long as the bound alone refutes the others.  O(log n) bounds of ever smaller
 * problems if few members matter.
 */
neap_status shrink_by_bound(struct shrink *shrink, struct oracle *oracle, neap_error *error);

/*
 * Removes members as long as the exact search refutes the others, within the stage of the oracle,
 * and finds out whether the set is minimal.
 */
neap_status shrink_by_search(struct shrink *shrink, struct oracle *oracle, neap_error *error);

#endif
