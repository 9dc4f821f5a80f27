/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tflite/model.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "formats/tflite/schema.h"

neap_status tflite_model_broken(const char *what, size_t index, neap_error *error) {
  return error_set(error, NEAP_ERROR_INPUT,
                   "broken TensorFlow Lite model: %s %zu points outside the file", what, index);
}

neap_status tflite_model_spend(struct tflite_model *model, size_t amount, neap_error *error) {
  if (amount <= model->file.size - model->read) {
    model->read += amount;
    return NEAP_OK;
  }
  return error_set(error, NEAP_ERROR_INPUT, "broken TensorFlow Lite model: its tables overlap");
}

static bool open_subgraph(const struct flat_vector *list, size_t index,
                          struct tflite_subgraph *subgraph) {
  struct flat_table table;
  return flat_element(list, index, &table) &&
         flat_vector(&table, TFLITE_SUBGRAPH_TENSORS, 4, &subgraph->tensors) &&
         flat_vector(&table, TFLITE_SUBGRAPH_OPERATORS, 4, &subgraph->operators) &&
         flat_vector(&table, TFLITE_SUBGRAPH_INPUTS, 4, &subgraph->inputs) &&
         flat_vector(&table, TFLITE_SUBGRAPH_OUTPUTS, 4, &subgraph->outputs);
}

static neap_status open_subgraphs(struct tflite_model *model, const struct flat_vector *list,
                                  neap_error *error) {
  model->subgraphs = memory_array(list->count, sizeof *model->subgraphs);
  if (!model->subgraphs) return error_memory(error);
  model->subgraph_count = list->count;
  for (size_t s = 0; s < list->count; s++) {
    if (!open_subgraph(list, s, &model->subgraphs[s]))
      return tflite_model_broken("subgraph", s, error);
    /* A plan has four bytes for each of them, too. */
    neap_status status =
        tflite_model_spend(model, 4 * model->subgraphs[s].tensors.count, error);
    if (status != NEAP_OK) return status;
    model->subgraphs[s].first = model->tensor_count;
    model->tensor_count += model->subgraphs[s].tensors.count;
  }
  return NEAP_OK;
}

neap_status tflite_model_open(struct tflite_model *model, const struct flat *file,
                              neap_error *error) {
  struct flat_vector subgraphs;
  *model = (struct tflite_model){.file = *file};
  if (!flat_root(&model->file, &model->root) ||
      !flat_vector(&model->root, TFLITE_MODEL_SUBGRAPHS, 4, &subgraphs) ||
      !flat_vector(&model->root, TFLITE_MODEL_OPCODES, 4, &model->opcodes) ||
      !flat_vector(&model->root, TFLITE_MODEL_BUFFERS, 4, &model->buffers))
    return tflite_model_broken("table", 0, error);
  if (subgraphs.count == 0)
    return error_set(error, NEAP_ERROR_INPUT, "the TensorFlow Lite model has no subgraph");
  return open_subgraphs(model, &subgraphs, error);
}

void tflite_model_close(struct tflite_model *model) { free(model->subgraphs); }

bool tflite_model_code(const struct tflite_model *model, const struct flat_table *node,
                       uint64_t *code) {
  uint64_t opcode, old;
  struct flat_table entry;
  if (!flat_unsigned(node, TFLITE_OPERATOR_OPCODE, 4, 0, &opcode) ||
      !flat_element(&model->opcodes, (size_t)opcode, &entry) ||
      !flat_unsigned(&entry, TFLITE_OPCODE_OLD_CODE, 1, 0, &old) ||
      !flat_unsigned(&entry, TFLITE_OPCODE_CODE, 4, 0, code))
    return false;
  if (old < 128 && old > *code) *code = old;
  return true;
}

neap_status tflite_model_tensor(const struct tflite_subgraph *subgraph,
                                const struct flat_vector *list, size_t index, const char *where,
                                size_t number, size_t *tensor, neap_error *error) {
  int32_t element = flat_int32(list, index);
  *tensor = TFLITE_NONE;
  if (element == -1) return NEAP_OK;
  if (element < 0 || (size_t)element >= subgraph->tensors.count)
    return error_set(error, NEAP_ERROR_INPUT,
                     "%s %zu: the subgraph has %zu tensors, but this uses number %" PRId32,
                     where, number, subgraph->tensors.count, element);
  *tensor = subgraph->first + (size_t)element;
  return NEAP_OK;
}
