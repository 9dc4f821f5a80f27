/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/infer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool onnx_fail(struct onnx_infer *infer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(infer->why, sizeof infer->why, format, arguments);
  va_end(arguments);
  return false;
}

/* ---------------------------------------------------------------- inputs */

const struct onnx_shape *onnx_input(struct onnx_infer *infer, size_t i) {
  if (!onnx_has(infer, i)) {
    onnx_fail(infer, "input %zu is missing", i);
    return NULL;
  }
  if (infer->shapes[i]->is_known) return infer->shapes[i];
  onnx_fail(infer, "the shape of input %zu is unknown", i);
  return NULL;
}

const struct onnx_shape *onnx_input_of_rank(struct onnx_infer *infer, size_t i, size_t least) {
  const struct onnx_shape *shape = onnx_input(infer, i);
  if (!shape || shape->rank >= least) return shape;
  onnx_fail(infer, "expected input %zu to have at least %zu dimensions, found %zu", i, least,
            shape->rank);
  return NULL;
}

int onnx_input_type(const struct onnx_infer *infer, size_t i) {
  return onnx_has(infer, i) ? infer->shapes[i]->type : ONNX_UNDEFINED;
}

const struct onnx_values *onnx_integers(struct onnx_infer *infer, size_t i) {
  if (!onnx_input(infer, i)) return NULL;
  const struct onnx_values *values = infer->values[i];
  if (values && !values->is_real) return values;
  onnx_fail(infer,
            values ? "expected integers as input %zu" : "the elements of input %zu are unknown",
            i);
  return NULL;
}

/* ---------------------------------------------------------------- attributes */

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

bool onnx_list(struct onnx_infer *infer, size_t i, const char *name, struct onnx_list *list) {
  *list = onnx_attribute_list(infer, name);
  if (!onnx_has(infer, i)) return true;
  const struct onnx_values *values = onnx_integers(infer, i);
  if (!values) return false;
  *list = (struct onnx_list){.is_given = true, .count = values->count, .values = values};
  return true;
}

bool onnx_axis(struct onnx_infer *infer, int64_t axis, size_t rank, size_t *position) {
  int64_t count = (int64_t)rank;
  *position = 0;
  if (axis < -count || axis >= count)
    return onnx_fail(infer, "expected an axis of %zu dimensions, found %" PRId64, rank, axis);
  *position = (size_t)(axis < 0 ? axis + count : axis);
  return true;
}

bool onnx_axes(struct onnx_infer *infer, const struct onnx_list *list, size_t rank,
               bool marked[ONNX_MAX_RANK]) {
  memset(marked, 0, ONNX_MAX_RANK * sizeof *marked);
  for (size_t i = 0; i < list->count; i++) {
    size_t position;
    if (!onnx_axis(infer, onnx_list_at(list, i), rank, &position)) return false;
    if (marked[position]) return onnx_fail(infer, "duplicate axis %zu", position);
    marked[position] = true;
  }
  return true;
}

/* ---------------------------------------------------------------- outputs */

struct onnx_shape *onnx_output(struct onnx_infer *infer, size_t i, int type) {
  infer->outputs[i] = (struct onnx_shape){.is_known = true, .type = type};
  return &infer->outputs[i];
}

struct onnx_shape *onnx_output_like(struct onnx_infer *infer, size_t i, int type,
                                    const struct onnx_shape *shape) {
  infer->outputs[i] = *shape;
  infer->outputs[i].type = type;
  return &infer->outputs[i];
}

bool onnx_push(struct onnx_infer *infer, struct onnx_shape *shape, int64_t dimension) {
  if (shape->rank == ONNX_MAX_RANK)
    return onnx_fail(infer, "more than %d dimensions", ONNX_MAX_RANK);
  shape->dims[shape->rank++] = dimension;
  return true;
}

bool onnx_broadcast(struct onnx_infer *infer, const struct onnx_shape *a,
                    const struct onnx_shape *b, struct onnx_shape *result) {
  const struct onnx_shape *longer = a->rank >= b->rank ? a : b;
  const struct onnx_shape *shorter = longer == a ? b : a;
  struct onnx_shape made = *longer;
  size_t shift = longer->rank - shorter->rank;
  made.type = result->type;
  for (size_t d = 0; d < shorter->rank; d++) {
    int64_t *dimension = &made.dims[d + shift], other = shorter->dims[d];
    if (*dimension == 1) *dimension = other;
    else if (other != 1 && other != *dimension)
      return onnx_fail(infer, "dimensions %" PRId64 " and %" PRId64 " do not broadcast",
                       *dimension, other);
  }
  *result = made;
  return true;
}

/* ---------------------------------------------------------------- the whole */

static bool check_output(struct onnx_infer *infer, size_t i) {
  const struct onnx_shape *shape = &infer->outputs[i];
  int64_t count;
  if (!shape->is_known) return onnx_fail(infer, "the shape of output %zu is unknown", i);
  for (size_t d = 0; d < shape->rank; d++)
    if (shape->dims[d] < 0)
      return onnx_fail(infer, "dimension %zu of output %zu would be %" PRId64, d, i,
                       shape->dims[d]);
  return onnx_elements(shape, &count) ||
         onnx_fail(infer, "output %zu would have too many elements", i);
}

bool onnx_infer_shapes(struct onnx_infer *infer) {
  for (size_t i = 0; i < infer->output_count || i < ONNX_MIN_OUTPUTS; i++)
    infer->outputs[i] = (struct onnx_shape){.is_known = false};
  if (!infer->rule) return onnx_fail(infer, "unknown operator");
  if (!infer->rule->shape(infer)) return false;
  for (size_t i = 0; i < infer->output_count; i++)
    if (infer->node->output[i][0] && !check_output(infer, i)) return false;
  return true;
}
