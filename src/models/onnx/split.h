/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ONNX models in which segments are computed in bands.  Free dimensions become those that were given.
 * A copy to be measured has no weights.
 */
#ifndef MODELS_ONNX_SPLIT_H
#define MODELS_ONNX_SPLIT_H

#include "models/bands/format.h"

extern const struct split_format onnx_split;

#endif
