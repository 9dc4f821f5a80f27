/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each operator of a band has the options and weights of the whole, and its tensors have the names
 * and the quantisation, all of which stay where they are in the old model.  Only the weights of groups of
 * channels are copied.  Tensors that the bands replace leave their numbers to new ones.
 */
#include "formats/tflite/split.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "formats/tflite/head.h"
#include "formats/tflite/kernels.h"
#include "formats/tflite/network.h"
#include "formats/tflite/schema.h"
#include "formats/tflite/tflite.h"
#include "formats/tflite/write.h"

#define NUMBERS_MAX 8 /* of a constant */
#define DIMS_MAX 6

/* A new tensor: rows or channels of an old one, some of its weights, or a constant. */
struct made_tensor {
  size_t like; /* TFLITE_NONE: a constant */
  size_t axis;
  int64_t rows, first; /* of weights, those from `first` on */
  int64_t columns;     /* 0: as many as the old one has */
  bool is_weights;
  int32_t numbers[NUMBERS_MAX];
  size_t count;
};

/* A new operator.  Tensors from `old_count` on are new. */
struct made_operator {
  size_t like; /* TFLITE_NONE: a new one */
  uint64_t code;
  size_t axis; /* of a concatenation */
  size_t links, link_count, output;
  bool is_old; /* the old one as it is */
  bool is_valid; /* with VALID in the place of SAME */
};

struct splitter {
  const struct tflite_model *model;
  const struct split_network *network;
  struct split_rewriting steps;
  size_t *tensor_of; /* for each new tensor of the steps */
  struct made_tensor *tensors;
  struct made_operator *operators;
  size_t *links;
  size_t tensor_count, operator_count, link_count;
  size_t tensor_capacity, operator_capacity, link_capacity;
  /* Only in a copy that is to be measured, for which the runtime would allocate unused tensors. */
  bool *is_used;
  size_t unused; /* the constant that takes their place */
  bool is_short; /* of memory */
};

static size_t old_count(const struct splitter *splitter) {
  return splitter->network->tensor_count;
}

/* ---------------------------------------------------------------- making */

static size_t add_tensor(struct splitter *splitter, const struct made_tensor *tensor) {
  if (!memory_reserve(&splitter->tensors, &splitter->tensor_capacity,
                      splitter->tensor_count + 1, sizeof *tensor)) {
    splitter->is_short = true;
    return 0;
  }
  splitter->tensors[splitter->tensor_count] = *tensor;
  return old_count(splitter) + splitter->tensor_count++;
}

static size_t add_constant(struct splitter *splitter, const int32_t *numbers, size_t count) {
  struct made_tensor constant = {.like = TFLITE_NONE, .count = count};
  memcpy(constant.numbers, numbers, count * sizeof *numbers);
  for (size_t t = 0; t < splitter->tensor_count; t++)
    if (splitter->tensors[t].like == TFLITE_NONE && splitter->tensors[t].count == count &&
        memcmp(splitter->tensors[t].numbers, numbers, count * sizeof *numbers) == 0)
      return old_count(splitter) + t;
  return add_tensor(splitter, &constant);
}

/* Adds a part of the weights, unless it is there. */
static size_t add_weights(struct splitter *splitter, const struct made_tensor *wanted) {
  for (size_t t = 0; t < splitter->tensor_count; t++) {
    const struct made_tensor *tensor = &splitter->tensors[t];
    if (tensor->is_weights && tensor->like == wanted->like && tensor->first == wanted->first &&
        tensor->rows == wanted->rows)
      return old_count(splitter) + t;
  }
  return add_tensor(splitter, wanted);
}

/* Adds an operator without inputs. */
static struct made_operator *add_operator(struct splitter *splitter, size_t like,
                                          uint64_t code) {
  if (!memory_reserve(&splitter->operators, &splitter->operator_capacity,
                      splitter->operator_count + 1, sizeof *splitter->operators)) {
    splitter->is_short = true;
    return NULL;
  }
  struct made_operator *made = &splitter->operators[splitter->operator_count++];
  *made = (struct made_operator){.like = like, .code = code, .links = splitter->link_count};
  return made;
}

/* Adds an input of the last operator. */
static void add_link(struct splitter *splitter, size_t tensor) {
  if (splitter->is_short ||
      !memory_reserve(&splitter->links, &splitter->link_capacity, splitter->link_count + 1,
                      sizeof *splitter->links)) {
    splitter->is_short = true;
    return;
  }
  splitter->links[splitter->link_count++] = tensor;
  splitter->operators[splitter->operator_count - 1].link_count++;
}

static void set_output(struct splitter *splitter, size_t tensor) {
  if (!splitter->is_short) splitter->operators[splitter->operator_count - 1].output = tensor;
}

/* ---------------------------------------------------------------- steps */

static size_t rank_of(const struct splitter *splitter, size_t tensor) {
  struct flat_table table;
  struct flat_vector dims;
  return flat_element(&splitter->model->subgraphs[0].tensors, tensor, &table) &&
                 flat_vector(&table, TFLITE_TENSOR_SHAPE, 4, &dims)
             ? dims.count
             : 0;
}

/* The dimension along which a tensor of the network is cut. */
static size_t dimension_of(const struct splitter *splitter, size_t tensor,
                           enum split_axis axis) {
  return axis == SPLIT_ROWS ? 1 : rank_of(splitter, tensor) - 1;
}

/* The tensor of the network of which a step takes or makes a part. */
static size_t whole_of(const struct splitter *splitter, size_t tensor) {
  return tensor < old_count(splitter)
             ? tensor
             : splitter->steps.tensors[tensor - old_count(splitter)].like;
}

/* The tensor of a step; new ones are numbered as they come. */
static size_t take_tensor(struct splitter *splitter, size_t tensor) {
  if (tensor < old_count(splitter)) return tensor;
  const size_t made = tensor - old_count(splitter);
  const struct split_new_tensor *rows = &splitter->steps.tensors[made];
  if (splitter->tensor_of[made] == 0)
    splitter->tensor_of[made] = add_tensor(
        splitter,
        &(struct made_tensor){.like = rows->like,
                              .rows = rows->rows,
                              .axis = dimension_of(splitter, rows->like, rows->axis)});
  return splitter->tensor_of[made];
}

static void add_slice(struct splitter *splitter, const struct split_step *step) {
  const struct split_range *rows = &step->rows.given;
  const size_t whole = whole_of(splitter, step->output), rank = rank_of(splitter, whole);
  const size_t axis = dimension_of(splitter, whole, step->axis);
  int32_t begin[] = {0, 0, 0, 0}, size[] = {-1, -1, -1, -1};
  begin[axis] = (int32_t)rows->begin;
  size[axis] = (int32_t)(rows->end - rows->begin);
  size_t result = take_tensor(splitter, step->output);
  size_t at = add_constant(splitter, begin, rank), extent = add_constant(splitter, size, rank);
  add_operator(splitter, TFLITE_NONE, TFLITE_SLICE);
  add_link(splitter, take_tensor(splitter, splitter->steps.links[step->links]));
  add_link(splitter, at);
  add_link(splitter, extent);
  set_output(splitter, result);
}

static void add_concatenation(struct splitter *splitter, const struct split_step *step) {
  size_t output = take_tensor(splitter, step->output);
  struct made_operator *made = add_operator(splitter, TFLITE_NONE, TFLITE_CONCATENATION);
  if (made) made->axis = dimension_of(splitter, whole_of(splitter, step->output), step->axis);
  for (size_t i = 0; i < step->link_count; i++)
    add_link(splitter, take_tensor(splitter, splitter->steps.links[step->links + i]));
  set_output(splitter, output);
}

/* The paddings of a band, without rows at inner borders. */
static size_t make_paddings(struct splitter *splitter, const struct tflite_call *call,
                            const struct split_rows *rows, int64_t height, size_t old) {
  struct flat_vector data;
  int32_t numbers[NUMBERS_MAX];
  if ((rows->given.begin == 0 && rows->given.end == height) ||
      !tflite_constant(call, 1, NUMBERS_MAX, &data))
    return old;
  for (size_t i = 0; i < NUMBERS_MAX; i++)
    numbers[i] = flat_int32(&data, i);
  if (rows->given.begin > 0) numbers[2] = 0;
  if (rows->given.end < height) numbers[3] = 0;
  return add_constant(splitter, numbers, NUMBERS_MAX);
}

/* The size to which a band is resized. */
static size_t make_size(struct splitter *splitter, const struct tflite_call *call,
                        const struct split_rows *rows, size_t old) {
  struct flat_vector data;
  if (!tflite_constant(call, 1, 2, &data)) return old;
  const int32_t numbers[] = {(int32_t)(rows->made.end - rows->made.begin),
                             flat_int32(&data, 1)};
  return add_constant(splitter, numbers, 2);
}

/* The weights of a group of channels. */
static size_t make_weights(struct splitter *splitter, const struct split_rows *rows,
                           size_t axis, size_t old) {
  return add_weights(splitter, &(struct made_tensor){.like = old,
                                                     .axis = axis,
                                                     .rows = rows->made.end - rows->made.begin,
                                                     .first = rows->made.begin,
                                                     .is_weights = true});
}

/* The tensor that a band takes for a constant input. */
static size_t take_constant(struct splitter *splitter, const struct tflite_call *call,
                            const struct split_step *step, size_t input) {
  const struct split_operator *node = &splitter->network->operators[step->like];
  const struct split_rows *rows = &step->rows;
  size_t tensor = (size_t)flat_int32(call->inputs, input), axis;
  if (step->axis == SPLIT_CHANNELS)
    return tflite_is_weights(call->code, input, &axis) && flat_int32(call->inputs, input) >= 0
               ? make_weights(splitter, rows, axis, tensor)
               : tensor;
  if (input != 1) return tensor;
  if (node->rule.kind == SPLIT_PAD)
    return make_paddings(splitter, call, rows,
                         splitter->network->tensors[node->inputs[0]].height, tensor);
  return node->rule.kind == SPLIT_RESIZE ? make_size(splitter, call, rows, tensor) : tensor;
}

static bool is_activation(const struct split_operator *node, size_t tensor) {
  for (size_t i = 0; i < node->input_count; i++)
    if (node->inputs[i] == tensor) return true;
  return false;
}

/* Pads what an operator of a band is given; the rows at the sides are those that SAME would add. */
static size_t add_padding(struct splitter *splitter, const struct tflite_call *call,
                          const struct split_rows *rows, size_t given) {
  struct kernel kernel;
  int64_t left, right;
  if (!tflite_describe_kernel(call, &kernel)) return given; /* then none is padded */
  tflite_pad_columns(&kernel, &left, &right);
  const int32_t numbers[] = {
      0, 0, (int32_t)rows->above, (int32_t)rows->below, (int32_t)left, (int32_t)right, 0, 0};
  const struct made_tensor tensor = {.like = (size_t)flat_int32(call->inputs, 0),
                                     .axis = 1,
                                     .rows = rows->given.end - rows->given.begin + rows->above +
                                             rows->below,
                                     .columns = kernel.input.width + left + right};
  size_t amounts = add_constant(splitter, numbers, NUMBERS_MAX);
  size_t padded = add_tensor(splitter, &tensor);
  add_operator(splitter, TFLITE_NONE, TFLITE_PAD);
  add_link(splitter, given);
  add_link(splitter, amounts);
  set_output(splitter, padded);
  return padded;
}

/* Adds an operator of a band, after its constants. */
static void add_banded(struct splitter *splitter, const struct split_step *step) {
  const struct tflite_subgraph *subgraph = &splitter->model->subgraphs[0];
  const struct split_operator *node =
      &split_network_along(splitter->network, step->axis)->operators[step->like];
  struct flat_table table;
  struct flat_vector inputs = {NULL, 0, 0}, outputs;
  struct tflite_call call = {splitter->model, subgraph, &table, &inputs, &outputs, 0};
  size_t *links = NULL, count, activations = 0;
  if (!flat_element(&subgraph->operators, step->like, &table) ||
      !tflite_model_code(splitter->model, &table, &call.code) ||
      !flat_vector(&table, TFLITE_OPERATOR_INPUTS, 4, &inputs) ||
      !flat_vector(&table, TFLITE_OPERATOR_OUTPUTS, 4, &outputs) ||
      !(links = memory_array(inputs.count + 1, sizeof *links))) {
    splitter->is_short = true;
    return;
  }
  for (count = 0; count < inputs.count; count++) {
    size_t tensor = (size_t)flat_int32(&inputs, count);
    links[count] =
        is_activation(node, tensor)
            ? take_tensor(splitter, splitter->steps.links[step->links + activations++])
            : take_constant(splitter, &call, step, count);
  }
  if (step->rows.is_padded) links[0] = add_padding(splitter, &call, &step->rows, links[0]);
  size_t output = take_tensor(splitter, step->output);
  struct made_operator *made = add_operator(splitter, step->like, 0);
  if (made) made->is_valid = step->rows.is_padded;
  for (size_t i = 0; i < count; i++)
    add_link(splitter, links[i]);
  set_output(splitter, output);
  free(links);
}

static void add_step(struct splitter *splitter, const struct split_step *step) {
  struct made_operator *old;
  switch (step->kind) {
  case SPLIT_STEP_OLD:
    old = add_operator(splitter, step->like, 0);
    if (old) old->is_old = true;
    return;
  case SPLIT_STEP_BANDED:
    add_banded(splitter, step);
    return;
  case SPLIT_STEP_SLICE:
    add_slice(splitter, step);
    return;
  case SPLIT_STEP_CONCATENATION:
    add_concatenation(splitter, step);
    return;
  }
}

/* The most tensors that TensorFlow Lite Micro concatenates. */
#define PARTS_MAX 10

static void add_pieces(struct splitter *splitter, const struct split_pieces *pieces) {
  if (!split_rewrite(splitter->network, pieces, PARTS_MAX, &splitter->steps) ||
      !(splitter->tensor_of =
            memory_array(splitter->steps.tensor_count, sizeof *splitter->tensor_of)))
    splitter->is_short = true;
  for (size_t i = 0; i < splitter->steps.step_count && !splitter->is_short; i++)
    add_step(splitter, &splitter->steps.steps[i]);
}

/* ---------------------------------------------------------------- writing */

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

static void mark_list(struct splitter *splitter, const struct flat_table *table, size_t field) {
  struct flat_vector list;
  if (!flat_vector(table, field, 4, &list)) return;
  for (size_t i = 0; i < list.count; i++)
    if (flat_int32(&list, i) >= 0) splitter->is_used[flat_int32(&list, i)] = true;
}

/* Marks the old tensors that the operators of a copy use. */
static void mark_used(struct splitter *splitter) {
  const int32_t nothing = 0;
  splitter->is_used = memory_array(old_count(splitter), sizeof *splitter->is_used);
  splitter->unused = add_constant(splitter, &nothing, 1);
  if (!splitter->is_used) splitter->is_short = true;
  for (size_t i = 0; i < splitter->steps.vanished_count && !splitter->is_short; i++)
    splitter->is_used[splitter->steps.vanished[i]] = true;
  for (size_t k = 0; k < splitter->operator_count && !splitter->is_short; k++) {
    const struct made_operator *made = &splitter->operators[k];
    struct flat_table table;
    for (size_t i = 0; i < made->link_count; i++)
      if (splitter->links[made->links + i] < old_count(splitter))
        splitter->is_used[splitter->links[made->links + i]] = true;
    if (!made->is_old && made->output < old_count(splitter))
      splitter->is_used[made->output] = true;
    if (!made->is_old ||
        !flat_element(&splitter->model->subgraphs[0].operators, made->like, &table))
      continue;
    mark_list(splitter, &table, TFLITE_OPERATOR_INPUTS);
    mark_list(splitter, &table, TFLITE_OPERATOR_OUTPUTS);
  }
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

/* What a copy's subgraph takes and returns. */
struct ends {
  bool are_old;
  size_t input, output;
};

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

/* All metadata but the plan, which does not fit any more. */
static size_t write_metadata(struct writing *writing) {
  struct flat_vector old;
  struct tflite_plan plan;
  const struct flat_table *root = &writing->splitter->model->root;
  flat_vector(root, TFLITE_MODEL_METADATA, 4, &old);
  tflite_plan_find(root, &plan, NULL);
  size_t count = old.count - (plan.entry != TFLITE_NONE), at = 0;
  size_t list = head_take(writing->head, 4 + 4 * count, 4);
  head_put(writing->head, list, count, 4);
  for (size_t m = 0; m < old.count; m++) {
    size_t to;
    if (m == plan.entry || !flat_follow(old.file, old.at + 4 * m, &to)) continue;
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
  size_t list = head_take(head, 8, 4);
  head_put(head, list, 1, 4);
  head_lead(head, at[TFLITE_MODEL_SUBGRAPHS], list);
  head_lead(head, list + 4, write_subgraph(&writing, ends));
  head_lead(head, at[TFLITE_MODEL_BUFFERS], write_buffers(&writing));
}

/* The head is written twice: first to learn how long it is. */
static neap_status write_copy(const struct splitter *splitter, const struct ends *ends,
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
  return NEAP_OK;
}

static neap_status check(const struct tflite_model *model, neap_error *error) {
  struct tflite_plan plan;
  neap_status status = tflite_plan_find(&model->root, &plan, error);
  if (status != NEAP_OK) return status;
  if (model->subgraph_count > 1)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "the model has several subgraphs, and neap splits models with one");
  if (model->root.field_count > HEAD_ROOT_FIELDS)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "the model has parts that this version of neap cannot copy");
  return tflite_model_check_buffers(model, error);
}

static void close_splitter(struct splitter *splitter) {
  split_rewriting_clear(&splitter->steps);
  free(splitter->tensor_of);
  free(splitter->tensors);
  free(splitter->operators);
  free(splitter->links);
  free(splitter->is_used);
}

static neap_status split_copy(const void *model, const struct split_network *network,
                              const struct split_pieces *pieces, struct split_copy *copy,
                              neap_error *error) {
  struct splitter splitter = {.model = model, .network = network};
  const struct split_segment *first = &pieces->items[0]->segment;
  const struct split_segment *last = &pieces->items[pieces->count - 1]->segment;
  const struct ends ends = {split_pieces_cover(pieces, network), first->input, last->output};
  copy->bytes = NULL;
  add_pieces(&splitter, pieces);
  if (!ends.are_old && !splitter.is_short) mark_used(&splitter);
  neap_status status =
      splitter.is_short ? error_memory(error) : write_copy(&splitter, &ends, copy, error);
  close_splitter(&splitter);
  return status;
}

/* ---------------------------------------------------------------- the format */

static neap_status split_write(const void *model, const struct split_network *network,
                               const struct split_pieces *pieces, const struct split_copy *copy,
                               const neap_plan *plan, FILE *stream, neap_error *error) {
  (void)model, (void)network, (void)pieces;
  return tflite_write_bytes(plan, copy->bytes, copy->size, true, stream, error);
}

static neap_status split_open(const char *text, size_t size, const neap_reading *reading,
                              void **model, struct split_network *network, neap_error *error) {
  const struct flat file = {(const unsigned char *)text, size};
  struct tflite_model *opened = memory_array(1, sizeof *opened);
  *model = opened;
  if (!opened) return error_memory(error);
  neap_status status = tflite_check(text, size, reading, error);
  if (status == NEAP_OK) status = tflite_model_open(opened, &file, error);
  if (status == NEAP_OK) status = check(opened, error);
  return status == NEAP_OK ? tflite_network_read(opened, network, error) : status;
}

static void split_close(void *model) {
  if (model) tflite_model_close(model);
  free(model);
}

const struct split_format tflite_split = {
    .is = tflite_is,
    .name = "tflite",
    .target = "tflm",
    .holds_plan = true,
    .open = split_open,
    .close = split_close,
    .read = tflite_read,
    .copy = split_copy,
    .write = split_write,
};
