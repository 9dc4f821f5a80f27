/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What TensorFlow Lite Micro's kernels allocate when a model is prepared, by the type of the
 * operator and by the shapes and types of its tensors.
 */
#ifndef MODELS_TFLM_FOOTPRINT_H
#define MODELS_TFLM_FOOTPRINT_H

#include "models/tflm/accepts.h"

/* The version of the sources that the tables follow, for kernels of the runtime. */
const char *footprint_version(neap_kernels whose);

/* Whether the table has the operator; of `call`, code and custom are used. */
bool footprint_knows(const struct footprint_call *call);

/*
 * Whether the runtime cannot prepare or run it, with the reason in words; false for a custom
 * operator that is unknown.
 */
bool footprint_refuses(const struct footprint_call *call, char reason[ACCEPTS_REASON]);

/* Calls call->take for each request in order; nothing for an unknown operator. */
void footprint_find(const struct footprint_call *call, enum footprint_stage stage);

#endif
