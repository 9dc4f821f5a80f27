/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The element type and shape of an ONNX tensor and, if it is small, its elements. */
#ifndef MODELS_ONNX_TENSOR_H
#define MODELS_ONNX_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "models/onnx/onnx.pb-c.h"

#define ONNX_MAX_RANK 32
#define ONNX_MAX_VALUES 4096 /* limit on the elements of a tensor that are kept */

/* Element types, numbered as in the ONNX specification. */
enum onnx_type {
  ONNX_UNDEFINED = 0,
  ONNX_FLOAT = 1,
  ONNX_UINT8 = 2,
  ONNX_INT8 = 3,
  ONNX_UINT16 = 4,
  ONNX_INT16 = 5,
  ONNX_INT32 = 6,
  ONNX_INT64 = 7,
  ONNX_STRING = 8,
  ONNX_BOOL = 9,
  ONNX_DOUBLE = 11,
  ONNX_UINT32 = 12
};

struct onnx_shape {
  bool is_known; /* the shape; the type may be known without it */
  int type;      /* ONNX_UNDEFINED: unknown */
  size_t rank;
  int64_t dims[ONNX_MAX_RANK]; /* >= 0 */
};

union onnx_number {
  int64_t integer;
  double real;
};

struct onnx_values {
  size_t count;
  bool is_real;
  union onnx_number items[];
};

/* Bits of an element; 0 for types without a fixed width. */
int64_t onnx_bits(int type);

/* "float16"; "unknown type" for an unknown number. */
const char *onnx_type_name(int type);

/* The type in the same form as other formats', such as float32 for ONNX's float; NULL: unknown. */
const char *onnx_dtype(int type);

/* False if there are too many. */
bool onnx_elements(const struct onnx_shape *shape, int64_t *count);
bool onnx_bytes(const struct onnx_shape *shape, int64_t *bytes);

bool onnx_same_dims(const struct onnx_shape *a, const struct onnx_shape *b);

/* Whether the elements can be kept: the shape is known, the type is supported, and they are few. */
bool onnx_is_foldable(const struct onnx_shape *shape);

/* Zeroes, released with free(); NULL if memory is short. */
struct onnx_values *onnx_values_new(const struct onnx_shape *shape);

/* False if the tensor's rank or dimensions are out of range; *why is then the reason. */
bool onnx_tensor_shape(const Onnx__Tensor *tensor, struct onnx_shape *shape, const char **why);

/* Fills `values`, made for the tensor's shape; false if its elements are not in the file. */
bool onnx_tensor_values(const Onnx__Tensor *tensor, struct onnx_values *values);

/* Whether the type can hold the number. */
bool onnx_fits(int type, int64_t number);

#endif
