/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ONNX models: their operators in the order of execution. */
#ifndef FORMATS_ONNX_H
#define FORMATS_ONNX_H

#include "model/graph.h"

/* Whether the bytes may be such a model: they begin with its version, and there is a graph. */
bool onnx_is(const char *text, size_t size);

/*
 * Reads the model's graph.  Shapes are those that it declares, otherwise inferred.  A free
 * dimension has the value that `reading->dimensions` gives for its name or for its place,
 * TENSOR:INDEX.  What is made of constants alone is constant, and the
 * operators that make it are left out.  Operators keep their order, or get one in which each
 * comes after those that it reads from.  Tensors that the graphs within an operator read are
 * inputs of that operator; what these graphs make is not planned.
 *
 * NEAP_ERROR_INPUT names what is wrong: a free dimension without a value, or an operator that
 * makes nobody knows what.  Time and memory grow with the file's size, whatever it holds.
 */
neap_status onnx_read(const char *text, size_t size, const neap_reading *reading,
                      neap_graph **graph, neap_error *error);

#endif
