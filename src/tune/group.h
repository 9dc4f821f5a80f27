/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grouping: clusters of buffers of one class that live together for long. */
#ifndef TUNE_GROUP_H
#define TUNE_GROUP_H

#include "model/problem.h"

/* Parts of one: overlaps are compared in integers. */
#define GROUP_OVERLAP_ONE 1000000

struct grouping {
  size_t max_size;     /* buffers in a group at most, >= 1 */
  int64_t min_overlap; /* of the shorter of two durations, in parts of GROUP_OVERLAP_ONE */
};

struct groups {
  size_t *members; /* group after group */
  size_t *ends;    /* of each group, one past its last member */
  size_t count, capacity;
};

/* Begin with a zeroed struct; its memory is used again from call to call. */
void groups_clear(struct groups *groups);

/*
 * Divides `buffers` (a class, in list order) into groups: the seed is the one left that
 * overlaps the class longest in all (equal ones: the earlier); its members are those left that
 * overlap it by at least the minimum, longest first, up to the largest size; and so on until
 * none is left.
 */
neap_status groups_make(struct groups *groups, const struct neap_problem *problem,
                        const struct grouping *grouping, const size_t *buffers, size_t count,
                        neap_error *error);

#endif
