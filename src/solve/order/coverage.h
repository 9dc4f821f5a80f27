/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much of other buffers' lifetimes falls in a range of time, computed without looking at
 * pairs.
 */
#ifndef ORDER_COVERAGE_H
#define ORDER_COVERAGE_H

#include "core/uint256.h"
#include "model/problem.h"

/* The sorted starts and ends of a set of buffers, each with its running sums. */
struct coverage {
  neap_time *starts, *ends;
  wide_half *start_sums, *end_sums; /* sums of the first i; count + 1 elements */
  size_t count;
};

/*
 * Covers the buffers `members`, or all buffers if `members` is NULL. O(k log k); false when
 * memory is short.
 */
bool coverage_init(struct coverage *coverage, const struct neap_problem *problem,
                   const size_t *members, size_t member_count);
void coverage_clear(struct coverage *coverage);

/*
 * The sum, over the set, of the time that each buffer is alive together with `buffer`; with
 * `is_member`, its own duration is not counted.
 */
wide_half coverage_overlap(const struct coverage *coverage, const struct neap_problem *problem,
                           size_t buffer, bool is_member);

#endif
