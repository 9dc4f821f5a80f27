/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite models: the operators of a subgraph, and the offline memory plan that TensorFlow
 * Lite Micro reads.
 */
#ifndef FORMATS_TFLITE_H
#define FORMATS_TFLITE_H

#include "formats/flat.h"
#include "model/graph.h"

/* Whether the bytes are such a model. */
bool tflite_is(const char *text, size_t size);

/*
 * Reads the first subgraph.  Tensors without a name, or with one that another has, get one with
 * their number: `tensor 3`, `conv#7`.  NEAP_ERROR_INPUT names what is wrong, a tensor without a
 * fixed shape among it.  Time and memory grow with the file's size, whatever it holds.
 */
neap_status tflite_read(const char *text, size_t size, neap_graph **graph, neap_error *error);

/*
 * The plan that is in the model: *offsets has one for every tensor, -1 where it is left to the
 * runtime, and is to be released with free().  NULL where there is no plan.
 */
neap_status tflite_read_plan(const char *text, size_t size, const neap_graph *graph,
                             int32_t **offsets, neap_error *error);

/* ---------------------------------------------------------------- for the writer */

/* The metadata entry that holds a plan: its index and its buffer; SIZE_MAX where there is none. */
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
  TFLITE_BUFFER_OFFSET = 1
};

#define TFLITE_PLAN "OfflineMemoryAllocation"
#define TFLITE_PLAN_VERSION 1
#define TFLITE_PLAN_HEAD 3 /* numbers before the offsets: version, subgraph, count */
#define TFLITE_NONE SIZE_MAX

#endif
