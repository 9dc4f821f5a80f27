/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FORMATS_ONNX_MACS_H
#define FORMATS_ONNX_MACS_H

#include "formats/onnx/model.h"

/*
 * The multiply-accumulates of a node whose shapes are known: of convolutions, matrix products and
 * recurrent layers.  0 for all others.
 */
int64_t onnx_count_macs(const struct onnx_model *model, const struct onnx_node *node);

#endif
