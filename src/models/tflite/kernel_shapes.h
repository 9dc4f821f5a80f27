/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes a model's operators, to find what their kernels allocate. */
#ifndef MODELS_TFLITE_KERNEL_SHAPES_H
#define MODELS_TFLITE_KERNEL_SHAPES_H

#include "models/tflite/flatbuffer.h"
#include "models/tflite/model.h"
#include "models/tflm/kernel_memory.h"
#include "neap/neap-io.h"

/* A description for one operator after another.  Begin with zeroes. */
struct tflite_footprint {
  struct footprint_call call; /* take and user are the caller's */
  struct flat_table node;
  struct flat_vector inputs, outputs; /* the operator's tensors */
  struct footprint_tensor *tensors;
  struct flat_vector *shapes;
  size_t capacity, shape_capacity;
  char *custom;
};

/* Sets the kernels and the size of a pointer. */
void tflite_footprint_target(struct tflite_footprint *footprint, const neap_reading *reading);

/*
 * Describes an operator, whose lists have been checked.  Call tflite_footprint_clear in every
 * case.
 */
neap_status tflite_footprint_open(struct tflite_footprint *footprint,
                                  const struct tflite_model *model, size_t subgraph,
                                  size_t index, neap_error *error);
void tflite_footprint_clear(struct tflite_footprint *footprint);

/* Writes "CONV_2D", "CUSTOM name": the operator's type. */
#define TFLITE_TYPE_TEXT 200
void tflite_footprint_type(const struct tflite_footprint *footprint,
                           char text[TFLITE_TYPE_TEXT]);

/* Writes "7 (CONV_2D)", "1:7 (CUSTOM name)": which operator it is. */
#define TFLITE_PLACE 256
void tflite_footprint_name(const struct tflite_footprint *footprint, size_t subgraph,
                           size_t index, char text[TFLITE_PLACE]);

/*
 * The scales of a tensor and its first zero point, as the runtime reads them: without a zero point,
 * no scales.
 */
struct tflite_scales {
  size_t count;
  float first;
  int32_t zero_point;
};
struct tflite_scales tflite_scales_of(const struct flat_table *tensor);

/* ---------------------------------------------------------------- flex */

/* Reads integers from untrusted FlexBuffers, in which custom operators keep their options. */

/*
 * Reads up to `capacity` elements of the root: those of a vector, or the values of a map, sorted by
 * name; 0 if the root is neither.
 */
size_t flex_numbers(const struct flat_vector *bytes, int64_t *numbers, size_t capacity);

/* Reads a member of the map that is the root; false if the map has no such member. */
bool flex_member(const struct flat_vector *bytes, const char *key, int64_t *number);

#endif
