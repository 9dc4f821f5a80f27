/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's built-in operators, by their codes: names and kinds. */
#ifndef FORMATS_TFLITE_OPERATORS_H
#define FORMATS_TFLITE_OPERATORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "CONV_2D"; "operator" for an unknown code. */
const char *tflite_operator_name(uint64_t code);

/* Each element of the output depends on those at the same position of the inputs only. */
bool tflite_operator_is_element_wise(uint64_t code);

/* The output is the input's data in another shape. */
bool tflite_operator_is_view(uint64_t code);

/*
 * An operator that calls subgraphs: the fields with its options and their type, and what is in
 * them.
 */
#define TFLITE_CALLS 2
struct tflite_caller {
  unsigned char code, type_field, options_field, options_type;
  unsigned char first,
      count; /* the options that are indices of subgraphs, up to TFLITE_CALLS */
};

/* NULL: it calls none. */
const struct tflite_caller *tflite_operator_caller(uint64_t code);

#endif
