/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lowest peak of all orders of operators, with its proof. */
#ifndef SCHEDULE_PROVE_H
#define SCHEDULE_PROVE_H

#include "core/budget.h"
#include "schedule/costs.h"

struct prove_task {
  const struct costs *costs;
  size_t *order;   /* a topological order, to be improved */
  neap_size peak;  /* of the order; updated while the search runs */
  neap_size least; /* a lower bound on the peak of every order; updated, too */
  size_t memory;   /* bytes for sets to remember */
  struct budget *budget;
};

/* Lowers the peak of the order, and raises the lower bound, until they meet or the budget ends. */
neap_status prove_order(struct prove_task *task, neap_error *error);

#endif
