/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the planners of inference runtimes work on: usage records, and the shared objects that
 * they hand them out to.
 */
#ifndef RUNTIMES_RECORDS_H
#define RUNTIMES_RECORDS_H

#include "core/budget.h"
#include "neap/neap.h"

/* A tensor that is alive during every task from `first` up to and with `last`. */
struct record {
  neap_size size;
  neap_time first, last;
};

struct records {
  struct record *items;
  size_t count;
};

/* Shared objects: buffers that tensors use one after another. */
struct objects {
  size_t *of; /* per record: its object */
  neap_size *sizes;
  size_t count, capacity;
};

enum records_order {
  RECORDS_ANY_ORDER,
  RECORDS_BY_FIRST /* the planner takes the array for time: first tasks must not descend */
};

/*
 * NEAP_ERROR_INPUT, naming the record, when one is malformed or out of order, or when the sizes
 * do not add up below NEAP_MAX.
 */
neap_status records_check(const struct records *records, enum records_order order,
                          neap_error *error);

static inline bool records_overlap(const struct record *a, const struct record *b) {
  return a->first <= b->last && b->first <= a->last;
}

/* Objects for `count` records, none made yet; false when memory is short. */
bool objects_init(struct objects *objects, size_t count);
void objects_clear(struct objects *objects);

/* Makes an object and gives it the record; false when memory is short. */
bool objects_add(struct objects *objects, size_t record, neap_size size);

/* Gives a record an object, which grows when it is too small. */
void objects_assign(struct objects *objects, size_t record, size_t object, neap_size size);

/* The sum of all sizes. */
neap_size objects_total(const struct objects *objects);

/*
 * Lays the objects end to end, each at a multiple of `alignment`, and gives every record the
 * offset of its object; *total is where the last one ends.  NEAP_ERROR_INPUT when that passes
 * NEAP_MAX or a record's object is not there.  O(records + objects).
 */
neap_status objects_concatenate(const struct objects *objects, size_t record_count,
                                neap_size alignment, neap_offset *offsets, neap_size *total,
                                neap_error *error);

/* ---------------------------------------------------------------- bounds */

/*
 * Positional maxima: maxima[k] is the largest size of the k-th largest tensor of any task.  Their
 * sum is a lower bound on the total of any shared objects.  *maxima is released with free().
 * O(n log n).
 */
neap_status records_positional_maxima(const struct records *records, neap_size **maxima,
                                      size_t *count, neap_error *error);

/* The largest sum of sizes alive in one task.  O(n log n). */
neap_status records_breadth(const struct records *records, neap_size *breadth,
                            neap_error *error);

#endif
