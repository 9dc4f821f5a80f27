/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shapes that a model declares, and the values of their free dimensions. */
#ifndef FORMATS_ONNX_DECLARED_H
#define FORMATS_ONNX_DECLARED_H

#include "formats/onnx/model.h"

/* NEAP_ERROR_ARGUMENT: model->reading has a value for a dimension that the model does not have. */
neap_status onnx_declared_check_dimensions(const struct onnx_model *model, neap_error *error);

/* A dimension that a declaration leaves free. */
struct onnx_open {
  size_t index;     /* ONNX_NONE: the whole shape is missing */
  const char *name; /* NULL: it has none */
};

/*
 * Reads the declared shape of a tensor.  shape->is_known is false if it is incomplete, and *open is
 * then its first free dimension.
 */
neap_status onnx_declared_shape(const struct onnx_model *model, size_t tensor,
                                struct onnx_shape *shape, struct onnx_open *open,
                                neap_error *error);

/* Reports a tensor with a free dimension, and why its shape could not be inferred. */
neap_status onnx_declared_error(const struct onnx_model *model, size_t tensor,
                                const struct onnx_open *open, const char *why,
                                neap_error *error);

#endif
