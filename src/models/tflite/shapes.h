/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shapes of subgraph 0 for inputs with other shapes than in the file.  A rule must first reproduce
 * the shapes in the file; only then is it applied to others.
 */
#ifndef MODELS_TFLITE_SHAPES_H
#define MODELS_TFLITE_SHAPES_H

#include "models/tflite/kernels.h"
#include "models/tflite/model.h"
#include "models/tflite/operand.h"

/* ---------------------------------------------------------------- shape values */

/* Elements of small tensors of integers, on which shapes may depend. */

#define TFLITE_SHAPE_VALUES 16

struct tflite_shape {
  bool is_known, has_values; /* the values of all elements are known */
  size_t rank;
  int64_t dims[TFLITE_OPERAND_RANK]; /* up to INT32_MAX, as in a model */
  int64_t values[TFLITE_SHAPE_VALUES];
};

/*
 * Whether a value counts as known: larger ones do not, so that sums and products cannot overflow.
 */
static inline bool tflite_shape_value_is_small(int64_t value) {
  return value >= INT32_MIN && value <= INT32_MAX;
}

struct tflite_shaping {
  const struct tflite_call *call;
  const struct tflite_shape *tensors; /* of the subgraph */
  struct tflite_shape *made;          /* of each output, zeroes at first */
};

/* The shape of an input; NULL: the input is absent, or its shape unknown. */
const struct tflite_shape *tflite_shape_input(const struct tflite_shaping *s, size_t i);

/* Counts the elements; false if there are too many. */
bool tflite_shape_elements(const struct tflite_shape *shape, int64_t *elements);

/* The elements of an input, and their number; NULL: the elements are unknown. */
const int64_t *tflite_shape_integers(const struct tflite_shaping *s, size_t i, size_t *count);

/* Finds the `count` elements of an output whose shape is made; false: they remain unknown. */
bool tflite_shape_values(const struct tflite_shaping *s, size_t count);

/* ---------------------------------------------------------------- shapes */

/* A dimension of an input that differs from the file. */
struct tflite_given {
  size_t tensor, dimension; /* of its shape */
  int64_t value;
};

/*
 * Sets model->shapes.  NEAP_ERROR_ARGUMENT names the tensor whose shape cannot be worked out.
 */
neap_status tflite_shapes_infer(struct tflite_model *model, const struct tflite_given *given,
                                size_t count, neap_error *error);

/* ---------------------------------------------------------------- shape rules */

/* The shapes of an operator's outputs, by the rules of TensorFlow Lite's kernels. */

/* Whether the operator has a rule. */
bool tflite_shape_has_rule(uint64_t code);

/* Finds the outputs; false if the operator does not accept its inputs, or an output is unknown. */
bool tflite_shape_make(const struct tflite_shaping *shaping);

#endif
