/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How kernels read their inputs, and which outputs of TensorFlow Lite Micro's reference kernels
 * may lie over inputs.
 */
#ifndef MODELS_TFLITE_KERNELS_H
#define MODELS_TFLITE_KERNELS_H

#include "model/graph.h"
#include "models/tflite/model.h"
#include "models/tflm/reference.h"
#include "neap/neap-io.h"

/* An operator of a subgraph, whose lists have been checked. */
struct tflite_call {
  const struct tflite_model *model;
  const struct tflite_subgraph *subgraph;
  const struct flat_table *table;
  const struct flat_vector *inputs, *outputs;
  uint64_t code;
};

/* An operator of a model; its call leads to the other members. */
struct tflite_opened {
  struct flat_table table;
  struct flat_vector inputs, outputs;
  struct tflite_call call;
};

/* Opens an operator; false if the file breaks the format. */
bool tflite_call_open(const struct tflite_model *model, const struct tflite_subgraph *subgraph,
                      size_t place, struct tflite_opened *opened);

/* Finds the data of a constant int32 input; false if it does not have `count` elements. */
bool tflite_constant(const struct tflite_call *call, size_t input, size_t count,
                     struct flat_vector *data);

/*
 * Describes how an operator's output depends on its first input.  False if the kernel is not
 * modelled, or anything about the operator is unusual.
 */
bool tflite_describe_kernel(const struct tflite_call *call, struct kernel *kernel);

/*
 * Adds the allowances of an operator to the graph's last operator, which has been linked, if
 * kernels of TensorFlow Lite Micro run it.  There are none if the loops of the kernel are not
 * modelled, if it has scratch buffers, or if anything is unusual.  O(inputs).
 */
neap_status tflite_add_allowances(const struct tflite_call *call, neap_kernels kernels,
                                  neap_graph *graph, neap_error *error);

#endif
