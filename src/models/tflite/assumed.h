/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels, overlap, size of a pointer and version of the runtime that a plan in a model was
 * made for.  They are an entry of the model's metadata, with a key and a value on each line.
 */
#ifndef MODELS_TFLITE_ASSUMED_H
#define MODELS_TFLITE_ASSUMED_H

#include "models/tflite/model.h"
#include "neap-tool.h"
#include "neap/neap-io.h"

#define TFLITE_ASSUMED "neap"
#define TFLITE_ASSUMED_TEXT 256

/*
 * Writes the text, which says nothing of a problem that was not read for the runtime; returns its
 * length.  Without a text that is the default, it is read as the same.
 */
size_t tflite_assumed_text(const neap_problem *problem, char text[TFLITE_ASSUMED_TEXT],
                           bool *is_default);

/*
 * Sets what `reading` leaves open to what the model was written for: a reading that names kernels
 * also says whether outputs may lie over inputs.  A reading for another target is not changed.
 */
void tflite_assumed_apply(const char *text, size_t size, neap_reading *reading);

/*
 * Notes in `arena` whether it is what the model was written for; warns if it is not.  NULL: no
 * target.
 */
neap_status tflite_assumed_note(const struct tflite_model *model, const neap_reading *reading,
                                neap_arena *arena, neap_error *error);

#endif
