/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the buffers that the tuner may take out of a layout, and the bytes that are reserved
 * during their lifetimes.  Buffers with a window or a bank, colocated buffers, and buffers that
 * must not share a bank with another one keep their offsets, so that moving other buffers
 * cannot violate these constraints.
 */
#ifndef TUNE_MOVABLE_H
#define TUNE_MOVABLE_H

#include "facts/domain.h"

struct movable {
  const struct neap_problem *problem;
  bool *
      stays; /* per buffer; NULL: only buffers without bytes or with fixed offsets stay */
  struct domains domains; /* they know the reserved bytes */
};

/* False when memory is short. */
bool movable_init(struct movable *movable, const struct neap_problem *problem);
void movable_clear(struct movable *movable);

static inline bool movable_has(const struct movable *movable, size_t buffer) {
  return problem_can_move(movable->problem, buffer) &&
         !(movable->stays && movable->stays[buffer]);
}

#endif
