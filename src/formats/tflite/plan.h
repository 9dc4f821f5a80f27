/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The offline memory plan that TensorFlow Lite Micro reads: a buffer of 32-bit numbers that a
 * metadata entry names.  Version, subgraph, count, then an offset for each tensor, -1 if the
 * runtime places it.
 */
#ifndef FORMATS_TFLITE_PLAN_H
#define FORMATS_TFLITE_PLAN_H

#include "formats/tflite/flat.h"
#include "model/graph.h"
#include "neap/neap-io.h"

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
 * Reads the plan in a model.  Its problem lists what the runtime allocates itself: variables, which
 * have no offset in the model and are placed as `neap plan` does, and other tensors with offset -1,
 * which are not part of the plan.
 */
neap_status tflite_plan_read(char *text, size_t size, const neap_reading *reading,
                             neap_plan **plan, neap_error *error);

#endif
