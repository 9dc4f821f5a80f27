/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which buffers the tuner may take out of a layout, and which bytes are reserved while they live.
 * Buffers with a window or banks of their own, colocated ones and those that must not share a bank with
 * another stay where they are, so that what others do breaks none of this.
 */
#ifndef TUNE_MOVERS_H
#define TUNE_MOVERS_H

#include "model/domain.h"

struct movers {
  const struct neap_problem *problem;
  bool *
      stays; /* per buffer; NULL: those without bytes, or with fixed offsets, are the only ones */
  struct domains domains; /* for the reserved bytes */
};

/* False when memory is short. */
bool movers_init(struct movers *movers, const struct neap_problem *problem);
void movers_clear(struct movers *movers);

static inline bool movers_have(const struct movers *movers, size_t buffer) {
  return problem_can_move(movers->problem, buffer) && !(movers->stays && movers->stays[buffer]);
}

#endif
