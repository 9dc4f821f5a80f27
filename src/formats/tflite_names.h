/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What TensorFlow Lite's operator codes stand for. */
#ifndef FORMATS_TFLITE_NAMES_H
#define FORMATS_TFLITE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "CONV_2D"; "operator" of a code that is not known. */
const char *tflite_name(uint64_t code);

/* Each element of the output is made of those at the same place in the inputs. */
bool tflite_is_element_wise(uint64_t code);

/* The output is the input's data under another shape. */
bool tflite_is_view(uint64_t code);

#endif
