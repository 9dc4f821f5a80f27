/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/onnx/attribute.h"

#include <string.h>

const Onnx__Attribute *onnx_attribute(const struct onnx_infer *infer, const char *name) {
  for (size_t i = 0; i < infer->node->n_attribute; i++) {
    const Onnx__Attribute *attribute = infer->node->attribute[i];
    if (attribute->name && strcmp(attribute->name, name) == 0) return attribute;
  }
  return NULL;
}

int64_t onnx_attribute_integer(const struct onnx_infer *infer, const char *name,
                               int64_t otherwise) {
  const Onnx__Attribute *attribute = onnx_attribute(infer, name);
  return attribute && attribute->has_i ? attribute->i : otherwise;
}

struct onnx_list onnx_attribute_list(const struct onnx_infer *infer, const char *name) {
  static const int64_t nothing;
  const Onnx__Attribute *attribute = onnx_attribute(infer, name);
  if (!attribute) return (struct onnx_list){.is_given = false};
  return (struct onnx_list){.is_given = true,
                            .count = attribute->n_ints,
                            .integers = attribute->n_ints ? attribute->ints : &nothing};
}

bool onnx_attribute_is(const struct onnx_infer *infer, const char *name, const char *text) {
  const Onnx__Attribute *attribute = onnx_attribute(infer, name);
  return attribute && attribute->s.len == strlen(text) &&
         memcmp(attribute->s.data, text, attribute->s.len) == 0;
}
