/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types of elements, by their numbers in TensorFlow Lite's schema. */
#ifndef MODELS_TFLM_ELEMENT_TYPES_H
#define MODELS_TFLM_ELEMENT_TYPES_H

#include <stddef.h>
#include <stdint.h>

struct element_type {
  const char *name; /* "float32" */
  char letter;      /* in kernels.def; those of Python's struct where it has the type */
  unsigned char bits; /* 0: no fixed width */
};

/* NULL for an unknown number. */
const struct element_type *element_type_find(uint64_t number);

#endif
