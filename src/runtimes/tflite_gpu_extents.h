/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite's GPU delegate for textures: sizes of two or three dimensions, and shapes, of
 * which only equality means anything.
 */
#ifndef RUNTIMES_TFLITE_GPU_EXTENTS_H
#define RUNTIMES_TFLITE_GPU_EXTENTS_H

#include "neap/neap.h"

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

/* Objects with the extents that they keep. */
struct extent_objects {
  size_t *of; /* per record */
  struct extent *extents;
  size_t count;
};

/* Cleared by the caller whatever comes of making them. */
void extent_objects_clear(struct extent_objects *objects);

/* An object for each record. */
neap_status extents_naive(const struct extent_records *records, struct extent_objects *objects,
                          neap_error *error);

/* The first free object of the same extent.  O(n o). */
neap_status extents_equality(const struct extent_records *records,
                             struct extent_objects *objects, neap_error *error);

/*
 * The free object that covers the record in every dimension, with the fewest elements too many.
 * Records by first task; of two or three dimensions.  O(n o).
 */
neap_status extents_greedy_in_order(const struct extent_records *records,
                                    struct extent_objects *objects, neap_error *error);

#endif
