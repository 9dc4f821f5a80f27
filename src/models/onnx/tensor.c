/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/onnx/infer.h"

#include <string.h>

#include "core/checked.h"
#include "core/memory.h"

static const struct {
  const char *name;
  unsigned char bits;
} types[] = {
    {"undefined", 0},      {"float", 32},       {"uint8", 8},          {"int8", 8},
    {"uint16", 16},        {"int16", 16},       {"int32", 32},         {"int64", 64},
    {"string", 0},         {"bool", 8},         {"float16", 16},       {"double", 64},
    {"uint32", 32},        {"uint64", 64},      {"complex64", 64},     {"complex128", 128},
    {"bfloat16", 16},      {"float8e4m3fn", 8}, {"float8e4m3fnuz", 8}, {"float8e5m2", 8},
    {"float8e5m2fnuz", 8}, {"uint4", 4},        {"int4", 4},           {"float4e2m1", 4},
    {"float8e8m0", 8},     {"uint2", 2},        {"int2", 2},
};

enum { TYPE_COUNT = sizeof types / sizeof *types };

int64_t onnx_bits(int type) { return type < 0 || type >= TYPE_COUNT ? 0 : types[type].bits; }

const char *onnx_type_name(int type) {
  return type < 0 || type >= TYPE_COUNT ? "unknown type" : types[type].name;
}

const char *onnx_dtype(int type) {
  if (type == ONNX_FLOAT) return "float32";
  if (type == ONNX_DOUBLE) return "float64";
  return onnx_bits(type) > 0 ? types[type].name : NULL;
}

bool onnx_elements(const struct onnx_shape *shape, int64_t *count) {
  int64_t product = 1;
  bool is_empty = false;
  for (size_t d = 0; d < shape->rank; d++)
    is_empty = is_empty || shape->dims[d] == 0;
  for (size_t d = 0; d < shape->rank && !is_empty; d++)
    if (!checked_mul(product, shape->dims[d], &product)) return false;
  *count = is_empty ? 0 : product;
  return true;
}

bool onnx_bytes(const struct onnx_shape *shape, int64_t *bytes) {
  int64_t bits;
  if (!onnx_elements(shape, &bits) || !checked_mul(bits, onnx_bits(shape->type), &bits))
    return false;
  *bytes = bits / 8 + (bits % 8 != 0);
  return true;
}

bool onnx_same_dims(const struct onnx_shape *a, const struct onnx_shape *b) {
  return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof *a->dims) == 0;
}

/* ---------------------------------------------------------------- elements */

static bool is_real(int type) { return type == ONNX_FLOAT || type == ONNX_DOUBLE; }

bool onnx_is_foldable(const struct onnx_shape *shape) {
  int64_t count;
  bool has_values = is_real(shape->type) || shape->type == ONNX_BOOL ||
                    (shape->type >= ONNX_UINT8 && shape->type <= ONNX_INT64) ||
                    shape->type == ONNX_UINT32;
  return shape->is_known && has_values && onnx_elements(shape, &count) &&
         count <= ONNX_MAX_VALUES;
}

struct onnx_values *onnx_values_new(const struct onnx_shape *shape) {
  int64_t count = 0;
  onnx_elements(shape, &count);
  struct onnx_values *made =
      memory_array(1, sizeof *made + (size_t)count * sizeof made->items[0]);
  if (!made) return NULL;
  made->count = (size_t)count;
  made->is_real = is_real(shape->type);
  return made;
}

bool onnx_fits(int type, int64_t number) {
  switch (type) {
  case ONNX_BOOL:
    return number == 0 || number == 1;
  case ONNX_UINT8:
    return number >= 0 && number <= UINT8_MAX;
  case ONNX_INT8:
    return number >= INT8_MIN && number <= INT8_MAX;
  case ONNX_UINT16:
    return number >= 0 && number <= UINT16_MAX;
  case ONNX_INT16:
    return number >= INT16_MIN && number <= INT16_MAX;
  case ONNX_INT32:
    return number >= INT32_MIN && number <= INT32_MAX;
  case ONNX_UINT32:
    return number >= 0 && number <= UINT32_MAX;
  default:
    return true;
  }
}

/* ---------------------------------------------------------------- tensors of the file */

bool onnx_tensor_shape(const Onnx__Tensor *tensor, struct onnx_shape *shape, const char **why) {
  int64_t count;
  *shape = (struct onnx_shape){.type = tensor->data_type, .rank = tensor->n_dims};
  *why = "more than 32 dimensions";
  if (shape->rank > ONNX_MAX_RANK) return false;
  *why = "negative dimension";
  for (size_t d = 0; d < shape->rank; d++)
    if ((shape->dims[d] = tensor->dims[d]) < 0) return false;
  *why = "too many elements";
  if (!onnx_elements(shape, &count)) return false;
  shape->is_known = true;
  return true;
}

/* Reads an element, little-endian. */
static uint64_t raw_bits(const uint8_t *bytes, size_t width) {
  uint64_t bits = 0;
  for (size_t i = width; i-- > 0;)
    bits = bits << 8 | bytes[i];
  return bits;
}

static int64_t raw_integer(int type, uint64_t bits, size_t width) {
  if (type == ONNX_INT64 || type == ONNX_BOOL) return (int64_t)bits;
  bool is_signed = type == ONNX_INT8 || type == ONNX_INT16 || type == ONNX_INT32;
  uint64_t sign = UINT64_C(1) << (8 * width - 1);
  return is_signed && (bits & sign) ? (int64_t)bits - (int64_t)(2 * sign) : (int64_t)bits;
}

static double raw_real(uint64_t bits, size_t width) {
  uint32_t low = (uint32_t)bits;
  float single;
  double number;
  memcpy(&single, &low, sizeof single);
  memcpy(&number, &bits, sizeof number);
  return width == sizeof single ? (double)single : number;
}

static bool read_raw(const Onnx__Tensor *tensor, struct onnx_values *values) {
  size_t width = (size_t)onnx_bits(tensor->data_type) / 8;
  if (tensor->raw_data.len != values->count * width) return false;
  for (size_t i = 0; i < values->count; i++) {
    uint64_t bits = raw_bits(tensor->raw_data.data + i * width, width);
    if (values->is_real) values->items[i].real = raw_real(bits, width);
    else values->items[i].integer = raw_integer(tensor->data_type, bits, width);
  }
  return true;
}

static bool read_typed(const Onnx__Tensor *tensor, struct onnx_values *values) {
  size_t count = values->count;
  bool is_long = tensor->data_type == ONNX_INT64;
  if (tensor->data_type == ONNX_FLOAT && tensor->n_float_data == count) {
    for (size_t i = 0; i < count; i++)
      values->items[i].real = (double)tensor->float_data[i];
  } else if (tensor->data_type == ONNX_DOUBLE && tensor->n_double_data == count) {
    for (size_t i = 0; i < count; i++)
      values->items[i].real = tensor->double_data[i];
  } else if (is_long && tensor->n_int64_data == count) {
    for (size_t i = 0; i < count; i++)
      values->items[i].integer = tensor->int64_data[i];
  } else if (!is_long && !values->is_real && tensor->n_int32_data == count) {
    for (size_t i = 0; i < count; i++)
      values->items[i].integer = tensor->int32_data[i];
  } else {
    return false;
  }
  return true;
}

bool onnx_tensor_values(const Onnx__Tensor *tensor, struct onnx_values *values) {
  enum { EXTERNAL = 1 };
  if (tensor->data_location == EXTERNAL) return false;
  bool is_read = tensor->has_raw_data ? read_raw(tensor, values) : read_typed(tensor, values);
  for (size_t i = 0; is_read && !values->is_real && i < values->count; i++)
    is_read = onnx_fits(tensor->data_type, values->items[i].integer);
  return is_read;
}
