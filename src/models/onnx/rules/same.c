/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/rules/same.h"

bool onnx_same_shape(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input(infer, 0);
  if (!data) return false;
  int type = infer->rule->detail ? infer->rule->detail : data->type;
  onnx_output_like(infer, 0, type, data);
  return true;
}
