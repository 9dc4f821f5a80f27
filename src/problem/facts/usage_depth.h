/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Depth: the sum of the weights over each task.  Each weight covers a record's whole lifetime.
 * The maximum over all tasks is kept up to date.
 */
#ifndef FACTS_USAGE_DEPTH_H
#define FACTS_USAGE_DEPTH_H

#include "core/range_min.h"
#include "facts/usage_records.h"

struct depth {
  const struct records *records;
  neap_time *starts; /* the distinct first tasks, ascending; only there does the depth rise */
  size_t count;
  struct range_min negated; /* per start: the total weight over it, times -1 */
};

/* `records` must outlive `depth`. False when memory is short; `depth` is then cleared. */
bool depth_init(struct depth *depth, const struct records *records);
void depth_clear(struct depth *depth);

/* Adds a weight over the lifetime of a record. O(log n). */
void depth_add(struct depth *depth, size_t record, neap_size weight);

/* The maximum over all tasks; 0 if there are none. */
neap_size depth_most(const struct depth *depth);

/* The total weight over the start with this index. */
neap_size depth_at(const struct depth *depth, size_t start);

/*
 * Positional maxima: maxima[k] is the maximum, over all tasks, of the k-th largest size alive.
 * Their sum is a lower bound on the total size of any shared objects. *maxima is released with
 * free(). O(n log n).
 */
neap_status depth_positional_maxima(const struct records *records, neap_size **maxima,
                                    size_t *count, neap_error *error);

#endif
