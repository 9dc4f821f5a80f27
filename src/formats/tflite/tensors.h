/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the tensors of a TensorFlow Lite model. */
#ifndef FORMATS_TFLITE_TENSORS_H
#define FORMATS_TFLITE_TENSORS_H

#include "formats/target.h"
#include "formats/tflite/model.h"

/*
 * Adds the tensors of all subgraphs to a graph without tensors.  Constants and variables are marked
 * as such; tensors without a known size, which only the runtime can keep, are marked as stored
 * elsewhere.
 */
neap_status tflite_read_tensors(struct tflite_model *model, const struct target *target,
                                neap_graph *graph, neap_error *error);

#endif
