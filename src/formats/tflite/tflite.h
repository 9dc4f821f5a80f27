/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite models: the operators of a subgraph, and the offline memory plan that TensorFlow
 * Lite Micro reads.
 */
#ifndef FORMATS_TFLITE_TFLITE_H
#define FORMATS_TFLITE_TFLITE_H

#include "formats/tflite/flat.h"
#include "model/graph.h"

/* Whether the bytes have the identifier of such a model. */
bool tflite_is(const char *text, size_t size);

/*
 * Reads the first subgraph.  Tensors without a name, or with a duplicate one, get a name with their
 * number: `tensor 3`, `conv#7`.  NEAP_ERROR_INPUT: the model is broken, or a tensor has no fixed
 * shape.  Time and memory are linear in the file's size, whatever it holds.
 */
neap_status tflite_read(const char *text, size_t size, neap_graph **graph, neap_error *error);

/*
 * Reads the plan in the model: *offsets has one for every tensor, -1 if the runtime places it, and is
 * released with free(); NULL if there is no plan.
 */
neap_status tflite_read_plan(const char *text, size_t size, const neap_graph *graph,
                             int32_t **offsets, neap_error *error);

/*
 * Makes a plan of a model's offsets.  What the runtime allocates itself is listed in its problem:
 * variables, which have no offset in the model and are placed as `neap plan` does, and other tensors
 * with offset -1, which are not part of the plan.  Changes the graph.
 */
neap_status tflite_adopt_plan(neap_graph *graph, const int32_t *tensor_offsets,
                              neap_plan **plan, neap_error *error);

/* ---------------------------------------------------------------- for the writer */

/* The metadata entry that holds a plan: its index and its buffer; SIZE_MAX if there is none. */
struct tflite_plan {
  size_t entry, buffer;
};
neap_status tflite_find_plan(const struct flat_table *model, struct tflite_plan *plan,
                             neap_error *error);

/* The list of the first subgraph's operators. */
neap_status tflite_find_operators(const struct flat *file, struct flat_vector *operators,
                                  neap_error *error);

/* Fields of the tables, by their numbers in the published schema. */
enum tflite_field {
  TFLITE_MODEL_OPCODES = 1,
  TFLITE_MODEL_SUBGRAPHS = 2,
  TFLITE_MODEL_BUFFERS = 4,
  TFLITE_MODEL_METADATA = 6,
  TFLITE_METADATA_NAME = 0,
  TFLITE_METADATA_BUFFER = 1,
  TFLITE_BUFFER_DATA = 0,
  TFLITE_BUFFER_OFFSET = 1,
  TFLITE_BUFFER_SIZE = 2
};

#define TFLITE_PLAN "OfflineMemoryAllocation"
#define TFLITE_PLAN_VERSION 1
#define TFLITE_ALIGNMENT 16 /* of offsets in TensorFlow Lite Micro */
#define TFLITE_PLAN_HEAD 3  /* numbers before the offsets: version, subgraph, count */
#define TFLITE_NONE SIZE_MAX

#endif
