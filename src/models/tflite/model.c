/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/model.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "models/tflite/schema.h"

neap_status tflite_model_broken(const char *what, size_t index, neap_error *error) {
  return error_set(error, NEAP_ERROR_INPUT,
                   "truncated or damaged model: %s %zu is beyond the file's end", what, index);
}

/*
 * The tensors of bands share the name of the whole, so in a model with bands, some bytes of the
 * file are read many times.
 */
#define SHARED_MAX 8

neap_status tflite_model_spend(struct tflite_model *model, size_t amount, neap_error *error) {
  if (amount <= model->budget) {
    model->budget -= amount;
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
    /* A plan also has four bytes for each tensor. */
    neap_status status =
        tflite_model_spend(model, 4 * model->subgraphs[s].tensors.count, error);
    if (status != NEAP_OK) return status;
    model->subgraphs[s].first = model->tensor_count;
    model->subgraphs[s].shapes = s == 0 ? &model->shapes : NULL;
    model->tensor_count += model->subgraphs[s].tensors.count;
  }
  return NEAP_OK;
}

neap_status tflite_model_open(struct tflite_model *model, const struct flat *file,
                              neap_error *error) {
  struct flat_vector subgraphs;
  *model = (struct tflite_model){.file = *file};
  model->budget = file->size <= SIZE_MAX / SHARED_MAX ? SHARED_MAX * file->size : SIZE_MAX;
  if (!flat_root(&model->file, &model->root) ||
      !flat_vector(&model->root, TFLITE_MODEL_SUBGRAPHS, 4, &subgraphs) ||
      !flat_vector(&model->root, TFLITE_MODEL_OPCODES, 4, &model->opcodes) ||
      !flat_vector(&model->root, TFLITE_MODEL_BUFFERS, 4, &model->buffers))
    return tflite_model_broken("table", 0, error);
  if (subgraphs.count == 0)
    return error_set(error, NEAP_ERROR_INPUT, "the TensorFlow Lite model has no subgraph");
  return open_subgraphs(model, &subgraphs, error);
}

void tflite_model_close(struct tflite_model *model) {
  free(model->subgraphs);
  free(model->shapes.dims);
  free(model->shapes.store);
}

int64_t tflite_model_dimension(const struct tflite_subgraph *subgraph, size_t tensor,
                               const struct flat_vector *shape, size_t d) {
  const struct tflite_shapes *shapes = subgraph->shapes;
  const int64_t *dims = shapes && shapes->dims ? shapes->dims[tensor] : NULL;
  return dims ? dims[d] : flat_int32(shape, d);
}

/* A place in the file that a table addresses by its position. */
struct address {
  size_t at; /* where the position is, which has 8 bytes */
  uint64_t position;
};

struct addresses {
  struct address *items;
  size_t count, capacity;
};

/* Lists the position in a field of a table; 0 and 1 mean that the data are in the tables. */
static neap_status list_address(struct addresses *addresses, const struct flat_table *table,
                                size_t field, neap_error *error) {
  struct address address;
  if (!flat_field(table, field, 8, &address.at) ||
      !flat_unsigned(table, field, 8, 0, &address.position))
    return tflite_model_broken("field", field, error);
  if (address.position <= 1) return NEAP_OK;
  if (!memory_reserve(&addresses->items, &addresses->capacity, addresses->count + 1,
                      sizeof *addresses->items))
    return error_memory(error);
  addresses->items[addresses->count++] = address;
  return NEAP_OK;
}

static neap_status list_addresses(struct addresses *addresses, const struct flat_vector *tables,
                                  size_t field, const char *what, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < tables->count && status == NEAP_OK; i++) {
    struct flat_table table;
    status = flat_element(tables, i, &table) ? list_address(addresses, &table, field, error)
                                             : tflite_model_broken(what, i, error);
  }
  return status;
}

static void put64(unsigned char *at, uint64_t number) {
  for (size_t b = 0; b < 8; b++)
    at[b] = (unsigned char)(number >> (8 * b));
}

neap_status tflite_model_move_data(const struct tflite_model *model, unsigned char *bytes,
                                   size_t distance, neap_error *error) {
  struct addresses addresses = {.items = NULL};
  neap_status status =
      list_addresses(&addresses, &model->buffers, TFLITE_BUFFER_OFFSET, "buffer", error);
  for (size_t s = 0; s < model->subgraph_count && status == NEAP_OK; s++)
    status = list_addresses(&addresses, &model->subgraphs[s].operators,
                            TFLITE_OPERATOR_LARGE_OPTIONS, "operator", error);
  /* Tables may be shared, so all positions are read before any is written. */
  for (size_t i = 0; i < addresses.count && status == NEAP_OK; i++)
    put64(bytes + addresses.items[i].at, addresses.items[i].position + distance);
  free(addresses.items);
  return status;
}

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

/* ---------------------------------------------------------------- metadata */

static neap_status broken(neap_error *error) {
  return error_set(error, NEAP_ERROR_INPUT,
                   "truncated or damaged model: its metadata is beyond the file's end");
}

static bool is_named(const struct flat_table *entry, const char *expected) {
  const char *name;
  size_t length;
  return flat_text(entry, TFLITE_METADATA_NAME, &name, &length) && length == strlen(expected) &&
         memcmp(name, expected, length) == 0;
}

neap_status tflite_entry_find(const struct flat_table *model, const char *name,
                              struct tflite_entry *entry, neap_error *error) {
  struct flat_vector metadata;
  *entry = (struct tflite_entry){TFLITE_NONE, TFLITE_NONE};
  if (!flat_vector(model, TFLITE_MODEL_METADATA, 4, &metadata)) return broken(error);
  for (size_t m = 0; m < metadata.count; m++) {
    struct flat_table table;
    uint64_t buffer;
    if (!flat_element(&metadata, m, &table)) return broken(error);
    if (!is_named(&table, name)) continue;
    if (!flat_unsigned(&table, TFLITE_METADATA_BUFFER, 4, 0, &buffer)) return broken(error);
    *entry = (struct tflite_entry){m, (size_t)buffer};
  }
  return NEAP_OK;
}

neap_status tflite_entry_data(const struct flat_table *model, const struct tflite_entry *entry,
                              struct flat_vector *data, neap_error *error) {
  struct flat_vector buffers;
  struct flat_table buffer;
  if (flat_vector(model, TFLITE_MODEL_BUFFERS, 4, &buffers) &&
      flat_element(&buffers, entry->buffer, &buffer) &&
      flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, data))
    return NEAP_OK;
  return broken(error);
}

static neap_status read_numbers(const struct flat *file, const struct flat_vector *data,
                                size_t count, int32_t **offsets, neap_error *error) {
  const struct flat_vector numbers = {file, data->at, data->count / 4};
  if (numbers.count < TFLITE_PLAN_HEAD)
    return error_set(error, NEAP_ERROR_INPUT,
                     "the model's plan: expected a version and two counts, found %zu bytes",
                     data->count);
  if (flat_int32(&numbers, 2) < 0 || (size_t)flat_int32(&numbers, 2) != count ||
      numbers.count < TFLITE_PLAN_HEAD + count)
    return error_set(
        error, NEAP_ERROR_INPUT,
        "the model's plan: expected the offsets of all %zu tensors, found %" PRId32, count,
        flat_int32(&numbers, 2));
  *offsets = memory_array(count, sizeof **offsets);
  if (!*offsets) return error_memory(error);
  for (size_t t = 0; t < count; t++)
    (*offsets)[t] = flat_int32(&numbers, TFLITE_PLAN_HEAD + t);
  return NEAP_OK;
}

neap_status tflite_plan_offsets(const struct tflite_model *model, int32_t **offsets,
                                neap_error *error) {
  struct flat_vector data;
  struct tflite_entry plan;
  *offsets = NULL;
  neap_status status = tflite_entry_find(&model->root, TFLITE_PLAN, &plan, error);
  if (status != NEAP_OK || plan.index == TFLITE_NONE) return status;
  status = tflite_entry_data(&model->root, &plan, &data, error);
  return status == NEAP_OK
             ? read_numbers(&model->file, &data, model->tensor_count, offsets, error)
             : status;
}
