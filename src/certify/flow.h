/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a certificate that prove, by a flow, what is alive while an operator runs in every order. */
#ifndef CERTIFY_FLOW_H
#define CERTIFY_FLOW_H

#include "certify/lines.h"
#include "core/budget.h"
#include "schedule/costs.h"

/* The values of the certificate: numbers[v] is the place of value v in `sorted`. */
struct flow_values {
  size_t *sorted, *numbers;
  size_t count;
};

/*
 * Appends the lines if at least `bound` bytes are alive while operator k runs, whatever the order; otherwise
 * nothing.  *is_proven tells which.  Without a budget, nothing flows: only values that are alive whatever has run
 * count.  False if memory is short.
 */
bool flow_prove(const struct costs *costs, const struct flow_values *values, size_t k,
                neap_size bound, struct budget *budget, struct lines *lines, bool *is_proven);

#endif
