/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which constants of an operator belong to its channels. */
#ifndef MODELS_ONNX_CHANNELS_H
#define MODELS_ONNX_CHANNELS_H

#include "models/onnx/infer.h"

/*
 * The dimension of constant input `input` that is broadcast along axis `axis` of the output;
 * ONNX_NONE if there is none.
 */
size_t onnx_broadcast_dimension(const struct onnx_infer *infer, size_t input, size_t axis);

/*
 * Sets *dimension to the one along which a constant input is cut with the channels of the
 * output; ONNX_NONE: it is the same for all of them.  False if it cannot be cut.
 */
bool onnx_constant_axis(const struct onnx_infer *infer, size_t input, size_t *dimension);

#endif
