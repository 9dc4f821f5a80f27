/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a certificate that prove, by a flow, what is alive while an operator runs in
 * every order.
 */
#ifndef CERTIFY_FLOW_H
#define CERTIFY_FLOW_H

#include "certify/text.h"
#include "core/budget.h"
#include "schedule/costs.h"

/* The values of the certificate: numbers[v] is the place of value v in `sorted`. */
struct flow_values {
  size_t *sorted, *numbers;
  size_t count;
};

/*
 * At least `bound` bytes are alive while operator k runs, whatever the order; if `ran` is not
 * NULL, in orders that run this set first, which has all that its operators depend on.  Without
 * a budget, nothing flows: only values that are alive whatever has run count.
 */
struct flow_claim {
  const struct costs *costs;
  const struct flow_values *values;
  size_t k;
  const uint64_t *ran;
  neap_size bound;
  struct budget *budget;
};

/*
 * Appends the lines of a claim if it is true; otherwise nothing.  *is_proven tells which.  The
 * first line, `cut`, is left to the caller if a set runs first.  False if memory is short.
 */
bool flow_prove(const struct flow_claim *claim, struct lines *lines, bool *is_proven);

#endif
