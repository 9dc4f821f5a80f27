/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tensors whose offsets a compiler has fixed. */
#ifndef FORMATS_TFLITE_PINS_H
#define FORMATS_TFLITE_PINS_H

#include "formats/tflite/model.h"

/* Pins the tensors of compiled operators, if the model has a plan, in a graph with its operators. */
neap_status tflite_pin_compiled(const struct tflite_model *model, neap_graph *graph,
                                neap_error *error);

#endif
