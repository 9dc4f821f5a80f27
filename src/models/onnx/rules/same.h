/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators whose output has the shape of their first input. */
#ifndef MODELS_ONNX_RULES_SAME_H
#define MODELS_ONNX_RULES_SAME_H

#include "models/onnx/infer.h"

/* A shape rule.  The detail is the output's type; ONNX_UNDEFINED: that of the input. */
bool onnx_same_shape(struct onnx_infer *infer);

#endif
