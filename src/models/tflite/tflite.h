/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the operators of a TensorFlow Lite model. */
#ifndef MODELS_TFLITE_TFLITE_H
#define MODELS_TFLITE_TFLITE_H

#include "models/tflite/model.h"
#include "model/graph.h"
#include "neap/neap-io.h"

/* Whether the bytes have the identifier of such a model. */
bool tflite_is(const char *text, size_t size, const neap_reading *reading);

/* NEAP_ERROR_INPUT: they do not. */
neap_status tflite_check(const char *text, size_t size, const neap_reading *reading,
                         neap_error *error);

/*
 * Reads all subgraphs, as one graph.  Tensors without a name, or with a duplicate one, get a name
 * with their number: `tensor 3`, `conv#7`.  NEAP_ERROR_INPUT: the model is broken, a tensor has no
 * fixed shape, or a subgraph calls itself.  Unless several operators call one subgraph, time and
 * memory are linear in the file's size, whatever it holds.
 */
neap_status tflite_read(const char *text, size_t size, const neap_reading *reading,
                        neap_graph **graph, neap_error *error);

/*
 * Likewise for a model that was just opened.  `offsets`: of the plan that the runtime will use, one per
 * tensor of the model; NULL: `reading` determines which variables it allocates.
 */
neap_status tflite_read_model(struct tflite_model *model, const neap_reading *reading,
                              const int32_t *offsets, neap_graph **graph, neap_error *error);

/* Whether operators have been compiled for offsets that their tensors must keep. */
neap_status tflite_has_compiled(const struct tflite_model *model, bool *found,
                                neap_error *error);

#endif
