/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small TensorFlow Lite models, made from a description. */
#ifndef MODELS_MODEL_H
#define MODELS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum model_type { MODEL_FLOAT32 = 0, MODEL_INT32 = 2, MODEL_INT8 = 9, MODEL_INT4 = 17 };

struct model_tensor {
  const char *name;
  enum model_type type;
  int32_t shape[4];
  size_t rank;
  bool is_constant; /* its data are in the model */
  bool is_variable; /* it keeps its contents from run to run */
};

#define MODEL_END (-2) /* closes a list of tensors, in which -1 is one not given */

struct model_operator {
  uint32_t code; /* in the published schema */
  const int32_t *inputs, *outputs;
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

/* NULL past the last. */
const struct model *model_at(size_t index);

/* The file's bytes, released with free(); NULL when memory is short. */
unsigned char *model_make(const struct model *model, size_t *size);

#endif
