/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost of placing buffers in pools. */
#ifndef FACTS_SPILL_H
#define FACTS_SPILL_H

#include "model/problem.h"

/*
 * The number of pools that a buffer may be in, and the pool at a position of that list, from 0.
 */
size_t spill_choice_count(const struct neap_problem *problem, size_t buffer);
size_t spill_choice(const struct neap_problem *problem, size_t buffer, size_t place);

/*
 * The buffer's size times the cost of the pool at this position of its list; false if that
 * exceeds NEAP_MAX.
 */
bool spill_cost_at(const struct neap_problem *problem, size_t buffer, size_t place,
                   neap_size *cost);

/*
 * The sum over all buffers, each in its pool: neap_report.costs.spilled_bytes.  A buffer in a
 * forbidden pool costs nothing.  False if the sum exceeds NEAP_MAX.
 */
bool spill_sum(const struct neap_problem *problem, const size_t *pools, neap_size *sum);

#endif
