/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators that draw random numbers. */
#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

static bool drawn(struct onnx_infer *infer) {
  struct onnx_list dims = onnx_attribute_list(infer, "shape");
  if (!dims.is_given) return onnx_fail(infer, "the shape is missing");
  int64_t type = onnx_attribute_integer(infer, "dtype", ONNX_FLOAT);
  struct onnx_shape *output = onnx_output(infer, 0, (int)type);
  for (size_t d = 0; d < dims.count; d++)
    if (!onnx_push(infer, output, dims.integers[d])) return false;
  return true;
}

static bool classes(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 2);
  if (!data) return false;
  int64_t type = onnx_attribute_integer(infer, "dtype", ONNX_INT32);
  struct onnx_shape *output = onnx_output(infer, 0, (int)type);
  return onnx_push(infer, output, data->dims[0]) &&
         onnx_push(infer, output, onnx_attribute_integer(infer, "sample_size", 1));
}

const struct onnx_rule onnx_rules_random[] = {
    {.name = "Multinomial", .shape = classes, .is_random = true},
    {.name = "RandomNormal", .shape = drawn, .is_random = true},
    {.name = "RandomUniform", .shape = drawn, .is_random = true},
    {.name = NULL},
};
