/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/rules/number.h"

#include <math.h>

#include "core/checked.h"
#include "models/onnx/infer.h"
#include "models/onnx/rules/move.h"

#define MAX_INPUTS 8

/* Converts a number to another type; false if it does not fit. */
static bool convert(union onnx_number number, bool is_real, int type,
                    union onnx_number *result) {
  static const double exact = 9007199254740992.0; /* 2^53 */
  if (type == ONNX_DOUBLE || type == ONNX_FLOAT) {
    double real = is_real ? number.real : (double)number.integer;
    result->real = type == ONNX_FLOAT ? (double)(float)real : real;
    return true;
  }
  if (is_real) {
    if (!(fabs(number.real) <= exact)) return false;
    /* 0.5 is true. */
    number.integer = type == ONNX_BOOL ? number.real != 0 : (int64_t)number.real;
  }
  result->integer = type == ONNX_BOOL ? number.integer != 0 : number.integer;
  return onnx_fits(type, result->integer);
}

/* ---------------------------------------------------------------- integers */

static bool divide(int64_t a, int64_t b, int64_t *result) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  *result = a / b;
  return true;
}

/* The remainder has the sign of the divisor. */
static bool modulo(int64_t a, int64_t b, int64_t *result) {
  if (b == 0 || b == -1) {
    *result = 0;
    return b != 0;
  }
  int64_t rest = a % b;
  *result = rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  return true;
}

static bool integers(int operation, int64_t a, int64_t b, int64_t *result) {
  switch (operation) {
  case ONNX_ADD:
    return checked_add(a, b, result);
  case ONNX_SUBTRACT:
    return !__builtin_sub_overflow(a, b, result);
  case ONNX_MULTIPLY:
    return checked_mul(a, b, result);
  case ONNX_DIVIDE:
    return divide(a, b, result);
  case ONNX_MODULO:
    return modulo(a, b, result);
  case ONNX_LEAST:
    *result = a < b ? a : b;
    return true;
  case ONNX_LARGEST:
    *result = a > b ? a : b;
    return true;
  case ONNX_AND:
    *result = a && b;
    return true;
  case ONNX_OR:
    *result = a || b;
    return true;
  default:
    return false;
  }
}

/* ---------------------------------------------------------------- reals */

static bool reals(int operation, double a, double b, double *result) {
  switch (operation) {
  case ONNX_ADD:
    *result = a + b;
    break;
  case ONNX_SUBTRACT:
    *result = a - b;
    break;
  case ONNX_MULTIPLY:
    *result = a * b;
    break;
  case ONNX_DIVIDE:
    *result = a / b;
    break;
  case ONNX_LEAST:
    *result = a < b ? a : b;
    break;
  case ONNX_LARGEST:
    *result = a > b ? a : b;
    break;
  default:
    return false;
  }
  return isfinite(*result);
}

/* ---------------------------------------------------------------- two numbers */

static bool compare(int operation, int order, bool *result) {
  switch (operation) {
  case ONNX_EQUAL:
    *result = order == 0;
    return true;
  case ONNX_LESS:
    *result = order < 0;
    return true;
  case ONNX_LESS_OR_EQUAL:
    *result = order <= 0;
    return true;
  case ONNX_GREATER:
    *result = order > 0;
    return true;
  case ONNX_GREATER_OR_EQUAL:
    *result = order >= 0;
    return true;
  default:
    return false;
  }
}

static int order_of(union onnx_number a, union onnx_number b, bool is_real) {
  if (is_real) return (a.real > b.real) - (a.real < b.real);
  return (a.integer > b.integer) - (a.integer < b.integer);
}

static bool combine(int operation, bool is_real, int type, union onnx_number a,
                    union onnx_number b, union onnx_number *result) {
  union onnx_number made;
  bool truth;
  if (is_real && (isnan(a.real) || isnan(b.real))) return false;
  if (compare(operation, order_of(a, b, is_real), &truth)) {
    result->integer = truth;
    return true;
  }
  if (is_real ? !reals(operation, a.real, b.real, &made.real)
              : !integers(operation, a.integer, b.integer, &made.integer))
    return false;
  if (!is_real && !onnx_fits(type, made.integer)) return false;
  return convert(made, is_real, type, result);
}

/* ---------------------------------------------------------------- broadcast */

/* Finds the element of an input that goes into element `i` of the output; false if none does. */
static bool element_of(const struct onnx_shape *output, const struct onnx_shape *input,
                       size_t i, size_t *element) {
  int64_t rest = (int64_t)i, at = 0, stride = 1;
  if (input->rank > output->rank) return false;
  for (size_t d = 0; d < input->rank; d++) {
    int64_t extent = output->dims[output->rank - 1 - d];
    int64_t own = input->dims[input->rank - 1 - d];
    if (own != extent && own != 1) return false;
    if (own != 1) at += rest % extent * stride;
    stride *= own;
    rest /= extent;
  }
  *element = (size_t)at;
  return true;
}

static bool take(const struct onnx_infer *infer, size_t input, size_t i,
                 union onnx_number *number) {
  size_t element;
  if (!element_of(&infer->outputs[0], infer->shapes[input], i, &element)) return false;
  *number = infer->values[input]->items[element];
  return true;
}

bool onnx_number_combine(struct onnx_infer *infer) {
  struct onnx_values *made = infer->made[0];
  bool is_real = infer->values[0]->is_real;
  bool truncates = onnx_attribute_integer(infer, "fmod", 0) != 0;
  if (infer->input_count > MAX_INPUTS || truncates) return false;
  for (size_t k = 0; k < infer->input_count; k++)
    if (!infer->values[k] || infer->values[k]->is_real != is_real) return false;
  for (size_t i = 0; i < made->count; i++) {
    union onnx_number next;
    if (!take(infer, 0, i, &made->items[i])) return false;
    for (size_t k = 1; k < infer->input_count; k++)
      if (!take(infer, k, i, &next) ||
          !combine(infer->rule->fold_detail, is_real, infer->outputs[0].type, made->items[i],
                   next, &made->items[i]))
        return false;
  }
  return true;
}

bool onnx_number_where(struct onnx_infer *infer) {
  struct onnx_values *made = infer->made[0];
  if (infer->input_count != 3 || infer->values[0]->is_real ||
      infer->values[1]->is_real != made->is_real || infer->values[2]->is_real != made->is_real)
    return false;
  for (size_t i = 0; i < made->count; i++) {
    union onnx_number truth;
    if (!take(infer, 0, i, &truth) || !take(infer, truth.integer ? 1 : 2, i, &made->items[i]))
      return false;
  }
  return true;
}

/* ---------------------------------------------------------------- one number */

static bool change(int operation, bool is_real, union onnx_number *number) {
  switch (operation) {
  case ONNX_NEGATE:
    if (!is_real) return !__builtin_sub_overflow(0, number->integer, &number->integer);
    number->real = -number->real;
    return true;
  case ONNX_NOT:
    number->integer = !number->integer;
    return !is_real;
  case ONNX_FLOOR:
    number->real = floor(number->real);
    return is_real;
  case ONNX_CEIL:
    number->real = ceil(number->real);
    return is_real;
  case ONNX_ROOT:
    number->real = sqrt(number->real);
    return is_real && isfinite(number->real);
  default:
    return false;
  }
}

bool onnx_number_unary(struct onnx_infer *infer) {
  struct onnx_values *made = infer->made[0];
  if (!onnx_move_copy(infer)) return false;
  for (size_t i = 0; i < made->count; i++) {
    union onnx_number number = made->items[i];
    if (!change(infer->rule->fold_detail, made->is_real, &number) ||
        !convert(number, made->is_real, infer->outputs[0].type, &made->items[i]))
      return false;
  }
  return true;
}

bool onnx_number_cast(struct onnx_infer *infer) {
  const struct onnx_values *from = infer->values[0];
  struct onnx_values *made = infer->made[0];
  for (size_t i = 0; i < made->count; i++)
    if (!convert(from->items[i], from->is_real, infer->outputs[0].type, &made->items[i]))
      return false;
  return true;
}

bool onnx_number_reduce(struct onnx_infer *infer) {
  const struct onnx_values *from = infer->values[0];
  struct onnx_values *made = infer->made[0];
  if (made->count != 1 || from->count == 0) return false;
  made->items[0] = from->items[0];
  for (size_t i = 1; i < from->count; i++)
    if (!combine(infer->rule->fold_detail, from->is_real, infer->outputs[0].type,
                 made->items[0], from->items[i], &made->items[0]))
      return false;
  return true;
}
