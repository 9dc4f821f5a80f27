/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a copy of a TensorFlow Lite model whose operators run again. */
#ifndef MODELS_TFLITE_REPEAT_H
#define MODELS_TFLITE_REPEAT_H

#include "neap/graph.h"

/* Whether an operator runs again in an order. */
bool tflite_repeats(const neap_operator_order *order);

/*
 * Copies a checked model, with an operator for each run of the order.  What a further run makes are tensors with the
 * names of neap_graph_recompute.  NEAP_ERROR_FORMAT: the model has several subgraphs, or tensors without names.
 */
neap_status tflite_repeat(const char *text, size_t size, const neap_operator_order *order,
                          char **repeated, size_t *repeated_size, neap_error *error);

#endif
