/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a certificate that prove, set by set of operators that have run, that no order is better. */
#ifndef CERTIFY_ORDER_SETS_H
#define CERTIFY_ORDER_SETS_H

#include "certify/flow.h"

struct order_sets_task {
  const struct costs *costs; /* the operators' numbers are a topological order */
  const struct flow_values *values;
  neap_size bound; /* at least 1 */
  struct budget *budget;
};

/*
 * Appends the lines if they prove that no order has less than `bound` bytes; otherwise nothing.  *is_proven tells
 * which.  Every order begins with the first *begin operators.  False if memory is short.
 */
bool order_sets_prove(const struct order_sets_task *task, struct lines *lines, size_t *begin,
                      bool *is_proven);

#endif
