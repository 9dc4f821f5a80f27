/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folds that do arithmetic.  The result is unknown if a number overflows its type. */
#ifndef MODELS_ONNX_RULES_NUMBER_H
#define MODELS_ONNX_RULES_NUMBER_H

#include "models/onnx/infer.h"

/* The fold_detail of the folds below. */
enum onnx_operation {
  ONNX_ADD,
  ONNX_SUBTRACT,
  ONNX_MULTIPLY,
  ONNX_DIVIDE,
  ONNX_MODULO,
  ONNX_LEAST,
  ONNX_LARGEST,
  ONNX_EQUAL,
  ONNX_LESS,
  ONNX_LESS_OR_EQUAL,
  ONNX_GREATER,
  ONNX_GREATER_OR_EQUAL,
  ONNX_AND,
  ONNX_OR,
  ONNX_NEGATE,
  ONNX_NOT,
  ONNX_FLOOR,
  ONNX_CEIL,
  ONNX_ROOT
};

/* Combine all inputs element by element, with broadcasting. */
bool onnx_number_combine(struct onnx_infer *infer);

/* Apply the operation to each element of the first input. */
bool onnx_number_unary(struct onnx_infer *infer);

/* Convert each element to the type of the output. */
bool onnx_number_cast(struct onnx_infer *infer);

/* Take each element from the second input where the first is true, otherwise from the third. */
bool onnx_number_where(struct onnx_infer *infer);

/* Combine all elements into one. */
bool onnx_number_reduce(struct onnx_infer *infer);

#endif
