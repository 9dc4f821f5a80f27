/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Weights have a dimension for the channels of the output; a single number holds for all of
 * them.  Operands of elementwise operators are broadcast.  Other constants, such as amounts of
 * padding, do not depend on channels.
 */
#include "models/onnx/channels.h"

#include <string.h>

#include "models/onnx/model.h"

/* The channel dimension of each input with weights. */
static const struct weights {
  const char *name;
  size_t input, dimension;
} all_weights[] = {
    {"BatchNormalization", 1, 0},
    {"BatchNormalization", 2, 0},
    {"BatchNormalization", 3, 0},
    {"BatchNormalization", 4, 0},
    {"Conv", 1, 0},
    {"Conv", 2, 0},
    {"ConvInteger", 1, 0},
    {"ConvInteger", 3, 0},
    {"ConvTranspose", 1, 1},
    {"ConvTranspose", 2, 0},
    {"DequantizeLinear", 1, 0},
    {"DequantizeLinear", 2, 0},
    {"Gemm", 1, 1},
    {"InstanceNormalization", 1, 0},
    {"InstanceNormalization", 2, 0},
    {"MatMul", 1, 1},
    {"MatMulInteger", 1, 1},
    {"MatMulInteger", 3, 0},
    {"QLinearConv", 3, 0},
    {"QLinearConv", 4, 0},
    {"QLinearConv", 5, 0},
    {"QLinearConv", 8, 0},
    {"QLinearMatMul", 3, 1},
    {"QLinearMatMul", 4, 0},
    {"QLinearMatMul", 5, 0},
    {"QuantizeLinear", 1, 0},
    {"QuantizeLinear", 2, 0},
};

static size_t weights_dimension(const struct onnx_infer *infer, size_t input) {
  const char *name = infer->rule->name;
  for (size_t i = 0; i < sizeof all_weights / sizeof *all_weights; i++)
    if (all_weights[i].input == input && strcmp(all_weights[i].name, name) == 0)
      return strcmp(name, "Gemm") == 0 && onnx_attribute_integer(infer, "transB", 0) != 0
                 ? 0
                 : all_weights[i].dimension;
  return ONNX_NONE;
}

/* The output axis of a constant's first dimension; before version 7, an attribute. */
static int64_t broadcast_begin(const struct onnx_infer *infer, const struct onnx_shape *shape) {
  const int64_t rank = (int64_t)infer->outputs[0].rank, own = (int64_t)shape->rank;
  if (infer->opset >= 7 || own == rank) return rank - own;
  if (strcmp(infer->rule->name, "PRelu") == 0) return ONNX_CHANNELS;
  const int64_t axis = onnx_attribute_integer(infer, "axis", rank - own);
  return axis < 0 ? axis + rank : axis;
}

size_t onnx_broadcast_dimension(const struct onnx_infer *infer, size_t input, size_t axis) {
  const struct onnx_shape *shape = infer->shapes[input];
  const int64_t dimension = (int64_t)axis - broadcast_begin(infer, shape);
  return dimension >= 0 && dimension < (int64_t)shape->rank ? (size_t)dimension : ONNX_NONE;
}

static bool is_elementwise(const struct onnx_infer *infer) {
  return infer->rule->place == ONNX_FIRST || infer->rule->place == ONNX_ANY ||
         strcmp(infer->rule->name, "Gemm") == 0; /* its third input */
}

bool onnx_constant_axis(const struct onnx_infer *infer, size_t input, size_t *dimension) {
  const struct onnx_shape *shape = infer->shapes[input];
  int64_t elements;
  *dimension = ONNX_NONE;
  if (!shape || !shape->is_known || !onnx_elements(shape, &elements)) return false;
  if (elements == 1) return true;
  const size_t weights = weights_dimension(infer, input);
  if (weights == ONNX_NONE && !is_elementwise(infer)) return true;
  if (weights == ONNX_NONE && shape->rank > infer->outputs[0].rank) return false;
  *dimension =
      weights != ONNX_NONE ? weights : onnx_broadcast_dimension(infer, input, ONNX_CHANNELS);
  if (*dimension == ONNX_NONE) return true;
  if (*dimension >= shape->rank) return false;
  if (shape->dims[*dimension] == 1 && weights == ONNX_NONE) {
    *dimension = ONNX_NONE;
    return true;
  }
  return shape->dims[*dimension] == infer->outputs[0].dims[ONNX_CHANNELS];
}
