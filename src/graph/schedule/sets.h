/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exact search for the best order of a segment, over the sets of operators that have run. */
#ifndef SCHEDULE_SETS_H
#define SCHEDULE_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/budget.h"
#include "schedule/segment.h"

/* Why no order stays within the limit after a set of operators. */
enum sets_reason {
  SETS_MOVES, /* each operator that fits leads to a set that fails */
  SETS_CHAIN, /* the operators form a free chain, which leads to a set that fails */
  SETS_CUT    /* one operator exceeds the limit in every order that goes on */
};

/* A set that fails if the sets that its operators lead to fail.  Valid only during the call. */
struct sets_failure {
  const uint64_t *set; /* in the segment's numbering */
  uint64_t hash;       /* of the set, by hash_member */
  enum sets_reason reason;
  const size_t *operators;
  size_t count;
};

/*
 * Receives every set that fails, some more than once.  If `note` returns false, the search stops.
 */
struct sets_observer {
  bool (*note)(void *context, const struct sets_failure *failure);
  void *context;
};

struct sets_task {
  const struct segment *segment;
  neap_size peak;  /* the peak of the present order */
  neap_size floor; /* no order is below this, or lower peaks are no improvement */
  size_t memory;   /* bytes for remembering sets */
  uint64_t patience; /* visits before the first attempt to go back by a minimum cut */
  struct budget *budget;
  struct sets_observer observer; /* zeroes: none */
};

struct sets_result {
  size_t *order;   /* in the segment's numbering; NULL: no order below the task's peak was found */
  neap_size peak;  /* the peak of `order`, or of the task if `order` is NULL */
  neap_size least; /* proven: no order of the segment has a lower peak */
};

/*
 * Searches until it finds an order at the floor, proves that no order is better, or the budget
 * ends.  False if memory for the search itself is short, or the observer stopped it.  The caller
 * releases the order with free(), even then.
 */
bool sets_search(const struct sets_task *task, struct sets_result *result);

#endif
