/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouping: clusters of buffers of one risk class that are alive together for long. */
#ifndef TUNE_GROUP_H
#define TUNE_GROUP_H

#include "model/problem.h"

/* Fractions are integers in units of 1 / GROUP_OVERLAP_ONE. */
#define GROUP_OVERLAP_ONE 1000000

struct grouping {
  size_t max_size;     /* maximum number of buffers in a group, >= 1 */
  int64_t min_overlap; /* fraction of the shorter of two durations */
};

struct groups {
  size_t *members; /* one group after another */
  size_t *ends;    /* of each group: one past its last member */
  size_t count, capacity;
};

/* Initialise with zeroes; memory is reused from call to call. */
void groups_clear(struct groups *groups);

/*
 * Divides `buffers` (a class, in list order) into groups. The seed of a group is the remaining
 * buffer with the longest total overlap with its class, the first of equal ones. Its members
 * are the remaining buffers that overlap it by at least the minimum, longest overlap first, up
 * to the maximum size. This repeats until no buffer is left.
 */
neap_status groups_make(struct groups *groups, const struct neap_problem *problem,
                        const struct grouping *grouping, const size_t *buffers, size_t count,
                        neap_error *error);

#endif
