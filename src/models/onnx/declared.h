/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes that a model declares, and the values of their free dimensions. */
#ifndef MODELS_ONNX_DECLARED_H
#define MODELS_ONNX_DECLARED_H

#include "models/onnx/model.h"

/* NEAP_ERROR_ARGUMENT: model->reading has a value for a dimension that the model does not have. */
neap_status onnx_declared_check_dimensions(const struct onnx_model *model, neap_error *error);

/*
 * Reads the declared shape of a tensor, with the values given for free dimensions; those without
 * one are -1.  shape->is_known is false if none is declared.
 */
neap_status onnx_declared_shape(const struct onnx_model *model, size_t tensor,
                                struct onnx_shape *shape, neap_error *error);

/* Whether a declaration is of something other than a tensor, such as a sequence. */
bool onnx_declared_other(const struct onnx_model *model, size_t tensor);

/*
 * Sets dimensions that are -1 to the values given for their places.  Notes the others in
 * model->open and makes them 1, so that inference goes on and finds further ones.
 */
neap_status onnx_declared_close(struct onnx_model *model, size_t tensor,
                                struct onnx_shape *shape, neap_error *error);

/*
 * Compares a declared shape with what an operator makes.  *agrees is false if the model
 * contradicts itself.  NEAP_ERROR_ARGUMENT: a value that was given contradicts the model.
 */
neap_status onnx_declared_compare(const struct onnx_model *model, size_t tensor,
                                  const struct onnx_shape *declared,
                                  const struct onnx_shape *made, bool *agrees,
                                  neap_error *error);

#endif
