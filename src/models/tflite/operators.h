/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's built-in operators, by their codes: names and kinds. */
#ifndef MODELS_TFLITE_OPERATORS_H
#define MODELS_TFLITE_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "CONV_2D"; "operator" for an unknown code. */
const char *tflite_operator_name(uint64_t code);

/* Whether each output element depends only on the input elements at the same position. */
bool tflite_operator_is_element_wise(uint64_t code);

/* Whether it is element-wise, or converts its input to another type, such as a quantized one. */
bool tflite_operator_is_pointwise(uint64_t code);

/* Whether the output is the input's data in another shape. */
bool tflite_operator_is_view(uint64_t code);

/* An operator that calls subgraphs, and the options that are indices of subgraphs. */
struct tflite_caller {
  uint64_t code;
  bool is_second; /* the options are in the operator's second field for options */
  unsigned char options_type;
  unsigned char first, count; /* the options; count 0: one option, a list of indices */
};

/* NULL: the operator calls no subgraph. */
const struct tflite_caller *tflite_operator_caller(uint64_t code);

#endif
