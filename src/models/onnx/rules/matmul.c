/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix products, and what all products have in common. */
#include <inttypes.h>

#include "models/onnx/infer.h"
#include "models/onnx/rules/rules.h"

int onnx_product_type(const struct onnx_infer *infer) {
  if (infer->rule->detail & ONNX_MAKES_INT32) return ONNX_INT32;
  const bool is_given = infer->rule->detail & ONNX_MAKES_ZERO_POINT_TYPE;
  return is_given ? onnx_input_type(infer, 7) : infer->shapes[0]->type;
}

static bool expect_same(struct onnx_infer *infer, int64_t a, int64_t b) {
  return a == b || onnx_fail(infer,
                             "a matrix of %" PRId64
                             " columns cannot be multiplied by one of %" PRId64 " rows",
                             a, b);
}

static bool gemm(struct onnx_infer *infer) {
  const struct onnx_shape *a = onnx_input_of_rank(infer, 0, 2);
  const struct onnx_shape *b = a ? onnx_input_of_rank(infer, 1, 2) : NULL;
  if (!b) return false;
  size_t across_a = onnx_attribute_integer(infer, "transA", 0) != 0;
  size_t across_b = onnx_attribute_integer(infer, "transB", 0) != 0;
  struct onnx_shape *output = onnx_output(infer, 0, a->type);
  return expect_same(infer, a->dims[1 - across_a], b->dims[across_b]) &&
         onnx_push(infer, output, a->dims[across_a]) &&
         onnx_push(infer, output, b->dims[1 - across_b]);
}

/* ---------------------------------------------------------------- MatMul */

/* All dimensions except the last `less`. */
static struct onnx_shape batch_of(const struct onnx_shape *shape, size_t less) {
  struct onnx_shape batch = *shape;
  batch.rank -= less;
  return batch;
}

/*
 * As in numpy, a vector is a row on the left and a column on the right.  The output lacks the
 * dimension that this adds.
 */
static bool multiply(struct onnx_infer *infer, const struct onnx_shape *a,
                     const struct onnx_shape *b) {
  bool is_row = a->rank == 1, is_column = b->rank == 1;
  struct onnx_shape left = batch_of(a, is_row ? 1 : 2), right = batch_of(b, is_column ? 1 : 2);
  struct onnx_shape *output = onnx_output(infer, 0, onnx_product_type(infer));
  if (!expect_same(infer, a->dims[a->rank - 1], b->dims[is_column ? 0 : b->rank - 2]) ||
      !onnx_broadcast(infer, &left, &right, output))
    return false;
  if (!is_row && !onnx_push(infer, output, a->dims[a->rank - 2])) return false;
  return is_column || onnx_push(infer, output, b->dims[b->rank - 1]);
}

static bool matmul(struct onnx_infer *infer) {
  const struct onnx_shape *a = onnx_input_of_rank(infer, 0, 1);
  const struct onnx_shape *b =
      a ? onnx_input_of_rank(infer, infer->rule->detail & ONNX_WEIGHTS, 1) : NULL;
  return b && multiply(infer, a, b);
}

/* ---------------------------------------------------------------- channels */

/* Only for matrices, whose channels are their columns. */
static bool product_channels(struct onnx_infer *infer, struct band_rule *rule) {
  const struct onnx_shape *a = infer->shapes[0];
  const struct onnx_shape *b = infer->shapes[infer->rule->detail & ONNX_WEIGHTS];
  rule->kind = SPLIT_OUTPUTS;
  return a->rank == 2 && b && b->is_known && b->rank == 2;
}

/* ---------------------------------------------------------------- determinants */

static bool determinant(struct onnx_infer *infer) {
  const struct onnx_shape *data = onnx_input_of_rank(infer, 0, 2);
  if (!data) return false;
  struct onnx_shape batch = batch_of(data, 2);
  onnx_output_like(infer, 0, data->type, &batch);
  return true;
}

const struct onnx_rule onnx_rules_matmul[] = {
    {.name = "Det", .shape = determinant},
    {.name = "Gemm", .shape = gemm, .detail = 1, .channels = product_channels},
    {.name = "MatMul", .shape = matmul, .detail = 1, .channels = product_channels},
    {.name = "MatMulInteger",
     .shape = matmul,
     .detail = 1 | ONNX_MAKES_INT32,
     .channels = product_channels},
    {.name = "QLinearMatMul",
     .shape = matmul,
     .detail = 3 | ONNX_MAKES_ZERO_POINT_TYPE,
     .channels = product_channels},
    {.name = NULL},
};
