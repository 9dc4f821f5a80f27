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

/* Whether something is declared that is no tensor, such as a sequence, and that no arena holds. */
bool onnx_declared_other(const struct onnx_model *model, size_t tensor);

/*
 * Notes the dimensions of a tensor that are -1, and makes them 1, so that the others can also
 * be found.
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
