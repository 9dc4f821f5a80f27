/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines of a certificate that prove by a flow how many bytes are alive while an operator
 * runs, in every order.
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
 * The claim that at least `bound` bytes are alive while operator k runs, in every order; with
 * `ran`, a set that includes what its operators depend on, in every order that runs it first.
 * Without a budget nothing flows, and only values count that are alive whatever has run.
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
 * Appends the lines of a claim if a flow proves it; otherwise nothing.  *is_proven tells which.
 * If a set runs first, the caller prints the first line, `cut`.  False if memory is short.
 */
bool flow_prove(const struct flow_claim *claim, struct lines *lines, bool *is_proven);

#endif
