/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads integers from untrusted FlexBuffers, in which custom operators keep their options. */
#ifndef MODELS_TFLITE_FLEX_H
#define MODELS_TFLITE_FLEX_H

#include "models/tflite/flat.h"

/*
 * The elements of the vector that is the root, or the values of a map by their names, up to `capacity`;
 * 0 if the root is neither.
 */
size_t flex_numbers(const struct flat_vector *bytes, int64_t *numbers, size_t capacity);

/* A member of the map that is the root; false if there is none of this name. */
bool flex_member(const struct flat_vector *bytes, const char *key, int64_t *number);

#endif
