/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shapes of all tensors of a model. */
#ifndef FORMATS_ONNX_SHAPES_H
#define FORMATS_ONNX_SHAPES_H

#include "formats/onnx/model.h"

/*
 * Infers the shapes of all tensors, in model->order, and the elements of small constant ones.
 * NEAP_ERROR_INPUT: a shape is neither declared nor can it be inferred.
 */
neap_status onnx_shapes_infer(struct onnx_model *model, neap_error *error);

#endif
