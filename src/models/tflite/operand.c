/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/operand.h"

#include "models/operators/tensor_slices.h"
#include "models/tflite/schema.h"

bool tflite_operand_read(const struct tflite_subgraph *subgraph, const struct flat_vector *list,
                         size_t index, struct tflite_operand *operand) {
  struct flat_table table;
  struct flat_vector shape;
  operand->is_present = false;
  operand->rank = 0;
  int32_t element = index < list->count ? flat_int32(list, index) : -1;
  if (element < 0 || !flat_element(&subgraph->tensors, (size_t)element, &table) ||
      !flat_vector(&table, TFLITE_TENSOR_SHAPE, 4, &shape) ||
      shape.count > TFLITE_OPERAND_RANK ||
      !flat_unsigned(&table, TFLITE_TENSOR_TYPE, 1, 0, &operand->type))
    return false;
  operand->tensor = subgraph->first + (size_t)element;
  operand->rank = shape.count;
  for (size_t d = 0; d < shape.count; d++)
    operand->dims[d] = tflite_model_dimension(subgraph, (size_t)element, &shape, d);
  operand->is_present = true;
  return true;
}

bool tflite_operand_elements(const struct tflite_operand *operand, int64_t *count) {
  return parts_elements(&(struct parts_shape){operand->rank, operand->dims}, count);
}
