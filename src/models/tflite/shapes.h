/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shapes of subgraph 0 for other inputs than those in the file.  A rule must make the shapes in the
 * file first; only then is it used for others.
 */
#ifndef MODELS_TFLITE_SHAPES_H
#define MODELS_TFLITE_SHAPES_H

#include "models/tflite/model.h"

/* A dimension of an input that is other than in the file. */
struct tflite_given {
  size_t tensor, dimension; /* which its shape has */
  int64_t value;
};

/*
 * Sets model->shapes.  NEAP_ERROR_ARGUMENT names the tensor whose shape cannot be worked out.
 */
neap_status tflite_shapes_infer(struct tflite_model *model, const struct tflite_given *given,
                                size_t count, neap_error *error);

#endif
