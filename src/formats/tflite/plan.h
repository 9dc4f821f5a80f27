/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The offline memory plan that TensorFlow Lite Micro reads: a buffer of 32-bit numbers that a metadata
 * entry names.  Version, subgraph, count, then an offset for each tensor, -1 if the runtime places it.
 */
#ifndef FORMATS_TFLITE_PLAN_H
#define FORMATS_TFLITE_PLAN_H

#include "formats/tflite/flat.h"
#include "model/graph.h"

#define TFLITE_PLAN "OfflineMemoryAllocation"
#define TFLITE_PLAN_VERSION 1
#define TFLITE_PLAN_HEAD 3  /* numbers before the offsets */
#define TFLITE_ALIGNMENT 16 /* of offsets in TensorFlow Lite Micro */
#define TFLITE_NONE SIZE_MAX

/* The metadata entry that holds a plan: its index and its buffer; TFLITE_NONE if there is none. */
struct tflite_plan {
  size_t entry, buffer;
};

neap_status tflite_plan_find(const struct flat_table *model, struct tflite_plan *plan,
                             neap_error *error);

/*
 * Reads the plan in the model: *offsets has one for every tensor, -1 if the runtime places it, and is
 * released with free(); NULL if there is no plan.
 */
neap_status tflite_plan_read(const char *text, size_t size, const neap_graph *graph,
                             int32_t **offsets, neap_error *error);

/*
 * Makes a plan of a model's offsets.  What the runtime allocates itself is listed in its problem:
 * variables, which have no offset in the model and are placed as `neap plan` does, and other tensors
 * with offset -1, which are not part of the plan.  Changes the graph.
 */
neap_status tflite_plan_adopt(neap_graph *graph, const int32_t *tensor_offsets,
                              neap_plan **plan, neap_error *error);

#endif
