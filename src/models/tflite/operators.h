/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's built-in operators, by their codes: names and kinds. */
#ifndef MODELS_TFLITE_OPERATORS_H
#define MODELS_TFLITE_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "CONV_2D"; "operator" for an unknown code. */
const char *tflite_operator_name(uint64_t code);

/* Each element of the output depends on those at the same position of the inputs only. */
bool tflite_operator_is_element_wise(uint64_t code);

/* The same, or the output is the input in another type, such as quantized. */
bool tflite_operator_is_pointwise(uint64_t code);

/* The output is the input's data in another shape. */
bool tflite_operator_is_view(uint64_t code);

/* An operator that calls subgraphs, and the options that are indices of subgraphs. */
struct tflite_caller {
  uint64_t code;
  bool is_second; /* options are in the second of the operator's fields for them */
  unsigned char options_type;
  unsigned char first, count; /* the options; 0: one that is a list of indices */
};

/* NULL: it calls none. */
const struct tflite_caller *tflite_operator_caller(uint64_t code);

#endif
