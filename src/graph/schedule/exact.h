/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the lowest peak of all orders of operators, and proves it. */
#ifndef SCHEDULE_EXACT_H
#define SCHEDULE_EXACT_H

#include "core/budget.h"
#include "schedule/costs.h"

struct prove_task {
  const struct costs *costs;
  size_t *order;   /* a topological order, which the search improves */
  neap_size peak;  /* of `order`, updated as it improves */
  neap_size least; /* a lower bound on every order's peak, raised as the search proves more */
  size_t memory;   /* bytes for remembering sets */
  struct budget *budget;
};

/* Lowers the peak of the order, and raises the lower bound, until they meet or the budget ends. */
neap_status exact_order(struct prove_task *task, neap_error *error);

#endif
