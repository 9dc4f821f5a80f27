/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicts what TensorFlow Lite Micro keeps in its arena besides the buffers that it plans. */
#ifndef MODELS_TFLITE_ARENA_H
#define MODELS_TFLITE_ARENA_H

#include "models/tflite/scratch.h"
#include "model/graph.h"
#include "neap/neap-io.h"

/*
 * Sets graph->arena of a graph with its operators, before a target changes sizes.
 * `offsets` are those of tflite_read_model.
 */
neap_status tflite_arena_predict(const struct tflite_model *model, const neap_reading *reading,
                                 const struct tflite_scratch *scratch, const int32_t *offsets,
                                 neap_graph *graph, neap_error *error);

#endif
