/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the operators of a TensorFlow Lite model, in the order in which they run. */
#ifndef MODELS_TFLITE_FLOW_H
#define MODELS_TFLITE_FLOW_H

#include "models/tflite/scratch.h"
#include "neap/graph.h"

/*
 * Adds the operators of subgraph 0 to a graph that has the tensors; after each operator that calls
 * subgraphs, adds theirs.  An operator's scratch buffers live while it runs.  If the reading asks
 * for overlaps, outputs may lie over inputs as its kernels allow.  Subgraphs that nothing calls are
 * noted as missing, unless the target runs subgraph 0 alone.  NEAP_ERROR_INPUT: a subgraph calls
 * itself.
 */
neap_status tflite_read_flow(struct tflite_model *model, const struct tflite_scratch *scratch,
                             const neap_reading *reading, neap_graph *graph, neap_error *error);

#endif
