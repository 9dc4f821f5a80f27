/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite models in which segments are computed in bands.  A plan in the old model does not
 * fit a copy, which has only the offsets that operators were compiled for.
 */
#ifndef MODELS_TFLITE_SPLIT_H
#define MODELS_TFLITE_SPLIT_H

#include "models/bands/format.h"

extern const struct split_format tflite_split;

#endif
