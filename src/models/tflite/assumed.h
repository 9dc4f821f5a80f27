/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels, overlap, size of a pointer and version of the runtime that a plan in a model was
 * made for.  An entry of the model's metadata states them, a key and a value on each line.
 */
#ifndef MODELS_TFLITE_ASSUMED_H
#define MODELS_TFLITE_ASSUMED_H

#include "models/tflite/model.h"
#include "neap-tool.h"
#include "neap/neap-io.h"

#define TFLITE_ASSUMED "neap"
#define TFLITE_ASSUMED_TEXT 256

/*
 * Writes the text; returns its length.  The text states nothing about a problem that was not read
 * for the runtime.  A model without a text reads like one with the default text.
 */
size_t tflite_assumed_text(const neap_problem *problem, char text[TFLITE_ASSUMED_TEXT],
                           bool *is_default);

/*
 * Sets the members that `reading` leaves open to what the model was written for, unless it is for
 * another target.  A reading that names kernels also decides whether outputs may lie over inputs.
 */
void tflite_assumed_apply(const char *text, size_t size, neap_reading *reading);

/*
 * Notes in `arena` whether the reading is what the model was written for, and warns if it is not.
 * `arena` is NULL without a target.
 */
neap_status tflite_assumed_note(const struct tflite_model *model, const neap_reading *reading,
                                neap_arena *arena, neap_error *error);

#endif
