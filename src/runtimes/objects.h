/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared objects, which the planners of inference runtimes assign to usage records. */
#ifndef RUNTIMES_OBJECTS_H
#define RUNTIMES_OBJECTS_H

#include "facts/usage_records.h"

/* Shared objects: buffers that tensors use one after another. */
struct objects {
  size_t *of; /* the object of each record */
  neap_size *sizes;
  size_t count, capacity;
};

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

#endif
