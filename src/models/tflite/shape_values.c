/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/shapes.h"

#include <string.h>

#include "core/checked.h"
#include "models/tflite/schema.h"

/* ---------------------------------------------------------------- inputs */

const struct tflite_shape *tflite_shape_input(const struct tflite_shaping *s, size_t i) {
  const struct flat_vector *list = s->call->inputs;
  const int32_t tensor = i < list->count ? flat_int32(list, i) : -1;
  return tensor >= 0 && s->tensors[tensor].is_known ? &s->tensors[tensor] : NULL;
}

bool tflite_shape_elements(const struct tflite_shape *shape, int64_t *elements) {
  *elements = 1;
  for (size_t d = 0; d < shape->rank; d++)
    if (!checked_mul(*elements, shape->dims[d], elements)) return false;
  return true;
}

const int64_t *tflite_shape_integers(const struct tflite_shaping *s, size_t i, size_t *count) {
  const struct tflite_shape *shape = tflite_shape_input(s, i);
  int64_t elements;
  if (!shape || !shape->has_values || !tflite_shape_elements(shape, &elements)) return NULL;
  *count = (size_t)elements;
  return shape->values;
}

/* ---------------------------------------------------------------- elements */

/* Combines elements; false if the operator has no such rule, or there is no result. */
static bool combine(uint64_t code, int64_t a, int64_t b, int64_t *result) {
  switch (code) {
  case TFLITE_ADD:
    return checked_add(a, b, result);
  case TFLITE_SUB:
    return b > INT64_MIN && checked_add(a, -b, result);
  case TFLITE_MUL:
  case TFLITE_REDUCE_PROD:
    return checked_mul(a, b, result);
  case TFLITE_DIV:
  case TFLITE_FLOOR_DIV: /* the same for non-negative numbers */
    *result = b > 0 ? a / b : 0;
    return a >= 0 && b > 0;
  case TFLITE_MAXIMUM:
    *result = larger_of(a, b);
    return true;
  case TFLITE_MINIMUM:
    *result = smaller_of(a, b);
    return true;
  default:
    return false;
  }
}

static bool combine_inputs(const struct tflite_shaping *s, size_t count) {
  size_t counts[2];
  const int64_t *a = tflite_shape_integers(s, 0, &counts[0]),
                *b = tflite_shape_integers(s, 1, &counts[1]);
  if (!a || !b || (counts[0] != count && counts[0] != 1) ||
      (counts[1] != count && counts[1] != 1))
    return false;
  for (size_t i = 0; i < count; i++)
    if (!combine(s->call->code, a[counts[0] == 1 ? 0 : i], b[counts[1] == 1 ? 0 : i],
                 &s->made->values[i]))
      return false;
  return true;
}

/* Appends the elements of the first `most` inputs. */
static bool append_inputs(const struct tflite_shaping *s, size_t most) {
  size_t at = 0, count;
  for (size_t i = 0; i < s->call->inputs->count && i < most; i++) {
    const int64_t *values = tflite_shape_integers(s, i, &count);
    if (!values || count > TFLITE_SHAPE_VALUES - at || tflite_shape_input(s, i)->rank > 1)
      return false;
    memcpy(s->made->values + at, values, count * sizeof *values);
    at += count;
  }
  return true;
}

static bool multiply_elements(const struct tflite_shaping *s) {
  size_t count;
  const int64_t *values = tflite_shape_integers(s, 0, &count);
  int64_t product = 1;
  for (size_t i = 0; values && i < count; i++)
    if (!combine(TFLITE_REDUCE_PROD, product, values[i], &product)) return false;
  s->made->values[0] = product;
  return values && s->made->rank == 0;
}

static bool pick_elements(const struct tflite_shaping *s, size_t made) {
  size_t count, indices;
  const int64_t *values = tflite_shape_integers(s, 0, &count),
                *at = tflite_shape_integers(s, 1, &indices);
  if (!values || !at || tflite_shape_input(s, 0)->rank != 1 || indices != made) return false;
  for (size_t i = 0; i < made; i++) {
    if (at[i] < 0 || at[i] >= (int64_t)count) return false;
    s->made->values[i] = values[at[i]];
  }
  return true;
}

bool tflite_shape_values(const struct tflite_shaping *s, size_t count) {
  switch (s->call->code) {
  case TFLITE_SHAPE:
    memcpy(s->made->values, tflite_shape_input(s, 0)->dims, count * sizeof *s->made->values);
    return true;
  case TFLITE_CAST:
  case TFLITE_RESHAPE:
  case TFLITE_SQUEEZE:
  case TFLITE_EXPAND_DIMS:
    return append_inputs(s, 1);
  case TFLITE_PACK:
  case TFLITE_CONCATENATION:
    return append_inputs(s, SIZE_MAX);
  case TFLITE_GATHER:
    return pick_elements(s, count);
  case TFLITE_REDUCE_PROD:
    return multiply_elements(s);
  default:
    return s->call->inputs->count == 2 && combine_inputs(s, count);
  }
}
