/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types and shapes of the tensors that an operator reads and writes. */
#ifndef MODELS_TFLITE_OPERAND_H
#define MODELS_TFLITE_OPERAND_H

#include "models/tflite/model.h"

#define TFLITE_OPERAND_RANK 8

struct tflite_operand {
  bool is_present;
  size_t tensor; /* its number */
  uint64_t type;
  size_t rank;
  int64_t dims[TFLITE_OPERAND_RANK];
};

/*
 * Describes element `index` of a list of tensors.  Returns false, and an operand that is not
 * present, if the tensor is absent or has more than TFLITE_OPERAND_RANK dimensions.
 */
bool tflite_operand_read(const struct tflite_subgraph *subgraph, const struct flat_vector *list,
                         size_t index, struct tflite_operand *operand);

/* Counts the elements; false if there are too many, or a dimension is unknown. */
bool tflite_operand_elements(const struct tflite_operand *operand, int64_t *count);

#endif
