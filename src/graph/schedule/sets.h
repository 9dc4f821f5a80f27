/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An exact search for the best order of a segment, over the sets of operators that have run. */
#ifndef SCHEDULE_SETS_H
#define SCHEDULE_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/budget.h"
#include "schedule/segment.h"

struct sets_task {
  const struct segment *segment;
  neap_size peak;  /* the peak of the present order */
  neap_size floor; /* no order is below this, or lower peaks are no improvement */
  size_t memory;   /* bytes for remembering sets */
  struct budget *budget;
};

struct sets_result {
  size_t *order;   /* in the segment's numbering; NULL: no order below the task's peak was found */
  neap_size peak;  /* the peak of `order`, or of the task without one */
  neap_size least; /* proven: no order of the segment has a lower peak */
};

/*
 * Searches until it finds an order at the floor, proves that no order is better, or the budget
 * ends.  False if memory for the search itself is short.  The caller releases the order with
 * free(), even then.
 */
bool sets_search(const struct sets_task *task, struct sets_result *result);

#endif
