/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the operators of a TensorFlow Lite model into the order of a plan. */
#ifndef MODELS_TFLITE_ORDER_H
#define MODELS_TFLITE_ORDER_H

#include "neap/graph.h"

/*
 * Orders the operators of a checked model: in its own bytes, or if some run again, in *copy,
 * which is otherwise NULL.  What a further run makes are tensors with the names of
 * neap_graph_recompute.  NEAP_ERROR_FORMAT: operators run again, but the model has several
 * subgraphs, or tensors without names; or its operators cannot change places.
 */
neap_status tflite_order(char *text, size_t size, const neap_operator_order *order, char **copy,
                         size_t *copy_size, neap_error *error);

#endif
