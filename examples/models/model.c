/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A TensorFlow Lite model as a FlatBuffer, after the published schema.  Buffer 0 is empty, as the
 * schema asks for; then come those of the constants in the order of their tensors, that of the
 * entry on versions, and that of the plan.
 */
#include "models/model.h"

#include <stdlib.h>
#include <string.h>

#include "models/flatten.h"

#define ALIGNMENT 16 /* of data, and of offsets in the plan */
#define SCHEMA 3

enum { CODES = 1, SUBGRAPHS = 2, DESCRIPTION = 3, BUFFERS = 4, METADATA = 6 }; /* of the root */

static size_t length_of(const int32_t *list) {
  size_t length = 0;
  while (list[length] != MODEL_END)
    length++;
  return length;
}

static size_t bits_of(enum model_type type) {
  switch (type) {
  case MODEL_INT4:
    return 4;
  case MODEL_INT8:
    return 8;
  case MODEL_FLOAT32:
  case MODEL_INT32:
    break;
  }
  return 32;
}

static size_t elements_of(const struct model_tensor *tensor) {
  size_t elements = 1;
  for (size_t d = 0; d < tensor->rank; d++)
    elements *= (size_t)tensor->shape[d];
  return elements;
}

static size_t bytes_of(const struct model_tensor *tensor) {
  return (elements_of(tensor) * bits_of(tensor->type) + 7) / 8;
}

/* What the tensor takes in TensorFlow Lite Micro, where elements of four bits take a byte. */
static size_t room_of(const struct model_tensor *tensor) {
  size_t bits = bits_of(tensor->type), size = elements_of(tensor) * (bits < 8 ? 8 : bits) / 8;
  return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t constants_of(const struct model *model) {
  size_t count = 0;
  for (size_t t = 0; t < model->tensor_count; t++)
    count += model->tensors[t].is_constant;
  return count;
}

/* ---------------------------------------------------------------- the subgraph */

static void put_numbers(struct flatten *out, size_t at, const int32_t *list) {
  size_t count = length_of(list), elements = flatten_vector(out, at, count, 4, 4);
  for (size_t i = 0; i < count; i++)
    flatten_put(out, elements + 4 * i, (uint32_t)list[i], 4);
}

/* A single scale, a power of two, as the bits of a float; the zero point is 0. */
static void put_quantization(struct flatten *out, size_t at, int fraction) {
  struct flatten_table table = flatten_table(out, "0044");
  flatten_lead(out, at, table.at);
  size_t scale = flatten_vector(out, table.field[2], 1, 4, 4);
  flatten_put(out, scale, (uint64_t)(127 - fraction) << 23, 4);
  flatten_vector(out, table.field[3], 1, 8, 8);
}

/* Shape, type, buffer, name, quantization, whether it is variable. */
static void put_tensor(struct flatten *out, size_t at, const struct model_tensor *tensor,
                       size_t buffer) {
  struct flatten_table table = flatten_table(out, tensor->fraction ? "414441" : "414401");
  flatten_lead(out, at, table.at);
  size_t shape = flatten_vector(out, table.field[0], tensor->rank, 4, 4);
  for (size_t d = 0; d < tensor->rank; d++)
    flatten_put(out, shape + 4 * d, (uint32_t)tensor->shape[d], 4);
  flatten_put(out, table.field[1], tensor->type, 1);
  flatten_put(out, table.field[2], buffer, 4);
  flatten_text(out, table.field[3], tensor->name);
  if (tensor->fraction) put_quantization(out, table.field[4], tensor->fraction);
  flatten_put(out, table.field[5], tensor->is_variable, 1);
}

static void put_tensors(struct flatten *out, size_t at, const struct model *model) {
  size_t list = flatten_vector(out, at, model->tensor_count, 4, 4), buffer = 0;
  for (size_t t = 0; t < model->tensor_count; t++) {
    const struct model_tensor *tensor = &model->tensors[t];
    put_tensor(out, list + 4 * t, tensor, tensor->is_constant ? ++buffer : 0);
  }
}

static void put_stride(struct flatten *out, const struct flatten_table *table,
                       const struct model_operator *node) {
  flatten_put(out, table->field[1], (uint32_t)node->stride_width, 4);
  flatten_put(out, table->field[2], (uint32_t)node->stride_height, 4);
}

/* Padding is SAME, the default. */
static void put_convolution(struct flatten *out, struct flatten_table *slots,
                            const struct model_operator *node) {
  bool is_depthwise = node->code == MODEL_DEPTHWISE_CONV_2D;
  struct flatten_table table = flatten_table(out, is_depthwise ? "0444" : "044");
  flatten_put(out, slots->field[3], is_depthwise ? 2 : 1, 1);
  flatten_lead(out, slots->field[4], table.at);
  put_stride(out, &table, node);
  if (is_depthwise) flatten_put(out, table.field[3], 1, 4); /* outputs per channel */
}

/* Padding is VALID. */
static void put_pool(struct flatten *out, struct flatten_table *slots,
                     const struct model_operator *node) {
  struct flatten_table table = flatten_table(out, "14444");
  flatten_put(out, slots->field[3], 5, 1);
  flatten_lead(out, slots->field[4], table.at);
  flatten_put(out, table.field[0], 1, 1);
  put_stride(out, &table, node);
  flatten_put(out, table.field[3], (uint32_t)node->window_width, 4);
  flatten_put(out, table.field[4], (uint32_t)node->window_height, 4);
}

/* The code of operator k is entry k; operators do not share entries. */
static void put_operators(struct flatten *out, size_t at, const struct model *model) {
  size_t list = flatten_vector(out, at, model->operator_count, 4, 4);
  for (size_t k = 0; k < model->operator_count; k++) {
    const struct model_operator *node = &model->operators[k];
    bool has_options = node->stride_height > 0;
    struct flatten_table table = flatten_table(out, has_options ? "44414" : "444");
    flatten_lead(out, list + 4 * k, table.at);
    flatten_put(out, table.field[0], k, 4);
    put_numbers(out, table.field[1], node->inputs);
    put_numbers(out, table.field[2], node->outputs);
    if (has_options) (node->window_height > 0 ? put_pool : put_convolution)(out, &table, node);
  }
}

static void put_subgraph(struct flatten *out, size_t at, const struct model *model) {
  size_t list = flatten_vector(out, at, 1, 4, 4);
  struct flatten_table table = flatten_table(out, "44444");
  flatten_lead(out, list, table.at);
  put_tensors(out, table.field[0], model);
  put_numbers(out, table.field[1], model->inputs);
  put_numbers(out, table.field[2], model->outputs);
  put_operators(out, table.field[3], model);
  flatten_text(out, table.field[4], "main");
}

/* A code above 127 does not fit the older of the two fields, which then says 127. */
static void put_codes(struct flatten *out, size_t at, const struct model *model) {
  size_t list = flatten_vector(out, at, model->operator_count, 4, 4);
  for (size_t k = 0; k < model->operator_count; k++) {
    uint32_t code = model->operators[k].code;
    struct flatten_table table = flatten_table(out, "1044");
    flatten_lead(out, list + 4 * k, table.at);
    flatten_put(out, table.field[0], code < 127 ? code : 127, 1);
    flatten_put(out, table.field[2], 1, 4);
    flatten_put(out, table.field[3], code, 4);
  }
}

/* ---------------------------------------------------------------- data */

static size_t put_data(struct flatten *out, size_t at, size_t size) {
  struct flatten_table table = flatten_table(out, "4");
  flatten_lead(out, at, table.at);
  return flatten_vector(out, table.field[0], size, 1, ALIGNMENT);
}

/* Version, subgraphs and count, then an offset for each tensor, -1 if it is not planned. */
static void put_plan(struct flatten *out, size_t at, const struct model *model) {
  size_t data = put_data(out, at, 12 + 4 * model->tensor_count), end = 0;
  flatten_put(out, data, 1, 4);
  flatten_put(out, data + 4, 1, 4);
  flatten_put(out, data + 8, model->tensor_count, 4);
  for (size_t t = 0; t < model->tensor_count; t++) {
    const struct model_tensor *tensor = &model->tensors[t];
    bool planned = !tensor->is_constant && !tensor->is_variable;
    flatten_put(out, data + 12 + 4 * t, planned ? end : UINT32_MAX, 4);
    if (planned) end += room_of(tensor);
  }
}

static void put_version(struct flatten *out, size_t at) {
  static const char version[16] = "1.5.0";
  size_t data = put_data(out, at, sizeof version);
  if (!out->failed) memcpy(out->bytes + data, version, sizeof version);
}

static void put_buffers(struct flatten *out, size_t at, const struct model *model) {
  size_t constants = constants_of(model), buffer = 0;
  size_t list = flatten_vector(out, at, constants + 2 + model->is_planned, 4, 4);
  flatten_lead(out, list, flatten_table(out, "0").at);
  for (size_t t = 0; t < model->tensor_count; t++) {
    const struct model_tensor *tensor = &model->tensors[t];
    if (!tensor->is_constant) continue;
    size_t size = bytes_of(tensor), data = put_data(out, list + 4 * ++buffer, size);
    size_t width = tensor->type == MODEL_INT32 ? 4 : 1;
    for (size_t i = 0; i < size / width; i++)
      flatten_put(out, data + width * i, 37 * i + t, width);
  }
  put_version(out, list + 4 * (constants + 1));
  if (model->is_planned) put_plan(out, list + 4 * (constants + 2), model);
}

static void put_metadata(struct flatten *out, size_t at, const struct model *model) {
  static const char *const names[] = {"min_runtime_version", "OfflineMemoryAllocation"};
  size_t count = 1 + model->is_planned, list = flatten_vector(out, at, count, 4, 4);
  for (size_t m = 0; m < count; m++) {
    struct flatten_table table = flatten_table(out, "44");
    flatten_lead(out, list + 4 * m, table.at);
    flatten_text(out, table.field[0], names[m]);
    flatten_put(out, table.field[1], constants_of(model) + 1 + m, 4);
  }
}

unsigned char *model_make(const struct model *model, size_t *size) {
  struct flatten out = {0};
  size_t head = flatten_take(&out, 8, 8);
  struct flatten_table root = flatten_table(&out, "4444404");
  if (!out.failed) memcpy(out.bytes + head + 4, "TFL3", 4);
  flatten_lead(&out, head, root.at);
  flatten_put(&out, root.field[0], SCHEMA, 4);
  put_codes(&out, root.field[CODES], model);
  put_subgraph(&out, root.field[SUBGRAPHS], model);
  flatten_text(&out, root.field[DESCRIPTION], model->summary);
  put_buffers(&out, root.field[BUFFERS], model);
  put_metadata(&out, root.field[METADATA], model);
  *size = out.size;
  if (!out.failed) return out.bytes;
  free(out.bytes);
  return NULL;
}
