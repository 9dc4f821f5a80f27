/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small TensorFlow Lite models, made from a description. */
#ifndef MODELS_MODEL_H
#define MODELS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Operators, by their codes in the published schema. */
enum model_code {
  MODEL_ADD = 0,
  MODEL_AVERAGE_POOL_2D = 1,
  MODEL_CONV_2D = 3,
  MODEL_DEPTHWISE_CONV_2D = 4,
  MODEL_DEQUANTIZE = 6,
  MODEL_FULLY_CONNECTED = 9,
  MODEL_RESHAPE = 22,
  MODEL_SUB = 41,
  MODEL_QUANTIZE = 114
};

enum model_type { MODEL_FLOAT32 = 0, MODEL_INT32 = 2, MODEL_INT8 = 9, MODEL_INT4 = 17 };

struct model_tensor {
  const char *name;
  enum model_type type;
  int32_t shape[4];
  size_t rank;
  bool is_constant; /* its data are in the model */
  bool is_variable; /* it keeps its contents from run to run */
  int fraction;     /* its elements count in units of 2^-fraction; 0: it is not quantized */
};

#define MODEL_END (-2) /* closes a list of tensors, in which -1 stands for an omitted one */

struct model_operator {
  enum model_code code;
  const int32_t *inputs, *outputs;
  /* The stride of convolutions and pools, and the window of pools, which have no padding. */
  int32_t stride_height, stride_width, window_height, window_width;
};

struct model {
  const char *name;
  const char *summary;
  const struct model_tensor *tensors;
  size_t tensor_count;
  const struct model_operator *operators;
  size_t operator_count;
  const int32_t *inputs, *outputs;
  bool is_planned; /* with an offline memory plan: tensors end to end, nothing shared */
};

#define MODEL_EXAMPLES 3 /* the first of them; the others are for tests */

/* NULL past the last. */
const struct model *model_at(size_t index);

/* The file's bytes, released with free(); NULL when memory is short. */
unsigned char *model_make(const struct model *model, size_t *size);

#endif
