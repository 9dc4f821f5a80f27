/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of a model in bands: lists of tensors, operators and buffers, most of whose items lead into the old model.
 */
#include "models/tflite/split_parts.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "models/tflite/assumed.h"
#include "models/tflite/head.h"
#include "models/tflite/network.h"
#include "models/tflite/schema.h"
#include "models/tflite/write.h"

#define DIMS_MAX 6

/* The number of a tensor in the new model. */
static size_t number_of(const struct splitter *splitter, size_t tensor) {
  if (tensor < old_count(splitter) || tensor > INT32_MAX) return tensor;
  size_t made = tensor - old_count(splitter);
  return made < splitter->steps.vanished_count ? splitter->steps.vanished[made]
                                               : tensor - splitter->steps.vanished_count;
}

static size_t new_count(const struct splitter *splitter) {
  size_t made = splitter->tensor_count, freed = splitter->steps.vanished_count;
  return old_count(splitter) + (made > freed ? made - freed : 0);
}

/* The operators that splitting adds. */
static const uint64_t new_codes[] = {TFLITE_SLICE, TFLITE_CONCATENATION, TFLITE_PAD};
#define NEW_CODES (sizeof new_codes / sizeof *new_codes)

/* The tables that the head shares, once it has them. */
struct shared {
  size_t tensor_vtables[4], operator_vtables[2]; /* by the fields that are there */
  size_t axis;                                   /* the options of concatenations */
  size_t windows[2];                             /* those of convolutions, and depthwise ones */
  size_t codes[NEW_CODES];
  size_t buffers; /* in the list, of constants */
};

struct writing {
  const struct splitter *splitter;
  struct head *head;
  struct shared shared;
};

/* The fields of a table, in order, each with its width; 0: absent. */
static size_t write_vtable(struct head *head, const unsigned char *places, size_t count,
                           size_t size) {
  size_t at = head_take(head, 4 + 2 * count, 4);
  head_put(head, at, 4 + 2 * count, 2);
  head_put(head, at + 2, size, 2);
  for (size_t i = 0; i < count; i++)
    head_put(head, at + 4 + 2 * i, places[i], 2);
  return at;
}

static size_t write_table(struct head *head, size_t vtable, size_t size) {
  size_t at = head_take(head, size, 4);
  head_put(head, at, at - vtable, 4);
  return at;
}

static size_t write_numbers(struct head *head, const int32_t *numbers, size_t count) {
  size_t at = head_take(head, 4 + 4 * count, 4);
  head_put(head, at, count, 4);
  for (size_t i = 0; i < count; i++)
    head_put(head, at + 4 + 4 * i, (uint32_t)numbers[i], 4);
  return at;
}

/* Where a field of an old table leads; 0 if it is absent. */
static size_t old_target(const struct flat_table *table, size_t field) {
  size_t at, to;
  return flat_field(table, field, 4, &at) && at && flat_follow(table->file, at, &to) ? to : 0;
}

enum {
  TENSOR_SIZE = 24,
  TENSOR_SHAPE = 4,
  TENSOR_BUFFER = 8,
  TENSOR_NAME = 12,
  TENSOR_SCALE = 16,
  TENSOR_TYPE = 20
};

static size_t start_tensor(struct writing *writing, bool has_name, bool has_scale) {
  size_t *vtable = &writing->shared.tensor_vtables[2 * has_name + has_scale];
  const unsigned char places[] = {TENSOR_SHAPE, TENSOR_TYPE, TENSOR_BUFFER,
                                  has_name ? TENSOR_NAME : 0, has_scale ? TENSOR_SCALE : 0};
  if (!*vtable) *vtable = write_vtable(writing->head, places, sizeof places, TENSOR_SIZE);
  return write_table(writing->head, *vtable, TENSOR_SIZE);
}

static size_t write_constant(struct writing *writing, const struct made_tensor *tensor) {
  const int32_t shape[] = {(int32_t)(tensor->count / 2), 2};
  size_t at = start_tensor(writing, false, false);
  bool is_pair = tensor->count == NUMBERS_MAX;
  int32_t count = (int32_t)tensor->count;
  head_put(writing->head, at + TENSOR_TYPE, TFLITE_INT32, 1);
  head_put(writing->head, at + TENSOR_BUFFER, writing->shared.buffers++, 4);
  head_lead(writing->head, at + TENSOR_SHAPE,
            write_numbers(writing->head, is_pair ? shape : &count, is_pair ? 2 : 1));
  return at;
}

static bool old_tensor(const struct writing *writing, const struct made_tensor *tensor,
                       struct flat_table *old, struct flat_vector *dims) {
  return flat_element(&writing->splitter->model->subgraphs[0].tensors, tensor->like, old) &&
         flat_vector(old, TFLITE_TENSOR_SHAPE, 4, dims) && dims->count <= DIMS_MAX;
}

/* Part of a list of numbers, as it was. */
static size_t write_part(struct head *head, const struct flat_vector *list, size_t width,
                         const struct made_tensor *tensor) {
  const size_t count = (size_t)tensor->rows;
  size_t at = head_take(head, width, width) + width - 4; /* the numbers are aligned */
  head->used = at + 4 + width * count;
  head_put(head, at, count, 4);
  head_copy(head, at + 4, list->file->bytes + list->at + width * (size_t)tensor->first,
            width * count);
  return at;
}

/* The scales of a part of the weights, if each output has its own; 0: those of the whole do. */
static size_t write_scales(struct writing *writing, const struct made_tensor *tensor,
                           const struct flat_table *old) {
  enum { SIZE = 16, SCALES = 4, ZEROS = 8, DIMENSION = 12 };
  struct flat_table table;
  struct flat_vector scales, zeros;
  struct head *head = writing->head;
  bool found;
  if (!tensor->is_weights || !flat_child(old, TFLITE_TENSOR_QUANTIZATION, &table, &found) ||
      !found || !flat_vector(&table, TFLITE_QUANTIZATION_SCALE, 4, &scales) ||
      !flat_vector(&table, TFLITE_QUANTIZATION_ZERO_POINT, 8, &zeros) || scales.count <= 1)
    return 0;
  const unsigned char places[] = {0, 0, SCALES, zeros.count > 1 ? ZEROS : 0, 0, 0, DIMENSION};
  size_t at = write_table(head, write_vtable(head, places, sizeof places, SIZE), SIZE);
  head_put(head, at + DIMENSION, tensor->axis, 4);
  head_lead(head, at + SCALES, write_part(head, &scales, 4, tensor));
  if (zeros.count > 1) head_lead(head, at + ZEROS, write_part(head, &zeros, 8, tensor));
  else if (zeros.count == 1)
    head_lead_old(head, at + ZEROS, old_target(&table, TFLITE_QUANTIZATION_ZERO_POINT));
  return at;
}

/* Part of an old tensor. */
static size_t write_rows(struct writing *writing, const struct made_tensor *tensor) {
  struct head *head = writing->head;
  struct flat_table old;
  struct flat_vector dims;
  uint64_t type;
  int32_t shape[DIMS_MAX];
  if (!old_tensor(writing, tensor, &old, &dims) ||
      !flat_unsigned(&old, TFLITE_TENSOR_TYPE, 1, 0, &type))
    return 0; /* the network would not have rows */
  for (size_t d = 0; d < dims.count; d++)
    shape[d] = d == tensor->axis               ? (int32_t)tensor->rows
               : d == 2 && tensor->columns > 0 ? (int32_t)tensor->columns
                                               : flat_int32(&dims, d);
  size_t name = old_target(&old, TFLITE_TENSOR_NAME);
  size_t scale = old_target(&old, TFLITE_TENSOR_QUANTIZATION);
  size_t at = start_tensor(writing, name > 0, scale > 0);
  size_t own_scales = write_scales(writing, tensor, &old);
  head_put(head, at + TENSOR_TYPE, type, 1);
  if (name) head_lead_old(head, at + TENSOR_NAME, name);
  if (tensor->is_weights) head_put(head, at + TENSOR_BUFFER, writing->shared.buffers++, 4);
  if (own_scales) head_lead(head, at + TENSOR_SCALE, own_scales);
  else if (scale) head_lead_old(head, at + TENSOR_SCALE, scale);
  head_lead(head, at + TENSOR_SHAPE, write_numbers(head, shape, dims.count));
  return at;
}

static size_t write_tensors(struct writing *writing) {
  const struct splitter *splitter = writing->splitter;
  const struct flat_vector *old = &splitter->model->subgraphs[0].tensors;
  size_t list = head_list(writing->head, old, new_count(splitter));
  for (size_t t = 0; t < splitter->tensor_count; t++) {
    const struct made_tensor *tensor = &splitter->tensors[t];
    size_t at = tensor->like == TFLITE_NONE ? write_constant(writing, tensor)
                                            : write_rows(writing, tensor);
    size_t number = number_of(splitter, old_count(splitter) + t);
    head_lead(writing->head, list + 4 + 4 * number, at);
    for (size_t u = 0; splitter->is_used && splitter->unused == old_count(splitter) + t &&
                       u < old_count(splitter);
         u++)
      if (!splitter->is_used[u]) head_lead(writing->head, list + 4 + 4 * u, at);
  }
  return list;
}

enum {
  OPERATOR_SIZE = 24,
  OPERATOR_CODE = 4,
  OPERATOR_INPUTS = 8,
  OPERATOR_OUTPUTS = 12,
  OPERATOR_OPTIONS = 16,
  OPERATOR_TYPE = 20
};

static size_t start_operator(struct writing *writing, bool has_options) {
  size_t *vtable = &writing->shared.operator_vtables[has_options];
  const unsigned char places[] = {OPERATOR_CODE, OPERATOR_INPUTS, OPERATOR_OUTPUTS,
                                  has_options ? OPERATOR_TYPE : 0,
                                  has_options ? OPERATOR_OPTIONS : 0};
  if (!*vtable) *vtable = write_vtable(writing->head, places, sizeof places, OPERATOR_SIZE);
  return write_table(writing->head, *vtable, OPERATOR_SIZE);
}

static size_t write_links(struct writing *writing, const size_t *links, size_t count) {
  size_t at = head_take(writing->head, 4 + 4 * count, 4);
  head_put(writing->head, at, count, 4);
  for (size_t i = 0; i < count; i++)
    head_put(writing->head, at + 4 + 4 * i,
             (uint32_t)(int32_t)number_of(writing->splitter, links[i]), 4);
  return at;
}

/* The options of convolutions, and depthwise ones: where fields are in a new table, and their widths. */
static const struct window_layout {
  unsigned char places[TFLITE_WINDOW_FIELDS], widths[TFLITE_WINDOW_FIELDS];
  size_t size, dilation_w, dilation_h;
} window_layouts[] = {{{4, 8, 12, 5, 16, 20, 6},
                       {1, 4, 4, 1, 4, 4, 1},
                       24,
                       TFLITE_CONV_DILATION_W,
                       TFLITE_CONV_DILATION_H},
                      {{4, 8, 12, 16, 5, 20, 24},
                       {1, 4, 4, 4, 1, 4, 4},
                       28,
                       TFLITE_DEPTHWISE_DILATION_W,
                       TFLITE_DEPTHWISE_DILATION_H}};

/* A copy of the options of a convolution, but with VALID in the place of SAME. */
static size_t write_valid(struct writing *writing, const struct flat_table *table,
                          bool is_depthwise) {
  enum { VALID = 1 };
  const struct window_layout *layout = &window_layouts[is_depthwise];
  size_t *vtable = &writing->shared.windows[is_depthwise];
  struct flat_table old;
  bool found;
  if (!*vtable)
    *vtable = write_vtable(writing->head, layout->places, TFLITE_WINDOW_FIELDS, layout->size);
  size_t at = write_table(writing->head, *vtable, layout->size);
  for (size_t field = 1; flat_child(table, TFLITE_OPERATOR_OPTIONS, &old, &found) && found &&
                         field < TFLITE_WINDOW_FIELDS;
       field++) {
    uint64_t number, otherwise = field == layout->dilation_w || field == layout->dilation_h;
    if (flat_unsigned(&old, field, layout->widths[field], otherwise, &number))
      head_put(writing->head, at + layout->places[field], number, layout->widths[field]);
  }
  head_put(writing->head, at + layout->places[0], VALID, 1);
  return at;
}

/* An operator of a band has the code and options of the whole. */
static size_t write_banded(struct writing *writing, const struct made_operator *made) {
  struct flat_table old;
  uint64_t code, type;
  if (!flat_element(&writing->splitter->model->subgraphs[0].operators, made->like, &old) ||
      !flat_unsigned(&old, TFLITE_OPERATOR_OPCODE, 4, 0, &code) ||
      !flat_unsigned(&old, TFLITE_OPERATOR_OPTIONS_TYPE, 1, 0, &type))
    return 0;
  size_t options = type > 0 ? old_target(&old, TFLITE_OPERATOR_OPTIONS) : 0;
  size_t at = start_operator(writing, options > 0);
  head_put(writing->head, at + OPERATOR_CODE, code, 4);
  if (options) head_put(writing->head, at + OPERATOR_TYPE, type, 1);
  if (options && made->is_valid)
    head_lead(writing->head, at + OPERATOR_OPTIONS,
              write_valid(writing, &old, type == TFLITE_DEPTHWISE_OPTIONS));
  else if (options) head_lead_old(writing->head, at + OPERATOR_OPTIONS, options);
  return at;
}

/* The options of a concatenation come after the table that leads to them, so each has its own. */
static size_t write_new(struct writing *writing, const struct made_operator *made) {
  static const unsigned char places[] = {4};
  struct head *head = writing->head;
  bool is_concat = made->code == TFLITE_CONCATENATION;
  size_t code = 0;
  while (new_codes[code] != made->code)
    code++;
  if (is_concat && !writing->shared.axis)
    writing->shared.axis = write_vtable(head, places, 1, 8);
  size_t at = start_operator(writing, is_concat);
  head_put(head, at + OPERATOR_CODE, writing->shared.codes[code], 4);
  if (!is_concat) return at;
  size_t options = write_table(head, writing->shared.axis, 8);
  head_put(head, options + 4, made->axis, 4);
  head_put(head, at + OPERATOR_TYPE, TFLITE_CONCATENATION_OPTIONS, 1);
  head_lead(head, at + OPERATOR_OPTIONS, options);
  return at;
}

static size_t write_operators(struct writing *writing) {
  const struct splitter *splitter = writing->splitter;
  const struct flat_vector *old = &splitter->model->subgraphs[0].operators;
  struct head *head = writing->head;
  size_t to, list = head_take(head, 4 + 4 * splitter->operator_count, 4);
  head_put(head, list, splitter->operator_count, 4);
  for (size_t k = 0; k < splitter->operator_count; k++) {
    const struct made_operator *made = &splitter->operators[k];
    if (made->is_old) {
      if (flat_follow(old->file, old->at + 4 * made->like, &to))
        head_lead_old(head, list + 4 + 4 * k, to);
      continue;
    }
    size_t at =
        made->like == TFLITE_NONE ? write_new(writing, made) : write_banded(writing, made);
    head_lead(head, list + 4 + 4 * k, at);
    head_lead(head, at + OPERATOR_INPUTS,
              write_links(writing, splitter->links + made->links, made->link_count));
    head_lead(head, at + OPERATOR_OUTPUTS, write_links(writing, &made->output, 1));
  }
  return list;
}

/* Takes room for the data of a buffer, so that they are aligned; returns where their count is. */
static size_t take_data(struct head *head, size_t bytes) {
  size_t at = head_take(head, 12, TFLITE_ALIGNMENT) + 12;
  head->used = at + 4 + bytes;
  head_put(head, at, bytes, 4);
  return at;
}

static size_t write_weights(struct writing *writing, const struct made_tensor *tensor) {
  struct flat_table old, buffer;
  struct flat_vector dims, data;
  uint64_t type, number;
  if (!old_tensor(writing, tensor, &old, &dims) ||
      !flat_unsigned(&old, TFLITE_TENSOR_TYPE, 1, 0, &type) ||
      !flat_unsigned(&old, TFLITE_TENSOR_BUFFER, 4, 0, &number) ||
      !flat_element(&writing->splitter->model->buffers, (size_t)number, &buffer) ||
      !flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, &data))
    return 0; /* the network would not have cut them */
  size_t before = 1, bytes = tflite_element_bytes(type);
  for (size_t d = 0; d < dims.count; d++)
    if (d < tensor->axis) before *= (size_t)flat_int32(&dims, d);
    else if (d > tensor->axis) bytes *= (size_t)flat_int32(&dims, d);
  const size_t part = bytes * (size_t)tensor->rows;
  const size_t stride = bytes * (size_t)flat_int32(&dims, tensor->axis);
  const unsigned char *from = data.file->bytes + data.at + bytes * (size_t)tensor->first;
  size_t at = take_data(writing->head, before * part);
  for (size_t i = 0; i < before; i++)
    head_copy(writing->head, at + 4 + i * part, from + i * stride, part);
  return at;
}

static size_t write_constant_data(struct writing *writing, const struct made_tensor *tensor) {
  size_t at = take_data(writing->head, 4 * tensor->count);
  for (size_t i = 0; i < tensor->count; i++)
    head_put(writing->head, at + 4 + 4 * i, (uint32_t)tensor->numbers[i], 4);
  return at;
}

/* The list of buffers, with the data of constants, in the order in which tensors are written. */
static size_t write_buffers(struct writing *writing) {
  static const unsigned char places[] = {4};
  const struct splitter *splitter = writing->splitter;
  const struct flat_vector *old = &splitter->model->buffers;
  struct head *head = writing->head;
  size_t list = head_list(head, old, writing->shared.buffers), number = old->count;
  size_t vtable = write_vtable(head, places, 1, 8);
  for (size_t t = 0; t < splitter->tensor_count; t++) {
    const struct made_tensor *tensor = &splitter->tensors[t];
    if (tensor->like != TFLITE_NONE && !tensor->is_weights) continue;
    size_t table = write_table(head, vtable, 8);
    size_t written = tensor->is_weights ? write_weights(writing, tensor)
                                        : write_constant_data(writing, tensor);
    head_lead(head, table + 4, written);
    head_lead(head, list + 4 + 4 * number++, table);
  }
  return list;
}

/* ---------------------------------------------------------------- codes */

/* The number of an operator's code; that of the next new one if there is none. */
static size_t find_code(const struct tflite_model *model, uint64_t wanted, size_t *next) {
  for (size_t c = 0; c < model->opcodes.count; c++) {
    struct flat_table entry;
    uint64_t old, code;
    if (flat_element(&model->opcodes, c, &entry) &&
        flat_unsigned(&entry, TFLITE_OPCODE_OLD_CODE, 1, 0, &old) &&
        flat_unsigned(&entry, TFLITE_OPCODE_CODE, 4, 0, &code) &&
        (code > old ? code : old) == wanted)
      return c;
  }
  return (*next)++;
}

static void write_code(struct head *head, size_t list, size_t number, uint64_t code) {
  enum { SIZE = 16, CODE = 4, VERSION = 8, OLD_CODE = 12 };
  static const unsigned char places[] = {OLD_CODE, 0, VERSION, CODE};
  size_t at = write_table(head, write_vtable(head, places, sizeof places, SIZE), SIZE);
  head_put(head, at + CODE, code, 4);
  head_put(head, at + VERSION, 2, 4); /* the first with int8 */
  head_put(head, at + OLD_CODE, code, 1);
  head_lead(head, list + 4 + 4 * number, at);
}

/* Runtimes list the operators of a model, so it has no code that nothing uses, but for the first ones. */
static bool needs_code(const struct splitter *splitter, uint64_t code) {
  for (size_t k = 0; k < splitter->operator_count; k++)
    if (splitter->operators[k].like == TFLITE_NONE && splitter->operators[k].code == code)
      return true;
  return code != TFLITE_PAD;
}

static size_t write_codes(struct writing *writing) {
  const struct tflite_model *model = writing->splitter->model;
  const size_t old = model->opcodes.count;
  size_t *codes = writing->shared.codes, count = old;
  for (size_t i = 0; i < NEW_CODES; i++)
    if (needs_code(writing->splitter, new_codes[i]))
      codes[i] = find_code(model, new_codes[i], &count);
  size_t list = head_list(writing->head, &model->opcodes, count);
  for (size_t i = 0; i < NEW_CODES; i++)
    if (codes[i] >= old) write_code(writing->head, list, codes[i], new_codes[i]);
  return list;
}

/* ---------------------------------------------------------------- the whole */

static size_t write_subgraph(struct writing *writing, const struct ends *ends) {
  enum { SIZE = 24 };
  static const unsigned char places[] = {4, 8, 12, 16, 20};
  const struct flat_vector *fields[2];
  const struct tflite_subgraph *old = &writing->splitter->model->subgraphs[0];
  struct head *head = writing->head;
  struct flat_vector list;
  struct flat_table table;
  flat_vector(&writing->splitter->model->root, TFLITE_MODEL_SUBGRAPHS, 4, &list);
  size_t name = flat_element(&list, 0, &table) ? old_target(&table, TFLITE_SUBGRAPH_NAME) : 0;
  size_t at = write_table(head, write_vtable(head, places, name ? 5 : 4, SIZE), SIZE);
  fields[0] = &old->inputs;
  fields[1] = &old->outputs;
  for (size_t i = 0; i < 2; i++) {
    int32_t own = (int32_t)(i == 0 ? ends->input : ends->output);
    if (ends->are_old && fields[i]->at) head_lead_old(head, at + 8 + 4 * i, fields[i]->at - 4);
    else head_lead(head, at + 8 + 4 * i, write_numbers(head, &own, !ends->are_old && own >= 0));
  }
  if (name) head_lead_old(head, at + 20, name);
  head_lead(head, at + 4, write_tensors(writing));
  head_lead(head, at + 16, write_operators(writing));
  return at;
}

/* All metadata but the plan, which does not fit any more, and what it was made for. */
static size_t write_metadata(struct writing *writing) {
  struct flat_vector old;
  struct tflite_entry plan, assumed;
  const struct flat_table *root = &writing->splitter->model->root;
  flat_vector(root, TFLITE_MODEL_METADATA, 4, &old);
  tflite_entry_find(root, TFLITE_PLAN, &plan, NULL);
  tflite_entry_find(root, TFLITE_ASSUMED, &assumed, NULL);
  size_t dropped = (plan.index != TFLITE_NONE) + (size_t)(assumed.index != TFLITE_NONE);
  size_t count = old.count - dropped, at = 0;
  size_t list = head_take(writing->head, 4 + 4 * count, 4);
  head_put(writing->head, list, count, 4);
  for (size_t m = 0; m < old.count; m++) {
    size_t to;
    if (m == plan.index || m == assumed.index || !flat_follow(old.file, old.at + 4 * m, &to))
      continue;
    head_lead_old(writing->head, list + 4 + 4 * at++, to);
  }
  return list;
}

static void write_head(const struct splitter *splitter, const struct ends *ends,
                       struct head *head) {
  struct writing writing = {.splitter = splitter, .head = head};
  size_t at[HEAD_ROOT_FIELDS];
  writing.shared.buffers = splitter->model->buffers.count;
  head_root(head, &splitter->model->root,
            1u << TFLITE_MODEL_OPCODES | 1u << TFLITE_MODEL_SUBGRAPHS |
                1u << TFLITE_MODEL_BUFFERS | 1u << TFLITE_MODEL_METADATA,
            at);
  head_lead(head, at[TFLITE_MODEL_METADATA], write_metadata(&writing));
  head_lead(head, at[TFLITE_MODEL_OPCODES], write_codes(&writing));
  struct flat_vector subgraphs;
  flat_vector(&splitter->model->root, TFLITE_MODEL_SUBGRAPHS, 4, &subgraphs);
  size_t list = head_list(head, &subgraphs, splitter->subgraphs);
  head_lead(head, at[TFLITE_MODEL_SUBGRAPHS], list);
  head_lead(head, list + 4, write_subgraph(&writing, ends));
  head_lead(head, at[TFLITE_MODEL_BUFFERS], write_buffers(&writing));
}

/* The head is written twice: first to learn how long it is. */
neap_status tflite_split_write(const struct splitter *splitter, const struct ends *ends,
                               struct split_copy *split, neap_error *error) {
  const struct flat *file = &splitter->model->file;
  struct head head = {NULL, 0, 0};
  write_head(splitter, ends, &head);
  size_t size = (head.used + 63) / 64 * 64; /* the alignment of the old model's data */
  if (file->size > INT32_MAX - size)
    return error_set(error, NEAP_ERROR_FORMAT, "the model is too large for its own offsets");
  split->bytes = memory_array(size + file->size, 1);
  if (!split->bytes) return error_memory(error);
  head = (struct head){(unsigned char *)split->bytes, size, 0};
  write_head(splitter, ends, &head);
  memcpy(split->bytes + size, file->bytes, file->size);
  split->size = size + file->size;
  split->operators = splitter->operator_count;
  split->file_bytes = (neap_size)split->size;
  return tflite_model_move_data(splitter->model, (unsigned char *)split->bytes + size, size,
                                error);
}
