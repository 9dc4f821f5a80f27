/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shapes of an operator's outputs, by the rules of TensorFlow Lite's kernels. */
#ifndef MODELS_TFLITE_SHAPE_RULES_H
#define MODELS_TFLITE_SHAPE_RULES_H

#include "models/tflite/shape_values.h"

/* Whether the operator has a rule. */
bool tflite_shape_has_rule(uint64_t code);

/* Finds the outputs; false if the operator does not take its inputs, or one is not known. */
bool tflite_shape_make(const struct tflite_shaping *shaping);

#endif
