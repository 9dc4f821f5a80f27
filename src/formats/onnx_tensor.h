/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of an ONNX tensor: element type, shape and, of small ones, its elements. */
#ifndef FORMATS_ONNX_TENSOR_H
#define FORMATS_ONNX_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/onnx.pb-c.h"

#define ONNX_MAX_RANK 32
#define ONNX_MAX_VALUES 4096 /* elements of a tensor whose elements are kept */

/* Element types, by their public numbers. */
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
  int type;      /* ONNX_UNDEFINED: not known */
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

/* Bits of an element; 0 of types without a fixed width. */
int64_t onnx_bits(int type);

/* "float16"; "unknown type" of a number that is not known. */
const char *onnx_type_name(int type);

/* False where there are too many. */
bool onnx_elements(const struct onnx_shape *shape, int64_t *count);
bool onnx_bytes(const struct onnx_shape *shape, int64_t *bytes);

bool onnx_same_dims(const struct onnx_shape *a, const struct onnx_shape *b);

/* Of a known shape, an element type whose elements are kept, and few of them. */
bool onnx_is_foldable(const struct onnx_shape *shape);

/* Zeroes; NULL when memory is short.  Released with free(). */
struct onnx_values *onnx_values_new(const struct onnx_shape *shape);

/* False where the tensor's rank or its dimensions are out of range; then *why says how. */
bool onnx_tensor_shape(const Onnx__Tensor *tensor, struct onnx_shape *shape, const char **why);

/*
 * Fills values, made for the tensor's shape, with its elements; false where they are not in the
 * file.
 */
bool onnx_tensor_values(const Onnx__Tensor *tensor, struct onnx_values *values);

/* Whether a number can be an element of the type. */
bool onnx_fits(int type, int64_t number);

#endif
