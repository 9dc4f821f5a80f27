/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The input and output of the planners of inference runtimes: usage records, and shared objects
 * that they assign to them.
 */
#ifndef RUNTIMES_RECORDS_H
#define RUNTIMES_RECORDS_H

#include "core/budget.h"
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

/* Shared objects: buffers that tensors use one after another. */
struct objects {
  size_t *of; /* the object of each record */
  neap_size *sizes;
  size_t count, capacity;
};

enum records_order {
  RECORDS_ANY_ORDER,
  RECORDS_BY_FIRST /* the planner relies on ascending first tasks */
};

/*
 * NEAP_ERROR_INPUT names the record that is malformed or out of order, or with which the sum of
 * sizes exceeds NEAP_MAX.
 */
neap_status records_check(const struct records *records, enum records_order order,
                          neap_error *error);

static inline bool records_overlap(const struct record *a, const struct record *b) {
  return a->first <= b->last && b->first <= a->last;
}

/* Prepares for `count` records, without any objects; false when memory is short. */
bool objects_init(struct objects *objects, size_t count);
void objects_clear(struct objects *objects);

/* Creates an object and assigns it to the record; false when memory is short. */
bool objects_add(struct objects *objects, size_t record, neap_size size);

/* Assigns an object to a record; the object grows if it is too small. */
void objects_assign(struct objects *objects, size_t record, size_t object, neap_size size);

/* The sum of all sizes. */
neap_size objects_total(const struct objects *objects);

/*
 * Places the objects end to end, each at a multiple of `alignment`, and gives every record the
 * offset of its object; *total is the end of the last object. NEAP_ERROR_INPUT if that exceeds
 * NEAP_MAX, or if the object of a record does not exist. O(records + objects).
 */
neap_status objects_concatenate(const struct objects *objects, size_t record_count,
                                neap_size alignment, neap_offset *offsets, neap_size *total,
                                neap_error *error);

/* ---------------------------------------------------------------- bounds */

/*
 * Positional maxima: maxima[k] is the maximum, over all tasks, of the k-th largest size alive.
 * Their sum is a lower bound on the total size of any shared objects. *maxima is released with
 * free(). O(n log n).
 */
neap_status records_positional_maxima(const struct records *records, neap_size **maxima,
                                      size_t *count, neap_error *error);

#endif
