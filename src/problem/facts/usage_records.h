/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Usage records describe tensors as the planners of inference runtimes do: by size, and by the
 * tasks during which they are alive.
 */
#ifndef FACTS_USAGE_RECORDS_H
#define FACTS_USAGE_RECORDS_H

#include "neap/neap.h"

/* A tensor that is alive during the tasks `first` to `last`, both included. */
struct record {
  neap_size size;
  neap_time first, last;
};

struct records {
  struct record *items;
  size_t count;
};

enum records_order {
  RECORDS_ANY_ORDER,
  RECORDS_BY_FIRST /* the planner relies on ascending first tasks */
};

/*
 * NEAP_ERROR_INPUT names the first record that is malformed, is out of order or makes the sum
 * of sizes exceed NEAP_MAX.
 */
neap_status records_check(const struct records *records, enum records_order order,
                          neap_error *error);

static inline bool records_overlap(const struct record *a, const struct record *b) {
  return a->first <= b->last && b->first <= a->last;
}

/* Compares indices of records for qsort_r, whose last argument is the array of records. */
int records_by_first(const void *left, const void *right, void *items);
int records_by_size(const void *left, const void *right, void *items); /* the largest first */

#endif
