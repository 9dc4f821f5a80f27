/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the buffers that the tuner may take out of a layout, and the bytes that are reserved
 * during their lifetimes.  Buffers with a window or a bank, colocated buffers, and buffers that
 * must not share a bank with another one keep their offsets, so that moving other buffers
 * cannot violate these constraints.
 */
#ifndef TUNE_MOVERS_H
#define TUNE_MOVERS_H

#include "facts/domain.h"

struct movers {
  const struct neap_problem *problem;
  bool *
      stays; /* per buffer; NULL: only buffers without bytes or with fixed offsets stay */
  struct domains domains; /* they know the reserved bytes */
};

/* False when memory is short. */
bool movers_init(struct movers *movers, const struct neap_problem *problem);
void movers_clear(struct movers *movers);

static inline bool movers_have(const struct movers *movers, size_t buffer) {
  return problem_can_move(movers->problem, buffer) && !(movers->stays && movers->stays[buffer]);
}

#endif
