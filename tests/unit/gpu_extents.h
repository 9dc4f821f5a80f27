/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's GPU delegate for textures: sizes with two or three dimensions, and shapes,
 * which are only compared for equality (doc/tflite-gpu.md, 4.1, 4.3 and 4.6). Buffers have
 * sizes in bytes, so only the vectors need this.
 */
#ifndef UNIT_GPU_EXTENTS_H
#define UNIT_GPU_EXTENTS_H

#include "neap/neap-io.h"

#define EXTENT_DIMENSIONS 4

/* Unused dimensions are 1. */
struct extent {
  int64_t along[EXTENT_DIMENSIONS];
};

struct extent_record {
  struct extent extent;
  neap_time first, last;
};

struct extent_records {
  const struct extent_record *items;
  size_t count;
};

/* Objects and their fixed extents. */
struct extent_objects {
  size_t *of; /* the object of each record */
  struct extent *extents;
  size_t count;
};

/* The caller clears the objects, even after an error. */
void extent_objects_clear(struct extent_objects *objects);

/* One object per record. */
neap_status extents_naive(const struct extent_records *records, struct extent_objects *objects,
                          neap_error *error);

/* The first free object of the same extent.  O(n o). */
neap_status extents_equality(const struct extent_records *records,
                             struct extent_objects *objects, neap_error *error);

/*
 * The free object that covers the record in every dimension with the fewest excess elements.
 * Records by first task, with two or three dimensions. O(n o).
 */
neap_status extents_greedy_in_order(const struct extent_records *records,
                                    struct extent_objects *objects, neap_error *error);

#endif
