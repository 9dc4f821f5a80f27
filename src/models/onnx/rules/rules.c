/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/rules/rules.h"

#include <string.h>

static const struct onnx_rule *const families[] = {
    onnx_rules_blocks,    onnx_rules_concat, onnx_rules_constant, onnx_rules_einsum,
    onnx_rules_elements,  onnx_rules_expand, onnx_rules_gather,   onnx_rules_matmul,
    onnx_rules_nonzero,   onnx_rules_pad,    onnx_rules_random,   onnx_rules_range,
    onnx_rules_recurrent, onnx_rules_reduce, onnx_rules_reshape,  onnx_rules_resize,
    onnx_rules_shape,     onnx_rules_slice,  onnx_rules_split,    onnx_rules_transpose,
    onnx_rules_window};

const struct onnx_rule *onnx_rule(const char *name) {
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (const struct onnx_rule *rule = families[f]; rule->name; rule++)
      if (strcmp(rule->name, name) == 0) return rule;
  return NULL;
}
