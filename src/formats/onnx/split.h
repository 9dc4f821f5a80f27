/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * ONNX models in which segments are computed in bands.  Free dimensions become those that were given.
 * A copy to be measured has no weights.
 */
#ifndef FORMATS_ONNX_SPLIT_H
#define FORMATS_ONNX_SPLIT_H

#include "formats/split_format.h"

extern const struct split_format onnx_split;

#endif
