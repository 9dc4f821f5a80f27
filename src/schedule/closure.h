/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sets of operators that have run when an operator of a segment runs, and the one with the fewest bytes. */
#ifndef SCHEDULE_CLOSURE_H
#define SCHEDULE_CLOSURE_H

#include "core/budget.h"
#include "schedule/cut.h"
#include "schedule/segment.h"
#include "schedule/sides.h"

struct closure {
  const struct segment *segment;
  struct sides sides; /* relative to the current operator */
  size_t *nodes;      /* per operator on neither side: its node */
  neap_size
      *kept; /* per operator: the bytes that it makes and that do not end in the segment */
  struct share_uses uses;
  struct cut cut;
  neap_size base; /* bytes alive whatever the set */
};

/* The segment must outlive it.  False if memory is short; clear even then. */
bool closure_init(struct closure *closure, const struct segment *segment);
void closure_clear(struct closure *closure);

/*
 * Finds the set for operator k.  In every order of the segment, at least *bytes are alive while k
 * runs.  If the budget ends first, *bytes is a weaker bound, and the set is undefined.  False if memory is
 * short.
 */
bool closure_find(struct closure *closure, size_t k, struct budget *budget, neap_size *bytes);

/* Whether an operator is in the set. */
bool closure_has(const struct closure *closure, size_t i);

#endif
