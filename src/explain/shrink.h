/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shrinks a set of buffers that do not fit to a small one, by leaving some out. */
#ifndef EXPLAIN_SHRINK_H
#define EXPLAIN_SHRINK_H

#include "explain/oracle.h"

struct shrink {
  const struct neap_problem *problem;
  neap_size capacity; /* that the members do not fit, proven; -1: that of their pools */
  size_t *members;    /* buffers; those to be left out first come first */
  size_t count;
  bool is_minimal; /* proven: without any member (or its body) the others fit */
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
