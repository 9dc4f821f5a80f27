/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each element of a convolution's output takes one product per weight of a filter.  In a
 * transposed convolution, each element of the input is multiplied by all weights for its channel.
 * Each element of a matrix product takes one product per column of the left matrix.  A recurrent
 * layer multiplies by all weights at each step.
 */
#include "models/onnx/macs.h"

#include <string.h>

#include "core/checked.h"
#include "models/operators/multiply_accumulates.h"

typedef int64_t count_macs(const struct onnx_model *model, const struct onnx_node *node,
                           size_t weights);

/* NULL if it is absent or unknown. */
static const struct onnx_shape *shape_at(const struct onnx_model *model, size_t at,
                                         size_t end) {
  const size_t tensor = at < end ? model->links[at] : ONNX_NONE;
  if (tensor == ONNX_NONE || !model->tensors[tensor].shape.is_known) return NULL;
  return &model->tensors[tensor].shape;
}

static const struct onnx_shape *input_of(const struct onnx_model *model,
                                         const struct onnx_node *node, size_t input) {
  return shape_at(model, node->inputs + input, node->within);
}

static const struct onnx_shape *output_of(const struct onnx_model *model,
                                          const struct onnx_node *node) {
  return shape_at(model, node->outputs, node->end);
}

/* 0 if there are none, or too many. */
static int64_t elements_of(const struct onnx_shape *shape) {
  int64_t count;
  return shape && onnx_elements(shape, &count) ? count : 0;
}

static int64_t first_of(const struct onnx_shape *shape) {
  return shape && shape->rank > 0 ? shape->dims[0] : 0;
}

static int64_t last_of(const struct onnx_shape *shape) {
  return shape && shape->rank > 0 ? shape->dims[shape->rank - 1] : 0;
}

static int64_t filtered(const struct onnx_shape *image, const struct onnx_shape *filters) {
  return work_products(elements_of(image), elements_of(filters), first_of(filters));
}

static int64_t convolution(const struct onnx_model *model, const struct onnx_node *node,
                           size_t weights) {
  return filtered(output_of(model, node), input_of(model, node, weights));
}

static int64_t transposed(const struct onnx_model *model, const struct onnx_node *node,
                          size_t weights) {
  return filtered(input_of(model, node, 0), input_of(model, node, weights));
}

/* Either matrix may be transposed; the output has the columns of the right one. */
static int64_t gemm(const struct onnx_model *model, const struct onnx_node *node,
                    size_t weights) {
  const struct onnx_shape *output = output_of(model, node);
  return work_products(elements_of(output), elements_of(input_of(model, node, weights)),
                       last_of(output));
}

static int64_t product(const struct onnx_model *model, const struct onnx_node *node,
                       size_t left) {
  return work_products(elements_of(output_of(model, node)),
                       last_of(input_of(model, node, left)), 1);
}

/* The weights of the input and those of the state. */
static int64_t recurrent(const struct onnx_model *model, const struct onnx_node *node,
                         size_t weights) {
  const struct onnx_shape *input = input_of(model, node, 0);
  int64_t sum;
  if (!checked_add(elements_of(input_of(model, node, weights)),
                   elements_of(input_of(model, node, weights + 1)), &sum))
    return 0;
  return work_products(sum, elements_of(input), last_of(input));
}

static const struct {
  const char *name;
  count_macs *count;
  size_t input; /* position of the weights, or of the left matrix */
} kinds[] = {{"Conv", convolution, 1},
             {"ConvInteger", convolution, 1},
             {"ConvTranspose", transposed, 1},
             {"GRU", recurrent, 1},
             {"Gemm", gemm, 1},
             {"LSTM", recurrent, 1},
             {"MatMul", product, 0},
             {"MatMulInteger", product, 0},
             {"QLinearConv", convolution, 3},
             {"QLinearMatMul", product, 0},
             {"RNN", recurrent, 1}};

int64_t onnx_count_macs(const struct onnx_model *model, const struct onnx_node *node) {
  if (!node->rule) return 0;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(node->rule->name, kinds[i].name) == 0)
      return kinds[i].count(model, node, kinds[i].input);
  return 0;
}
