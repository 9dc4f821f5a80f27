/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/onnx/rules/rules.h"

#include <string.h>

static const struct onnx_rule *const families[] = {
    onnx_rules_elements, onnx_rules_gather,    onnx_rules_layout, onnx_rules_make,
    onnx_rules_matrix,   onnx_rules_recurrent, onnx_rules_reduce, onnx_rules_resize,
    onnx_rules_slice,    onnx_rules_window,
};

const struct onnx_rule *onnx_rule(const char *name) {
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (const struct onnx_rule *rule = families[f]; rule->name; rule++)
      if (strcmp(rule->name, name) == 0) return rule;
  return NULL;
}
