/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The offsets of a model's tensors in a plan. */
#ifndef FORMATS_TFLITE_OFFSETS_H
#define FORMATS_TFLITE_OFFSETS_H

#include "formats/tflite/model.h"

/*
 * Finds the offset of each tensor of a model, whose bytes are `text`; -1 where it is left to the
 * runtime.  *offsets is released with free().  NEAP_ERROR_ARGUMENT: the plan is not for this model,
 * or not for TensorFlow Lite Micro.  NEAP_ERROR_FORMAT: the runtime cannot follow it.
 */
neap_status tflite_offsets(const neap_plan *plan, const struct tflite_model *model,
                           const char *text, int32_t **offsets, neap_error *error);

#endif
