/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules that prune the tree of the search.  Each can be switched off; none changes whether a
 * layout exists.
 */
#ifndef SEARCH_RULES_H
#define SEARCH_RULES_H

#include "core/checks.h"

struct rules {
  /* A rectangle that is the last one in all its columns needs no alternative. */
  bool alone;
  /* Columns that become independent during the search are decided separately. */
  bool components;
  /* States that were refuted before are recognised. */
  bool refuted;
  /* A rectangle that spans a valley and fails at its floor fails up to its walls. */
  bool spanning;
  /* Equal rectangles are placed in one order only. */
  bool twins;
  /* Columns that have failed are decided earlier. */
  bool weights;
  /* Rectangles that belong together because columns are full are joined before the search. */
  bool joints;
  /* Many partial layouts are followed side by side where depth first is stuck. */
  bool beams;
  /* A local search takes rectangles out again that are in the way of others. */
  bool ejection;
  /* Capacities are refuted for the columns around the highest one, with sizes rounded down. */
  bool coarsening;
  /* Where separations tie times together, pairs are decided, and conflicts are learnt from. */
  bool orienting;
  /* In all but large parts, all invariants are asserted after every step.  Prunes nothing. */
  bool checks;
};

/* Builds with --enable-checks check every search. */
#define RULES_CHECKS CHECKS

#define RULES_ALL \
  (struct rules) { true, true, true, true, true, true, true, true, true, true, true, RULES_CHECKS }

#endif
