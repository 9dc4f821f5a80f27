/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tensors of the outer graph that the subgraphs of an operator read. */
#ifndef FORMATS_ONNX_CAPTURE_H
#define FORMATS_ONNX_CAPTURE_H

#include "formats/onnx/model.h"

/* Adds links to these tensors to `model`, for the operator `node`. */
neap_status onnx_capture(struct onnx_model *model, const Onnx__Node *node, neap_error *error);

#endif
