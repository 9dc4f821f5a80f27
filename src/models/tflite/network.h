/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a TensorFlow Lite model as a network that can be computed in bands. */
#ifndef MODELS_TFLITE_NETWORK_H
#define MODELS_TFLITE_NETWORK_H

#include "models/tflite/kernels.h"
#include "models/tflite/model.h"
#include "neap/neap-io.h"
#include "models/bands/bands.h"

/* Bytes of an element of weights or activations; 0 if the type cannot be cut. */
size_t tflite_element_bytes(uint64_t type);

/* The columns that SAME adds to the left and right of a convolution's input. */
void tflite_pad_columns(const struct kernel *kernel, int64_t *left, int64_t *right);

/*
 * Reads subgraph 0 of a model that tflite_read accepts.  Operators not known to work row by
 * row are SPLIT_NONE; in network->channels, so are those not known to work channel by
 * channel.  Call band_network_clear in every case.
 */
neap_status tflite_network_read(const struct tflite_model *model, const neap_reading *reading,
                                struct band_network *network, neap_error *error);

#endif
