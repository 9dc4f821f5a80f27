/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of the search, and the methods it does without.  Each can be switched off; none
 * changes whether a layout exists.
 */
#ifndef SEARCH_RULES_H
#define SEARCH_RULES_H

#include <stddef.h>
#include <stdint.h>

#include "core/checks.h"

struct rules {
  /* Columns that become independent during the search are decided separately. */
  bool components;
  /* States that were refuted before are recognised. */
  bool refuted;
  /* Equal rectangles are placed in one order only. */
  bool twins;
  /* Columns that have failed are decided earlier. */
  bool weights;
  /* All invariants are asserted after every step, except in large parts.  Prunes nothing. */
  bool checks;
  /* The methods that are not used (method_bit). */
  uint32_t disabled;
};

/* Builds with --enable-checks check every search. */
#define RULES_CHECKS CHECKS

#define RULES_ALL \
  (struct rules) { true, true, true, true, RULES_CHECKS, 0 }

/* Lists the rules. */
#define RULES_COUNT 4
bool rules_at(size_t index, const char **name, const char **summary);

/* All methods, and all rules except those in a set, which has a bit per index of rules_at. */
struct rules rules_without(uint64_t set);

#endif
