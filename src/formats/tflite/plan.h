/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The offline memory plan that TensorFlow Lite Micro reads: a buffer of 32-bit numbers that a
 * metadata entry names.  It has a version, the number of subgraphs, the number of offsets, then an
 * offset for each tensor of all subgraphs, -1 if the runtime places it.  The runtime ignores the first
 * two, and other writers put other numbers there.
 */
#ifndef FORMATS_TFLITE_PLAN_H
#define FORMATS_TFLITE_PLAN_H

#include "formats/tflite/model.h"
#include "model/graph.h"
#include "neap/neap-io.h"

#define TFLITE_PLAN "OfflineMemoryAllocation"
#define TFLITE_PLAN_VERSION 1
#define TFLITE_PLAN_HEAD 3  /* numbers before the offsets */
#define TFLITE_ALIGNMENT 16 /* of offsets in TensorFlow Lite Micro */

/* The metadata entry that holds a plan: its index and its buffer; TFLITE_NONE if there is none. */
struct tflite_plan {
  size_t entry, buffer;
};

neap_status tflite_plan_find(const struct flat_table *model, struct tflite_plan *plan,
                             neap_error *error);

/*
 * Reads the offsets in a model, one for every tensor; *offsets is released with free(), and NULL if
 * the model holds no plan.
 */
neap_status tflite_plan_offsets(const struct tflite_model *model, int32_t **offsets,
                                neap_error *error);

/*
 * To decide whether to allocate a variable that is tensor i of its subgraph, the runtime looks at
 * offset number i, even in subgraphs after the first.  It crashes if that offset is not -1 but the
 * variable's own is.  Returns the number of such a variable, or TFLITE_NONE; *at is the number of the
 * other tensor.
 */
size_t tflite_plan_lost_variable(const struct tflite_model *model, const neap_graph *graph,
                                 const int32_t *offsets, size_t *at);

/* Places the buffers whose offset is NEAP_UNPLACED around the others, as the runtime will. */
typedef neap_status tflite_place(const neap_problem *problem, neap_offset *offsets,
                                 neap_error *error);

/*
 * Reads the plan in a model; without one, the runtime's own layout, and the report says so.  Its
 * problem lists what the runtime allocates itself: variables without an offset, which are not part of
 * the plan, and other tensors with offset -1, which `place` places.
 */
neap_status tflite_plan_read(char *text, size_t size, const neap_reading *reading,
                             tflite_place *place, neap_plan **plan, neap_error *error);

#endif
