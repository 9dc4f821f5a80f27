/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/rewrite.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"

bool onnx_texts_find(struct onnx_texts *texts, const struct onnx_model *model, const char *text,
                     size_t size) {
  struct wire_field field;
  size_t count = 0;
  *texts = (struct onnx_texts){.file = {text, size}};
  texts->nodes = memory_array(model->node_count, sizeof *texts->nodes);
  if (!texts->nodes) return false;
  for (size_t at = 0; wire_next(&texts->file, &at, &field);)
    if (field.number == MODEL_GRAPH) texts->graph = field.value;
  for (size_t at = 0; wire_next(&texts->graph, &at, &field);)
    if (field.number == GRAPH_NODE && count < model->node_count)
      texts->nodes[count++] = field.value;
  return true;
}

void onnx_texts_clear(struct onnx_texts *texts) {
  free(texts->nodes);
  texts->nodes = NULL;
}

void onnx_put_string(struct wire_buffer *buffer, unsigned field, const char *text) {
  wire_put_text(buffer, field, text, strlen(text));
}

void onnx_put_format(struct wire_buffer *buffer, unsigned field, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (!text) {
    buffer->is_short = true;
    return;
  }
  va_start(arguments, format);
  vsnprintf(text, (size_t)length + 1, format, arguments);
  va_end(arguments);
  onnx_put_string(buffer, field, text);
  free(text);
}

size_t onnx_open_attribute(struct wire_buffer *buffer, const char *name,
                           enum attribute_type type) {
  const size_t begin = wire_open(buffer);
  onnx_put_string(buffer, ATTRIBUTE_NAME, name);
  wire_put_number(buffer, ATTRIBUTE_TYPE, type);
  return begin;
}

bool onnx_has_integers(const struct onnx_tensor *tensor) {
  return tensor->values && !tensor->values->is_real &&
         (tensor->shape.type == ONNX_INT32 || tensor->shape.type == ONNX_INT64);
}

void onnx_put_contents(struct wire_buffer *buffer, const struct onnx_tensor *tensor) {
  const struct onnx_shape *shape = &tensor->shape;
  const unsigned field = shape->type == ONNX_INT32 ? TENSOR_INT32 : TENSOR_INT64;
  wire_put_number(buffer, TENSOR_TYPE, (uint64_t)shape->type);
  for (size_t d = 0; shape->is_known && d < shape->rank; d++)
    wire_put_number(buffer, TENSOR_DIMENSION, (uint64_t)shape->dims[d]);
  for (size_t i = 0; onnx_has_integers(tensor) && i < tensor->values->count; i++)
    wire_put_number(buffer, field, (uint64_t)tensor->values->items[i].integer);
}
