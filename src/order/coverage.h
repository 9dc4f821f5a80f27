/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of other buffers' lives falls into a range of time, without looking at pairs. */
#ifndef ORDER_COVERAGE_H
#define ORDER_COVERAGE_H

#include "core/wide.h"
#include "model/problem.h"

/* Of a set of buffers: starts and ends sorted, each with its running sum. */
struct coverage {
  neap_time *starts, *ends;
  wide_half *start_sums, *end_sums; /* of the first i; count + 1 of them */
  size_t count;
};

/*
 * Of the buffers `members`, or of all when `members` is NULL.  O(k log k); false when memory is
 * short.
 */
bool coverage_init(struct coverage *coverage, const struct neap_problem *problem,
                   const size_t *members, size_t member_count);
void coverage_clear(struct coverage *coverage);

/*
 * The sum, over the set, of the time that each lives together with `buffer`, its own duration
 * not counted if `is_member`.
 */
wide_half coverage_overlap(const struct coverage *coverage, const struct neap_problem *problem,
                           size_t buffer, bool is_member);

/* The time that a buffer lives. */
neap_time coverage_duration(const struct neap_problem *problem, size_t buffer);

#endif
