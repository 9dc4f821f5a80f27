/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a copy of a TensorFlow Lite model with a plan in it. */
#ifndef MODELS_TFLITE_WRITE_H
#define MODELS_TFLITE_WRITE_H

#include "neap/graph.h"
#include "neap/neap-io.h"

/* Copies writing->model; the errors are described in neap-io.h. */
neap_status tflite_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                         neap_error *error);

/* Copies a model in memory, in which this may change bytes. */
neap_status tflite_write_bytes(const neap_plan *plan, char *text, size_t size, bool replace,
                               FILE *stream, neap_error *error);

/* Writes the offsets of all tensors into a model in memory; -1 for a tensor without one. */
neap_status tflite_write_offsets(char **text, size_t *size, const int32_t *offsets,
                                 neap_error *error);

/* ---------------------------------------------------------------- order */

/* Puts the operators of a TensorFlow Lite model into the order of a plan. */

/*
 * Orders the operators of a checked model: in its own bytes, or if some run again, in *copy,
 * which is otherwise NULL.  Further runs make tensors with the names of neap_graph_recompute.
 * NEAP_ERROR_FORMAT: operators run again, but the model has several subgraphs, or tensors
 * without names; or its operators cannot change places.
 */
neap_status tflite_order(char *text, size_t size, const neap_operator_order *order, char **copy,
                         size_t *copy_size, neap_error *error);

#endif
