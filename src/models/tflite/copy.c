/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the head of a copy: lists of tensors and operators, and with bands, lists of buffers and
 * codes.  Most items of these lists lead into the old model.
 */
#include "models/tflite/rewrite.h"

#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "models/tflite/assumed.h"
#include "models/tflite/head.h"
#include "models/tflite/network.h"
#include "models/tflite/schema.h"

#define DIMS_MAX 6

/* The fields of tables that are offsets. */
#define BIT(field) (1u << (field))
#define TENSOR_OFFSETS                                                                    \
  (BIT(TFLITE_TENSOR_SHAPE) | BIT(TFLITE_TENSOR_NAME) | BIT(TFLITE_TENSOR_QUANTIZATION) | \
   BIT(TFLITE_TENSOR_SPARSITY) | BIT(TFLITE_TENSOR_SHAPE_SIGNATURE) |                     \
   BIT(TFLITE_TENSOR_VARIANTS))
#define OPERATOR_OFFSETS                                                                       \
  (BIT(TFLITE_OPERATOR_INPUTS) | BIT(TFLITE_OPERATOR_OUTPUTS) | BIT(TFLITE_OPERATOR_OPTIONS) | \
   BIT(TFLITE_OPERATOR_CUSTOM_OPTIONS) | BIT(TFLITE_OPERATOR_MUTATING) |                       \
   BIT(TFLITE_OPERATOR_INTERMEDIATES) | BIT(TFLITE_OPERATOR_OPTIONS_2))
#define SUBGRAPH_OFFSETS                                                                       \
  (BIT(TFLITE_SUBGRAPH_TENSORS) | BIT(TFLITE_SUBGRAPH_INPUTS) | BIT(TFLITE_SUBGRAPH_OUTPUTS) | \
   BIT(TFLITE_SUBGRAPH_OPERATORS) | BIT(TFLITE_SUBGRAPH_NAME))
#define FIELDS 32

/* The number of a tensor in the new model. */
static size_t number_of(const struct rewriter *rewriter, size_t tensor) {
  if (tensor < old_count(rewriter) || tensor > INT32_MAX) return tensor;
  size_t made = tensor - old_count(rewriter);
  return made < rewriter->steps.vanished_count ? rewriter->steps.vanished[made]
                                               : tensor - rewriter->steps.vanished_count;
}

static size_t new_count(const struct rewriter *rewriter) {
  size_t made = rewriter->tensor_count, freed = rewriter->steps.vanished_count;
  return old_count(rewriter) + (made > freed ? made - freed : 0);
}

/* The operators that bands add. */
static const struct {
  enum step_kind kind;
  uint64_t code;
} new_codes[] = {{STEP_SLICE, TFLITE_SLICE},
                 {STEP_CONCATENATION, TFLITE_CONCATENATION},
                 {STEP_PAD, TFLITE_PAD}};
#define NEW_CODES (sizeof new_codes / sizeof *new_codes)

/* Tables that several items of the head share, once written. */
struct shared {
  size_t tensor_vtables[4], operator_vtables[2]; /* by which fields are present */
  size_t axis;                                   /* the options of concatenations */
  size_t windows[2];                             /* options: convolutions, depthwise ones */
  size_t codes[NEW_CODES];
  size_t buffers; /* constants in the list of buffers */
};

struct writing {
  const struct rewriter *rewriter;
  struct head *head;
  struct shared shared;
  bool is_broken; /* the model is broken */
};

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
  if (!*vtable) *vtable = head_vtable(writing->head, places, sizeof places, TENSOR_SIZE);
  return head_fields(writing->head, *vtable, TENSOR_SIZE);
}

static size_t write_constant(struct writing *writing, const struct made_tensor *tensor) {
  const int32_t shape[] = {(int32_t)(tensor->count / 2), 2};
  size_t at = start_tensor(writing, false, false);
  bool is_pair = tensor->count == NUMBERS_MAX;
  int32_t count = (int32_t)tensor->count;
  head_put(writing->head, at + TENSOR_TYPE, TFLITE_INT32, 1);
  head_put(writing->head, at + TENSOR_BUFFER, writing->shared.buffers++, 4);
  head_lead(writing->head, at + TENSOR_SHAPE,
            head_numbers(writing->head, is_pair ? shape : &count, is_pair ? 2 : 1));
  return at;
}

static bool old_tensor(const struct writing *writing, const struct made_tensor *tensor,
                       struct flat_table *old, struct flat_vector *dims) {
  return flat_element(&writing->rewriter->model->subgraphs[0].tensors, tensor->like, old) &&
         flat_vector(old, TFLITE_TENSOR_SHAPE, 4, dims) && dims->count <= DIMS_MAX;
}

/* Copies part of a list of numbers. */
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

/* Writes the scales of part of the weights, one per output; 0: the scales of the whole do. */
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
  size_t at = head_fields(head, head_vtable(head, places, sizeof places, SIZE), SIZE);
  head_put(head, at + DIMENSION, tensor->axis, 4);
  head_lead(head, at + SCALES, write_part(head, &scales, 4, tensor));
  if (zeros.count > 1) head_lead(head, at + ZEROS, write_part(head, &zeros, 8, tensor));
  else if (zeros.count == 1)
    head_lead_old(head, at + ZEROS, old_target(&table, TFLITE_QUANTIZATION_ZERO_POINT));
  return at;
}

/* Writes a tensor that is part of an old one. */
static size_t write_rows(struct writing *writing, const struct made_tensor *tensor) {
  struct head *head = writing->head;
  struct flat_table old;
  struct flat_vector dims;
  uint64_t type;
  int32_t shape[DIMS_MAX];
  if (!old_tensor(writing, tensor, &old, &dims) ||
      !flat_unsigned(&old, TFLITE_TENSOR_TYPE, 1, 0, &type))
    return 0; /* then the network would have no rows */
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
  head_lead(head, at + TENSOR_SHAPE, head_numbers(head, shape, dims.count));
  return at;
}

/* Writes an old tensor with another name. */
static size_t write_renamed(struct writing *writing, const struct made_tensor *tensor) {
  struct flat_table old;
  size_t at[FIELDS] = {0}, table = 0;
  struct head *head = writing->head;
  if (flat_element(&writing->rewriter->model->subgraphs[0].tensors, tensor->like, &old))
    table = head_table(head, &old, TENSOR_OFFSETS, BIT(TFLITE_TENSOR_NAME), at);
  if (!table || !at[TFLITE_TENSOR_NAME]) writing->is_broken = true;
  else head_lead(head, at[TFLITE_TENSOR_NAME], head_text(head, tensor->name));
  return table;
}

static size_t write_tensor(struct writing *writing, const struct made_tensor *tensor) {
  if (tensor->like == TFLITE_NONE) return write_constant(writing, tensor);
  return tensor->name ? write_renamed(writing, tensor) : write_rows(writing, tensor);
}

static size_t write_tensors(struct writing *writing) {
  const struct rewriter *rewriter = writing->rewriter;
  const struct flat_vector *old = &rewriter->model->subgraphs[0].tensors;
  size_t list = head_list(writing->head, old, new_count(rewriter));
  for (size_t t = 0; t < rewriter->tensor_count; t++) {
    const struct made_tensor *tensor = &rewriter->tensors[t];
    size_t at = write_tensor(writing, tensor);
    size_t number = number_of(rewriter, old_count(rewriter) + t);
    head_lead(writing->head, list + 4 + 4 * number, at);
    for (size_t u = 0; rewriter->is_used && rewriter->unused == old_count(rewriter) + t &&
                       u < old_count(rewriter);
         u++)
      if (!rewriter->is_used[u]) head_lead(writing->head, list + 4 + 4 * u, at);
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
  if (!*vtable) *vtable = head_vtable(writing->head, places, sizeof places, OPERATOR_SIZE);
  return head_fields(writing->head, *vtable, OPERATOR_SIZE);
}

static size_t write_links(struct writing *writing, const size_t *links, size_t count) {
  size_t at = head_take(writing->head, 4 + 4 * count, 4);
  head_put(writing->head, at, count, 4);
  for (size_t i = 0; i < count; i++)
    head_put(writing->head, at + 4 + 4 * i,
             (uint32_t)(int32_t)number_of(writing->rewriter, links[i]), 4);
  return at;
}

/* Options of convolutions, and depthwise ones: the places and widths of fields in a new table. */
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

/* Copies the options of a convolution, with VALID instead of SAME. */
static size_t write_valid(struct writing *writing, const struct flat_table *table,
                          bool is_depthwise) {
  enum { VALID = 1 };
  const struct window_layout *layout = &window_layouts[is_depthwise];
  size_t *vtable = &writing->shared.windows[is_depthwise];
  struct flat_table old;
  bool found;
  if (!*vtable)
    *vtable = head_vtable(writing->head, layout->places, TFLITE_WINDOW_FIELDS, layout->size);
  size_t at = head_fields(writing->head, *vtable, layout->size);
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

/* Writes an operator of a band, which has the code and options of the whole. */
static size_t write_banded(struct writing *writing, const struct step *made) {
  struct flat_table old;
  uint64_t code, type;
  if (!flat_element(&writing->rewriter->model->subgraphs[0].operators, made->like, &old) ||
      !flat_unsigned(&old, TFLITE_OPERATOR_OPCODE, 4, 0, &code) ||
      !flat_unsigned(&old, TFLITE_OPERATOR_OPTIONS_TYPE, 1, 0, &type))
    return 0;
  size_t options = type > 0 ? old_target(&old, TFLITE_OPERATOR_OPTIONS) : 0;
  size_t at = start_operator(writing, options > 0);
  head_put(writing->head, at + OPERATOR_CODE, code, 4);
  if (options) head_put(writing->head, at + OPERATOR_TYPE, type, 1);
  if (options && made->rows.is_padded)
    head_lead(writing->head, at + OPERATOR_OPTIONS,
              write_valid(writing, &old, type == TFLITE_DEPTHWISE_OPTIONS));
  else if (options) head_lead_old(writing->head, at + OPERATOR_OPTIONS, options);
  return at;
}

/* The dimension along which a step cuts or concatenates. */
static size_t cut_of(const struct rewriter *rewriter, const struct step *made) {
  const size_t old = old_count(rewriter);
  const size_t whole =
      made->output < old ? made->output : rewriter->tensors[made->output - old].like;
  return tflite_dimension(rewriter->model, whole, made->axis);
}

/* Each concatenation has its own options, as these must come after the table that leads to them. */
static size_t write_new(struct writing *writing, const struct step *made) {
  static const unsigned char places[] = {4};
  struct head *head = writing->head;
  bool is_concat = made->kind == STEP_CONCATENATION;
  size_t code = 0;
  while (new_codes[code].kind != made->kind)
    code++;
  if (is_concat && !writing->shared.axis)
    writing->shared.axis = head_vtable(head, places, 1, 8);
  size_t at = start_operator(writing, is_concat);
  head_put(head, at + OPERATOR_CODE, writing->shared.codes[code], 4);
  if (!is_concat) return at;
  size_t options = head_fields(head, writing->shared.axis, 8);
  head_put(head, options + 4, cut_of(writing->rewriter, made), 4);
  head_put(head, at + OPERATOR_TYPE, TFLITE_CONCATENATION_OPTIONS, 1);
  head_lead(head, at + OPERATOR_OPTIONS, options);
  return at;
}

/* Where an operator is in the head, and where its fields for inputs and outputs are; 0: absent. */
struct places {
  size_t table, inputs, outputs;
};

/* Custom options after the tables move with the old model. */
static void move_options(struct head *head, const struct flat_table *old, size_t table) {
  uint64_t position;
  size_t at;
  if (flat_field(old, TFLITE_OPERATOR_LARGE_OPTIONS, 8, &at) && at > 0 &&
      flat_unsigned(old, TFLITE_OPERATOR_LARGE_OPTIONS, 8, 0, &position) && position > 1)
    head_put(head, table + (at - old->at), position + head->size, 8);
}

static struct places write_again(struct writing *writing, const struct step *made) {
  const unsigned changed = BIT(TFLITE_OPERATOR_INPUTS) | BIT(TFLITE_OPERATOR_OUTPUTS);
  struct flat_table old;
  size_t at[FIELDS] = {0}, table = 0;
  if (flat_element(&writing->rewriter->model->subgraphs[0].operators, made->like, &old))
    table = head_table(writing->head, &old, OPERATOR_OFFSETS, changed, at);
  if (table) move_options(writing->head, &old, table);
  if (!table || !at[TFLITE_OPERATOR_OUTPUTS]) writing->is_broken = true;
  return (struct places){table, at[TFLITE_OPERATOR_INPUTS], at[TFLITE_OPERATOR_OUTPUTS]};
}

static struct places write_operator(struct writing *writing, const struct step *made) {
  if (made->kind == STEP_AGAIN) return write_again(writing, made);
  size_t at =
      made->kind == STEP_BANDED ? write_banded(writing, made) : write_new(writing, made);
  return (struct places){at, at + OPERATOR_INPUTS, at + OPERATOR_OUTPUTS};
}

/* Writes an operator of the copy, and then the lists of its tensors; returns where it is. */
static size_t write_changed(struct writing *writing, const struct step *made) {
  const size_t *links = writing->rewriter->made.links + made->links;
  const bool is_again = made->kind == STEP_AGAIN;
  const size_t outputs = is_again ? made->output_count : 1;
  const size_t inputs = made->link_count - made->output_count;
  const struct places at = write_operator(writing, made);
  struct head *head = writing->head;
  if (at.inputs) head_lead(head, at.inputs, write_links(writing, links, inputs));
  if (at.outputs)
    head_lead(head, at.outputs,
              write_links(writing, is_again ? links + inputs : &made->output, outputs));
  return at.table;
}

static size_t write_operators(struct writing *writing) {
  const struct rewriter *rewriter = writing->rewriter;
  const struct flat_vector *old = &rewriter->model->subgraphs[0].operators;
  struct head *head = writing->head;
  size_t to, list = head_take(head, 4 + 4 * rewriter->made.count, 4);
  head_put(head, list, rewriter->made.count, 4);
  for (size_t k = 0; k < rewriter->made.count; k++) {
    const struct step *made = &rewriter->made.items[k];
    const size_t at = list + 4 + 4 * k;
    if (made->kind != STEP_OLD) head_lead(head, at, write_changed(writing, made));
    else if (flat_follow(old->file, old->at + 4 * made->like, &to)) head_lead_old(head, at, to);
  }
  return list;
}

static size_t write_weights(struct writing *writing, const struct made_tensor *tensor) {
  struct flat_table old, buffer;
  struct flat_vector dims, data;
  uint64_t type, number;
  if (!old_tensor(writing, tensor, &old, &dims) ||
      !flat_unsigned(&old, TFLITE_TENSOR_TYPE, 1, 0, &type) ||
      !flat_unsigned(&old, TFLITE_TENSOR_BUFFER, 4, 0, &number) ||
      !flat_element(&writing->rewriter->model->buffers, (size_t)number, &buffer) ||
      !flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, &data))
    return 0; /* then the network would not have cut the weights */
  size_t before = 1, bytes = tflite_element_bytes(type);
  for (size_t d = 0; d < dims.count; d++)
    if (d < tensor->axis) before *= (size_t)flat_int32(&dims, d);
    else if (d > tensor->axis) bytes *= (size_t)flat_int32(&dims, d);
  const size_t part = bytes * (size_t)tensor->rows;
  const size_t stride = bytes * (size_t)flat_int32(&dims, tensor->axis);
  const unsigned char *from = data.file->bytes + data.at + bytes * (size_t)tensor->first;
  size_t at = head_data(writing->head, before * part);
  for (size_t i = 0; i < before; i++)
    head_copy(writing->head, at + 4 + i * part, from + i * stride, part);
  return at;
}

static size_t write_constant_data(struct writing *writing, const struct made_tensor *tensor) {
  size_t at = head_data(writing->head, 4 * tensor->count);
  for (size_t i = 0; i < tensor->count; i++)
    head_put(writing->head, at + 4 + 4 * i, (uint32_t)tensor->numbers[i], 4);
  return at;
}

/* Writes the list of buffers; the data of constants follow the order of the tensors. */
static size_t write_buffers(struct writing *writing) {
  static const unsigned char places[] = {4};
  const struct rewriter *rewriter = writing->rewriter;
  const struct flat_vector *old = &rewriter->model->buffers;
  struct head *head = writing->head;
  size_t list = head_list(head, old, writing->shared.buffers), number = old->count;
  size_t vtable = head_vtable(head, places, 1, 8);
  for (size_t t = 0; t < rewriter->tensor_count; t++) {
    const struct made_tensor *tensor = &rewriter->tensors[t];
    if (tensor->like != TFLITE_NONE && !tensor->is_weights) continue;
    size_t table = head_fields(head, vtable, 8);
    size_t written = tensor->is_weights ? write_weights(writing, tensor)
                                        : write_constant_data(writing, tensor);
    head_lead(head, table + 4, written);
    head_lead(head, list + 4 + 4 * number++, table);
  }
  return list;
}

/* ---------------------------------------------------------------- codes */

/* The number of an operator code in the model; if absent, that of the next new code. */
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
  size_t at = head_fields(head, head_vtable(head, places, sizeof places, SIZE), SIZE);
  head_put(head, at + CODE, code, 4);
  head_put(head, at + VERSION, 2, 4); /* the first version with int8 */
  head_put(head, at + OLD_CODE, code, 1);
  head_lead(head, list + 4 + 4 * number, at);
}

/* Whether a copy needs the code of such steps: PAD only if used, as runtimes list all codes. */
static bool needs_code(const struct rewriter *rewriter, enum step_kind kind) {
  for (size_t k = 0; k < rewriter->made.count; k++)
    if (rewriter->made.items[k].kind == kind) return true;
  return kind != STEP_PAD;
}

static size_t write_codes(struct writing *writing) {
  const struct tflite_model *model = writing->rewriter->model;
  const size_t old = model->opcodes.count;
  size_t *codes = writing->shared.codes, count = old;
  for (size_t i = 0; i < NEW_CODES; i++)
    if (needs_code(writing->rewriter, new_codes[i].kind))
      codes[i] = find_code(model, new_codes[i].code, &count);
  size_t list = head_list(writing->head, &model->opcodes, count);
  for (size_t i = 0; i < NEW_CODES; i++)
    if (codes[i] >= old) write_code(writing->head, list, codes[i], new_codes[i].code);
  return list;
}

/* ---------------------------------------------------------------- the whole */

/* Points the lists of inputs and outputs to the ends of the bands. */
static void write_ends(struct writing *writing, size_t inputs) {
  const struct ends *ends = &writing->rewriter->ends;
  const struct tflite_subgraph *old = &writing->rewriter->model->subgraphs[0];
  struct head *head = writing->head;
  for (size_t i = 0; i < 2; i++) {
    const size_t at = (i == 0 ? &old->inputs : &old->outputs)->at;
    int32_t own = (int32_t)(i == 0 ? ends->input : ends->output);
    if (ends->are_old && at) head_lead_old(head, inputs + 4 * i, at - 4);
    else head_lead(head, inputs + 4 * i, head_numbers(head, &own, !ends->are_old && own >= 0));
  }
}

/* Writes the table of a subgraph in bands; sets at[] for its lists of tensors and operators. */
static size_t start_subgraph(struct writing *writing, const struct flat_table *old,
                             size_t at[FIELDS]) {
  enum { SIZE = 24, TENSORS = 4, INPUTS = 8, OPERATORS = 16, NAME = 20 };
  static const unsigned char places[] = {TENSORS, INPUTS, INPUTS + 4, OPERATORS, NAME};
  size_t name = old_target(old, TFLITE_SUBGRAPH_NAME);
  size_t table =
      head_fields(writing->head, head_vtable(writing->head, places, name ? 5 : 4, SIZE), SIZE);
  write_ends(writing, table + INPUTS);
  if (name) head_lead_old(writing->head, table + NAME, name);
  at[TFLITE_SUBGRAPH_TENSORS] = table + TENSORS;
  at[TFLITE_SUBGRAPH_OPERATORS] = table + OPERATORS;
  return table;
}

static size_t write_subgraph(struct writing *writing, const struct flat_table *old) {
  const unsigned changed = BIT(TFLITE_SUBGRAPH_TENSORS) | BIT(TFLITE_SUBGRAPH_OPERATORS);
  size_t at[FIELDS] = {0};
  size_t table = writing->rewriter->network
                     ? start_subgraph(writing, old, at)
                     : head_table(writing->head, old, SUBGRAPH_OFFSETS, changed, at);
  if (!table || !at[TFLITE_SUBGRAPH_TENSORS] || !at[TFLITE_SUBGRAPH_OPERATORS]) {
    writing->is_broken = true;
    return 0;
  }
  head_lead(writing->head, at[TFLITE_SUBGRAPH_TENSORS], write_tensors(writing));
  head_lead(writing->head, at[TFLITE_SUBGRAPH_OPERATORS], write_operators(writing));
  return table;
}

/* Copies all metadata except the plan, which no longer fits, and the entry on its kernels. */
static size_t write_metadata(struct writing *writing) {
  struct flat_vector old;
  struct tflite_entry plan, assumed;
  const struct flat_table *root = &writing->rewriter->model->root;
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

static void write_subgraphs(struct writing *writing, size_t at) {
  struct flat_vector subgraphs;
  struct flat_table old;
  if (!flat_vector(&writing->rewriter->model->root, TFLITE_MODEL_SUBGRAPHS, 4, &subgraphs) ||
      !flat_element(&subgraphs, 0, &old)) {
    writing->is_broken = true;
    return;
  }
  size_t list = head_list(writing->head, &subgraphs, writing->rewriter->subgraphs);
  head_lead(writing->head, at, list);
  head_lead(writing->head, list + 4, write_subgraph(writing, &old));
}

/* Writes the head: bands need codes and buffers of their own, and lose the old plan. */
static bool write_head(const struct rewriter *rewriter, struct head *head) {
  struct writing writing = {.rewriter = rewriter,
                            .head = head,
                            .shared.buffers = rewriter->model->buffers.count,
                            .is_broken = rewriter->is_broken};
  const bool has_bands = rewriter->network != NULL;
  const unsigned changed =
      BIT(TFLITE_MODEL_OPCODES) | BIT(TFLITE_MODEL_BUFFERS) | BIT(TFLITE_MODEL_METADATA);
  size_t at[HEAD_ROOT_FIELDS];
  head_root(head, &rewriter->model->root,
            BIT(TFLITE_MODEL_SUBGRAPHS) | (has_bands ? changed : 0), at);
  if (has_bands) {
    head_lead(head, at[TFLITE_MODEL_METADATA], write_metadata(&writing));
    head_lead(head, at[TFLITE_MODEL_OPCODES], write_codes(&writing));
  }
  write_subgraphs(&writing, at[TFLITE_MODEL_SUBGRAPHS]);
  if (has_bands) head_lead(head, at[TFLITE_MODEL_BUFFERS], write_buffers(&writing));
  return !writing.is_broken;
}

/* The head is written twice: first to learn how long it is. */
neap_status tflite_rewriter_write(const struct rewriter *rewriter, char **bytes, size_t *size,
                                  neap_error *error) {
  const struct flat *file = &rewriter->model->file;
  struct head head = {NULL, 0, 0};
  if (!write_head(rewriter, &head))
    return error_set(error, NEAP_ERROR_FORMAT,
                     "the model has tensors without names or broken tables, so its operators "
                     "cannot be repeated");
  head.size = (head.used + 63) / 64 * 64; /* the alignment of the old model's data */
  if (file->size > INT32_MAX - head.size)
    return error_set(error, NEAP_ERROR_FORMAT, "the model is too large for its own offsets");
  head.bytes = memory_array(head.size + file->size, 1);
  if (!head.bytes) return error_memory(error);
  *bytes = (char *)head.bytes;
  *size = head.size + file->size;
  write_head(rewriter, &head);
  memcpy(head.bytes + head.size, file->bytes, file->size);
  return tflite_model_move_data(rewriter->model, head.bytes + head.size, head.size, error);
}
