/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dimensions of a model's inputs that their shape_signature leaves free. */
#ifndef MODELS_TFLITE_FREE_DIMS_H
#define MODELS_TFLITE_FREE_DIMS_H

#include "models/tflite/model.h"
#include "neap/neap-io.h"

/*
 * Sets model->shapes by the values given for free dimensions; warns if there are none, in which
 * case all shapes are as in the file.  NEAP_ERROR_ARGUMENT: a value is for no free dimension, or
 * shapes that follow from it cannot be worked out.
 */
neap_status tflite_free_dims_read(struct tflite_model *model, const neap_reading *reading,
                                  neap_error *error);

#endif
