/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the operators of a TensorFlow Lite model, in the order in which they run. */
#ifndef FORMATS_TFLITE_FLOW_H
#define FORMATS_TFLITE_FLOW_H

#include "formats/tflite/model.h"

/*
 * Adds the operators of subgraph 0, and after each operator that calls subgraphs theirs, to a graph
 * with the tensors.  NEAP_ERROR_INPUT: a subgraph calls itself.
 */
neap_status tflite_read_flow(struct tflite_model *model, neap_graph *graph, neap_error *error);

#endif
