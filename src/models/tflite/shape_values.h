/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Elements of small tensors of integers, on which shapes may depend. */
#ifndef MODELS_TFLITE_SHAPE_VALUES_H
#define MODELS_TFLITE_SHAPE_VALUES_H

#include "models/tflite/kernels.h"
#include "models/tflite/operand.h"

#define TFLITE_SHAPE_VALUES 16

struct tflite_shape {
  bool is_known, has_values; /* of all elements */
  size_t rank;
  int64_t dims[TFLITE_OPERAND_RANK]; /* up to INT32_MAX, as in a model */
  int64_t values[TFLITE_SHAPE_VALUES];
};

/* Values that are not are not known, so that sums and products of two do not overflow. */
static inline bool tflite_shape_value_is_small(int64_t value) {
  return value >= INT32_MIN && value <= INT32_MAX;
}

struct tflite_shaping {
  const struct tflite_call *call;
  const struct tflite_shape *tensors; /* of the subgraph */
  struct tflite_shape *made;          /* of each output, zeroes at first */
};

/* The shape of an input; NULL: absent, or not known. */
const struct tflite_shape *tflite_shape_input(const struct tflite_shaping *s, size_t i);

/* False if there are too many. */
bool tflite_shape_elements(const struct tflite_shape *shape, int64_t *elements);

/* The elements of an input, and their number; NULL: they are not known. */
const int64_t *tflite_shape_integers(const struct tflite_shaping *s, size_t i, size_t *count);

/* Finds the `count` elements of an output whose shape is made; false: they are not known. */
bool tflite_shape_values(const struct tflite_shaping *s, size_t count);

#endif
