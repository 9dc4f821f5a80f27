/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shapes of all tensors of a model. */
#ifndef MODELS_ONNX_SHAPES_H
#define MODELS_ONNX_SHAPES_H

#include "models/onnx/model.h"

/*
 * Infers the shapes of all tensors, in model->order, and the elements of small constant ones.
 * NEAP_ERROR_INPUT: a shape is not declared and cannot be inferred.
 */
neap_status onnx_shapes_infer(struct onnx_model *model, neap_error *error);

/* Allocates arrays that fit all operators of a model.  Call onnx_shapes_close in every case. */
bool onnx_shapes_open(struct onnx_infer *infer, const struct onnx_model *model);
void onnx_shapes_close(struct onnx_infer *infer);

/* Describes an operator whose inputs have known shapes. */
void onnx_shapes_describe(const struct onnx_model *model, const struct onnx_node *node,
                          struct onnx_infer *infer);

#endif
