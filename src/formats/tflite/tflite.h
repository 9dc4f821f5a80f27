/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the operators of a TensorFlow Lite model. */
#ifndef FORMATS_TFLITE_TFLITE_H
#define FORMATS_TFLITE_TFLITE_H

#include "formats/tflite/flat.h"
#include "model/graph.h"
#include "neap/neap-io.h"

/* Whether the bytes have the identifier of such a model. */
bool tflite_is(const char *text, size_t size, const neap_reading *reading);

/*
 * Reads the first subgraph.  Tensors without a name, or with a duplicate one, get a name with their
 * number: `tensor 3`, `conv#7`.  NEAP_ERROR_INPUT: the model is broken, or a tensor has no fixed
 * shape.  Time and memory are linear in the file's size, whatever it holds.
 */
neap_status tflite_read(const char *text, size_t size, const neap_reading *reading,
                        neap_graph **graph, neap_error *error);

/* Finds the list of the first subgraph's operators. */
neap_status tflite_find_operators(const struct flat *file, struct flat_vector *operators,
                                  neap_error *error);

#endif
