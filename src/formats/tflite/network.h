/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A TensorFlow Lite model as a network whose rows depend on each other. */
#ifndef FORMATS_TFLITE_NETWORK_H
#define FORMATS_TFLITE_NETWORK_H

#include "formats/tflite/model.h"
#include "split/bands.h"

/*
 * Reads subgraph 0 of a model that tflite_read accepts.  Operators that are not known to work row by
 * row are SPLIT_NONE.  Call split_network_clear in every case.
 */
neap_status tflite_network_read(const struct tflite_model *model, struct split_network *network,
                                neap_error *error);

#endif
