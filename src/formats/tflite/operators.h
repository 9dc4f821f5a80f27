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
 * How many subgraphs an operator calls, up to TFLITE_CALLS, and the type of its options, whose
 * first fields are their indices.
 */
#define TFLITE_CALLS 2
size_t tflite_operator_calls(uint64_t code, uint64_t *options_type);

#endif
