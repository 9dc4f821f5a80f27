/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tensors are weights: those with data in the model, and those made once from such data. */
#ifndef MODELS_TFLITE_WEIGHTS_H
#define MODELS_TFLITE_WEIGHTS_H

#include "models/tflite/model.h"
#include "neap/neap-io.h"

/* Whether the model holds the data of a buffer. */
bool tflite_has_data(const struct tflite_model *model, uint64_t buffer);

/*
 * Whether an operator with one output dequantizes weights, such as those of float16.  TensorFlow
 * Lite does so once, and keeps the result outside its arena.  A runtime whose arena is predicted
 * allocates the result like any other output.
 */
bool tflite_makes_weights(const struct tflite_model *model,
                          const struct tflite_subgraph *subgraph,
                          const struct flat_table *node, const neap_reading *reading);

#endif
