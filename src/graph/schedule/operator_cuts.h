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

/* The segment must outlive the closure.  False if memory is short; clear even then. */
bool closure_init(struct closure *closure, const struct segment *segment);
void closure_clear(struct closure *closure);

/*
 * Finds the set for operator k.  In every order of the segment, at least *bytes are alive while
 * k runs.  If the budget ends first, *bytes is a weaker bound, and the set is undefined.  False
 * if memory is short.
 */
bool closure_find(struct closure *closure, size_t k, struct budget *budget, neap_size *bytes);

/* Whether an operator is in the set; only valid before any call of closure_with. */
bool closure_has(const struct closure *closure, size_t i);

/* Whether operator i may run before or after the operator of the last closure_find. */
static inline bool closure_is_free(const struct closure *closure, size_t i) {
  return closure->sides.of[i] == SIDE_EITHER;
}

/*
 * Sets *more to the additional bytes that must be alive while the operator of the last
 * closure_find runs, if the free operator i has run before it, or has not (`has_run`).  If the
 * budget ends first, *more may be too low.  False if memory is short.
 */
bool closure_with(struct closure *closure, size_t i, bool has_run, struct budget *budget,
                  neap_size *more);

/* ---------------------------------------------------------------- dead ends */

/*
 * How far a search must go back because an operator that has not run no longer fits within a
 * limit.
 */

struct dead_ends {
  struct closure closure;
  uint64_t *ran;    /* the operators that have run, for the present cut */
  uint64_t *tried;  /* the operators whose cut after the path's last set fits */
  size_t words;     /* of either set */
  size_t *refusals; /* per operator: how often it exceeded the limit where no other could run */
  uint64_t visits;  /* since the last try */
  uint64_t factor;  /* of the patience, which grows with tries in vain */
  uint64_t patience; /* visits until the next try */
};

/* The sets on the path of a search: each holds the first ends[i] operators of the trail. */
struct dead_ends_path {
  const size_t *trail, *ends; /* ascending */
  size_t count;               /* sets; at least one */
};

/* A set of the path after which every order has at least `bytes` bytes while an operator runs. */
struct dead_end {
  size_t at; /* or path->count if none was found */
  size_t k;
  neap_size bytes;
};

/*
 * The first try is after `patience` visits.  The segment must outlive `dead_ends`.  False if
 * memory is short; clear even then.
 */
bool dead_ends_init(struct dead_ends *dead_ends, const struct segment *segment,
                    uint64_t patience);
void dead_ends_clear(struct dead_ends *dead_ends);

/* Counts a visit; true if it is time to try again. */
bool dead_ends_is_due(struct dead_ends *dead_ends);

/* Notes that operator k exceeds the limit at a dead end, a set after which no operator can run. */
static inline void dead_ends_note(struct dead_ends *dead_ends, size_t k) {
  dead_ends->refusals[k]++;
}

/*
 * Finds the first set of the path after which an operator exceeds the limit in every order.
 * False if memory is short.
 */
bool dead_ends_find(struct dead_ends *dead_ends, const struct dead_ends_path *path,
                    neap_size limit, struct budget *budget, struct dead_end *found);

#endif
