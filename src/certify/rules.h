/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a certificate that prove, pair by pair, which operator runs first in every better order, until none is left. */
#ifndef CERTIFY_RULES_H
#define CERTIFY_RULES_H

#include "certify/flow.h"

/*
 * Appends the lines if rules (schedule/precedence) show that no order has less than `bound` bytes; otherwise
 * nothing.  *is_proven tells which.  The operators' numbers must be a topological order.  False if memory is
 * short.
 */
bool rules_prove(const struct costs *costs, const struct flow_values *values, neap_size bound,
                 struct budget *budget, struct lines *lines, bool *is_proven);

#endif
