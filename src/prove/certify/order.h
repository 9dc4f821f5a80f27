/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part `order` of a certificate: no order of the graph's operators has a smaller bound than
 * the present one.
 */
#ifndef CERTIFY_ORDER_H
#define CERTIFY_ORDER_H

#include "certify/certificate.h"
#include "schedule/costs.h"

/*
 * Appends the proof to task->proof if the problem was built from a graph whose order is proven
 * optimal; otherwise does nothing.  Sets task->order to the proven bound, or to 0.
 */
neap_status order_prove(struct certify_task *task, neap_error *error);

/* ---------------------------------------------------------------- flows */

/*
 * The lines of a certificate that prove by a flow how many bytes are alive while an operator
 * runs, in every order.
 */

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

/* ---------------------------------------------------------------- rules */

/*
 * The lines of a certificate that prove, pair by pair, which operator runs first in every
 * better order, until none is left.
 */

/*
 * Appends the lines if rules (schedule/precedence) show that no order needs less than `bound`
 * bytes; otherwise nothing.  *is_proven tells which.  The operators' numbers must be a
 * topological order.  False if memory is short.
 */
bool rules_prove(const struct costs *costs, const struct flow_values *values, neap_size bound,
                 struct budget *budget, struct lines *lines, bool *is_proven);

/* ---------------------------------------------------------------- order sets */

/*
 * The lines of a certificate that list sets of operators which may have run, and prove for each
 * that no better order goes on from there.
 */

struct order_sets_task {
  const struct costs *costs; /* the operators' numbers are a topological order */
  const struct flow_values *values;
  neap_size bound; /* at least 1 */
  struct budget *budget;
};

/*
 * Appends the lines if they prove that no order needs less than `bound` bytes; otherwise nothing.
 * *is_proven tells which.  Every order begins with the first *begin operators.  False if memory
 * is short.
 */
bool order_sets_prove(const struct order_sets_task *task, struct lines *lines, size_t *begin,
                      bool *is_proven);

#endif
