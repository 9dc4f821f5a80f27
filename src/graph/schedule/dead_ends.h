/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds how far a search must go back because an operator that has not run no longer fits
 * within a limit.
 */
#ifndef SCHEDULE_DEAD_ENDS_H
#define SCHEDULE_DEAD_ENDS_H

#include "schedule/operator_cuts.h"

struct dead_ends {
  struct closure closure;
  uint64_t *ran;    /* the set of operators that have run, of the present cut */
  uint64_t *tried;  /* those of which a cut was found after the last set of the path */
  size_t words;     /* of either set */
  size_t *refusals; /* per operator: how often it exceeded the limit where no other could run */
  uint64_t visits;  /* since the last try */
  uint64_t factor;  /* of the patience, which grows with tries in vain */
  uint64_t patience; /* visits until the next one */
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
 * The first try is after `patience` visits.  The segment must outlive it.  False if memory is
 * short; clear even then.
 */
bool dead_ends_init(struct dead_ends *dead_ends, const struct segment *segment,
                    uint64_t patience);
void dead_ends_clear(struct dead_ends *dead_ends);

/* Counts a visit; true if it is time to try again. */
bool dead_ends_is_due(struct dead_ends *dead_ends);

/* Notes that operator k exceeds the limit after a set after which no other operator can run. */
static inline void dead_ends_note(struct dead_ends *dead_ends, size_t k) {
  dead_ends->refusals[k]++;
}

/*
 * Finds the first set of the path that exceeds the limit for one operator.  False if memory is
 * short.
 */
bool dead_ends_find(struct dead_ends *dead_ends, const struct dead_ends_path *path,
                    neap_size limit, struct budget *budget, struct dead_end *found);

#endif
