/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The attributes of the operator whose outputs are inferred. */
#ifndef FORMATS_ONNX_ATTRIBUTE_H
#define FORMATS_ONNX_ATTRIBUTE_H

#include "formats/onnx/infer.h"

/* NULL if the operator does not have it. */
const Onnx__Attribute *onnx_attribute(const struct onnx_infer *infer, const char *name);

/* An integer; `otherwise` if it is absent. */
int64_t onnx_attribute_integer(const struct onnx_infer *infer, const char *name,
                               int64_t otherwise);

/* A list of integers; not given if it is absent. */
struct onnx_list onnx_attribute_list(const struct onnx_infer *infer, const char *name);

/* Whether it is present and this text. */
bool onnx_attribute_is(const struct onnx_infer *infer, const char *name, const char *text);

#endif
