/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the plan in a TensorFlow Lite model. */
#ifndef MODELS_TFLITE_PLAN_H
#define MODELS_TFLITE_PLAN_H

#include "models/tflite/model.h"
#include "model/graph.h"
#include "neap/neap-io.h"

/*
 * To decide whether to allocate a variable that is tensor i of its subgraph, the runtime looks
 * at offset number i, even in subgraphs after the first.  It crashes if that offset is not -1
 * but the variable's own is.  Returns the number of such a variable, or TFLITE_NONE; *at is the
 * number of the tensor at offset i.
 */
size_t tflite_plan_lost_variable(const struct tflite_model *model, const neap_graph *graph,
                                 const int32_t *offsets, size_t *at);

/* Places the buffers whose offset is NEAP_UNPLACED around all others, as the runtime does. */
typedef neap_status tflite_place(const neap_problem *problem, neap_offset *offsets,
                                 neap_error *error);

/*
 * Reads the plan in a model; without one, makes the runtime's own layout, and the report says so.
 * The problem lists what the runtime allocates itself: variables without an offset, which are not
 * part of the plan, and other tensors with offset -1, which `place` places.
 */
neap_status tflite_plan_read(char *text, size_t size, const neap_reading *reading,
                             tflite_place *place, neap_plan **plan, neap_error *error);

#endif
