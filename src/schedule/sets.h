/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exact search for the best order of a segment, over the sets of operators that have run. */
#ifndef SCHEDULE_SETS_H
#define SCHEDULE_SETS_H

#include "core/budget.h"
#include "schedule/segment.h"

struct sets_task {
  const struct segment *segment;
  neap_size peak;  /* of the order that there is */
  neap_size floor; /* no order is below this, or a lower peak is no improvement */
  size_t memory;   /* bytes for sets to remember */
  struct budget *budget;
};

struct sets_result {
  size_t *order;   /* in the segment's numbering; NULL: none below the task's peak was found */
  neap_size peak;  /* of the best order: of `order`, or of the task */
  neap_size least; /* proven: no order of the segment has a lower peak */
};

/*
 * Searches until an order at the floor is found, it is proven that no order is better, or the budget
 * ends.  False if memory for the search itself is short.  The caller releases the order with free(),
 * even then.
 */
bool sets_search(const struct sets_task *task, struct sets_result *result);

#endif
