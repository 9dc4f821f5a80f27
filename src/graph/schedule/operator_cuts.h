/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sets of operators that have run when an operator of a segment runs, and the one with the
 * fewest bytes.
 */
#ifndef SCHEDULE_OPERATOR_CUTS_H
#define SCHEDULE_OPERATOR_CUTS_H

#include "core/budget.h"
#include "schedule/before_after.h"
#include "schedule/min_cut.h"
#include "schedule/segment.h"

struct closure {
  const struct segment *segment;
  struct sides sides;  /* relative to the current operator */
  const uint64_t *ran; /* operators that have run, with all that they depend on; NULL: none */
  size_t *nodes;       /* per operator on neither side: its node */
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
 * Finds the set for operator k.  In every order of the segment, at least *bytes are alive while
 * k runs.  If the budget ends first, *bytes is a weaker bound, and the set is undefined.  False
 * if memory is short.
 */
bool closure_find(struct closure *closure, size_t k, struct budget *budget, neap_size *bytes);

/* Whether an operator is in the set; before any call of closure_with. */
bool closure_has(const struct closure *closure, size_t i);

/* Whether operator i may run before or after the operator of the last closure_find. */
static inline bool closure_is_free(const struct closure *closure, size_t i) {
  return closure->sides.of[i] == SIDE_EITHER;
}

/*
 * The bytes that must be alive in addition if the free operator i has run when the operator of
 * the last closure_find runs, or if it has not.  If the budget ends first, no more than that.
 * False if memory is short.
 */
bool closure_with(struct closure *closure, size_t i, bool has_run, struct budget *budget,
                  neap_size *more);

#endif
