/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The overlap of a buffer with all others is the area, over its own ranges, under the curve of
 * the number of live buffers:
 *
 *     live  3         ┌──┐
 *           2     ┌───┤▒▒├──┐            ▒ what overlaps a buffer alive in [s, e), itself
 *           1  ┌──┘   │▒▒│  └───┐          included
 *              └──────┴──┴──────┘
 *                     s  e
 *
 * The integral of that curve up to t is the sum of min(end, t) minus the sum of min(start, t)
 * over all ranges.  If starts and ends are sorted, with running sums, each of the two sums takes
 * one binary search.  So all overlaps together cost O(n log n), however many pairs overlap.
 */
#include "order/coverage.h"

#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/memory.h"
#include "core/sort.h"

static size_t collect_ranges(struct coverage *coverage, const struct neap_problem *problem,
                             size_t buffer, size_t used) {
  for (size_t r = problem_ranges_begin(problem, buffer);
       r < problem->buffers[buffer].ranges_end; r++) {
    coverage->starts[used] = problem->ranges[r].start;
    coverage->ends[used++] = problem->ranges[r].end;
  }
  return used;
}

static void sum_prefixes(const neap_time *times, size_t count, wide_half *sums) {
  for (size_t i = 0; i < count; i++)
    sums[i + 1] = sums[i] + (uint64_t)times[i];
}

static size_t count_ranges(const struct neap_problem *problem, const size_t *members,
                           size_t count) {
  if (!members) return problem->range_count;
  size_t ranges = 0;
  for (size_t i = 0; i < count; i++)
    ranges +=
        problem->buffers[members[i]].ranges_end - problem_ranges_begin(problem, members[i]);
  return ranges;
}

bool coverage_init(struct coverage *coverage, const struct neap_problem *problem,
                   const size_t *members, size_t member_count) {
  size_t ranges = count_ranges(problem, members, member_count);
  coverage->starts = memory_array(ranges, sizeof *coverage->starts);
  coverage->ends = memory_array(ranges, sizeof *coverage->ends);
  coverage->start_sums = memory_array(ranges + 1, sizeof *coverage->start_sums);
  coverage->end_sums = memory_array(ranges + 1, sizeof *coverage->end_sums);
  coverage->count = ranges;
  if (!coverage->starts || !coverage->ends || !coverage->start_sums || !coverage->end_sums) {
    coverage_clear(coverage);
    return false;
  }
  size_t used = 0, buffers = members ? member_count : problem->count;
  for (size_t i = 0; i < buffers; i++)
    used = collect_ranges(coverage, problem, members ? members[i] : i, used);
  sort_numbers(coverage->starts, ranges);
  sort_numbers(coverage->ends, ranges);
  sum_prefixes(coverage->starts, ranges, coverage->start_sums);
  sum_prefixes(coverage->ends, ranges, coverage->end_sums);
  return true;
}

void coverage_clear(struct coverage *coverage) {
  free(coverage->starts);
  free(coverage->ends);
  free(coverage->start_sums);
  free(coverage->end_sums);
  *coverage = (struct coverage){0};
}

/* The sum of min(times[i], limit). */
static wide_half capped_sum(const neap_time *times, const wide_half *sums, size_t count,
                            neap_time limit) {
  struct bisection search = bisection_of(0, count);
  while (bisection_open(&search))
    bisection_step(&search, times[search.middle] < limit);
  return sums[search.low] + (wide_half)(count - search.low) * (uint64_t)limit;
}

/* The integral of the number of live buffers, up to a time. */
static wide_half area_until(const struct coverage *coverage, neap_time until) {
  return capped_sum(coverage->ends, coverage->end_sums, coverage->count, until) -
         capped_sum(coverage->starts, coverage->start_sums, coverage->count, until);
}

wide_half coverage_overlap(const struct coverage *coverage, const struct neap_problem *problem,
                           size_t buffer, bool is_member) {
  wide_half sum = 0;
  for (size_t r = problem_ranges_begin(problem, buffer);
       r < problem->buffers[buffer].ranges_end; r++)
    sum += area_until(coverage, problem->ranges[r].end) -
           area_until(coverage, problem->ranges[r].start);
  assert(!is_member || sum >= (uint64_t)problem_duration(problem, buffer));
  return is_member ? sum - (uint64_t)problem_duration(problem, buffer) : sum;
}
