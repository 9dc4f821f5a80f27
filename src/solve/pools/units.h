/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units: sets of buffers that are assigned to a pool as a whole.  A unit is a single buffer or
 * a body of colocated buffers.
 */
#ifndef POOLS_UNITS_H
#define POOLS_UNITS_H

#include "model/problem.h"

/* A pool that can hold all members of a unit, and the cost of placing them there. */
struct unit_choice {
  size_t pool;
  neap_size cost;
};

struct units {
  size_t count;
  size_t *of;          /* per buffer, its unit */
  size_t *members;     /* buffers, unit after unit, ascending in each */
  size_t *members_end; /* per unit */
  /*
   * Unit after unit; the cheapest choice first, and equal ones in the first member's order of
   * preference.
   */
  struct unit_choice *choices;
  size_t *choices_end; /* per unit; a unit may have none */
};

/*
 * A pool is not a choice if its capacity or alignment does not suit some member's size, window
 * or fixed offset.  NEAP_ERROR_INPUT: colocated buffers have no pool in common, or the costs of
 * all units may exceed NEAP_MAX.
 */
neap_status units_init(struct units *units, const struct neap_problem *problem,
                       neap_error *error);
void units_clear(struct units *units);

static inline size_t units_members_begin(const struct units *units, size_t unit) {
  return unit == 0 ? 0 : units->members_end[unit - 1];
}

static inline size_t units_choices_begin(const struct units *units, size_t unit) {
  return unit == 0 ? 0 : units->choices_end[unit - 1];
}

/* Whether no unit has more than one choice. */
bool units_are_forced(const struct units *units);

#endif
