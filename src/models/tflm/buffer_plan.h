/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a plan as the BufferPlan of TensorFlow Lite Micro: a C++ header with an offset for each
 * request of memory, in the order of the requests, which is the order of the problem.
 */
#ifndef MODELS_TFLM_BUFFER_PLAN_H
#define MODELS_TFLM_BUFFER_PLAN_H

#include "neap/neap-io.h"

/* The errors are described in neap-io.h. */
neap_status buffer_plan_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                              neap_error *error);

#endif
