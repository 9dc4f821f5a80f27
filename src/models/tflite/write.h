/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a copy of a TensorFlow Lite model with a plan in it. */
#ifndef MODELS_TFLITE_WRITE_H
#define MODELS_TFLITE_WRITE_H

#include "neap/neap-io.h"

/* Copies writing->model; the errors are described in neap-io.h. */
neap_status tflite_write(const neap_plan *plan, const neap_writing *writing, FILE *stream,
                         neap_error *error);

/* Copies a model in memory, whose bytes may change. */
neap_status tflite_write_bytes(const neap_plan *plan, char *text, size_t size, bool replace,
                               FILE *stream, neap_error *error);

/* Puts the offsets of all its tensors into a model in memory; -1 for a tensor that has none. */
neap_status tflite_write_offsets(char **text, size_t *size, const int32_t *offsets,
                                 neap_error *error);

#endif
