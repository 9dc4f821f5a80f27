/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/weights.h"

#include "files/target.h"
#include "models/tflite/schema.h"

bool tflite_has_data(const struct tflite_model *model, uint64_t buffer) {
  struct flat_table table;
  struct flat_vector data;
  uint64_t offset;
  return flat_element(&model->buffers, (size_t)buffer, &table) &&
         flat_vector(&table, TFLITE_BUFFER_DATA, 1, &data) &&
         flat_unsigned(&table, TFLITE_BUFFER_OFFSET, 8, 0, &offset) &&
         (data.count > 0 || offset > 1);
}

/* Whether a tensor is an output of the model, which is in the arena. */
static bool is_returned(const struct tflite_subgraph *subgraph, int32_t tensor) {
  for (size_t i = 0; i < subgraph->outputs.count; i++)
    if (flat_int32(&subgraph->outputs, i) == tensor) return true;
  return false;
}

bool tflite_makes_weights(const struct tflite_model *model,
                          const struct tflite_subgraph *subgraph, const struct flat_table *node,
                          const neap_reading *reading) {
  struct flat_table tensor;
  struct flat_vector inputs, outputs;
  uint64_t code, buffer;
  return !target_of(reading)->is_predicted && tflite_model_code(model, node, &code) &&
         code == TFLITE_DEQUANTIZE && flat_vector(node, TFLITE_OPERATOR_INPUTS, 4, &inputs) &&
         flat_vector(node, TFLITE_OPERATOR_OUTPUTS, 4, &outputs) && inputs.count == 1 &&
         outputs.count == 1 && flat_int32(&outputs, 0) >= 0 &&
         !is_returned(subgraph, flat_int32(&outputs, 0)) && flat_int32(&inputs, 0) >= 0 &&
         flat_element(&subgraph->tensors, (size_t)flat_int32(&inputs, 0), &tensor) &&
         flat_unsigned(&tensor, TFLITE_TENSOR_BUFFER, 4, 0, &buffer) &&
         tflite_has_data(model, buffer);
}
