/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODELS_ONNX_MACS_H
#define MODELS_ONNX_MACS_H

#include "models/onnx/model.h"

/*
 * Counts the multiply-accumulates of a convolution, a matrix product or a recurrent layer whose
 * shapes are known.  Returns 0 for all other nodes.
 */
int64_t onnx_count_macs(const struct onnx_model *model, const struct onnx_node *node);

#endif
