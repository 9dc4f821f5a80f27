/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each operator of a band has the options and weights of the whole, and its tensors have the names
 * and the quantisation, all of which stay where they are in the old model.  Only the weights of groups of
 * channels are copied.  Tensors that the bands replace leave their numbers to new ones.
 */
#include "models/tflite/split.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "models/tflite/head.h"
#include "models/tflite/kernels.h"
#include "models/tflite/macs.h"
#include "models/tflite/network.h"
#include "models/tflite/operators.h"
#include "models/tflite/schema.h"
#include "models/tflite/split_parts.h"
#include "models/tflite/tflite.h"
#include "models/tflite/write.h"

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

static bool is_same(const struct made_tensor *a, const struct made_tensor *b) {
  return a->like == b->like && a->first == b->first && a->rows == b->rows &&
         a->count == b->count &&
         memcmp(a->numbers, b->numbers, a->count * sizeof *a->numbers) == 0;
}

/* Few weights are of the same old tensor, and few constants have the same hash. */
static size_t *bucket_of(const struct splitter *splitter, const struct made_tensor *tensor) {
  uint64_t hash = 0;
  if (tensor->is_weights) return &splitter->buckets[tensor->like];
  for (size_t i = 0; i < tensor->count; i++)
    hash = (hash ^ (uint32_t)tensor->numbers[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return &splitter->buckets[(hash >> 32) % (old_count(splitter) + 1)];
}

/* Adds weights or a constant, unless it is there. */
static size_t add_once(struct splitter *splitter, const struct made_tensor *wanted) {
  if (splitter->is_short) return 0;
  size_t *bucket = bucket_of(splitter, wanted);
  for (size_t t = *bucket; t > 0; t = splitter->tensors[t - 1].next)
    if (is_same(&splitter->tensors[t - 1], wanted)) return old_count(splitter) + t - 1;
  struct made_tensor tensor = *wanted;
  tensor.next = *bucket;
  const size_t added = add_tensor(splitter, &tensor);
  *bucket = splitter->tensor_count;
  return added;
}

static size_t add_constant(struct splitter *splitter, const int32_t *numbers, size_t count) {
  struct made_tensor constant = {.like = TFLITE_NONE, .count = count};
  memcpy(constant.numbers, numbers, count * sizeof *numbers);
  return add_once(splitter, &constant);
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
  const struct step_tensor *rows = &splitter->steps.tensors[made];
  if (splitter->tensor_of[made] == 0)
    splitter->tensor_of[made] = add_tensor(
        splitter,
        &(struct made_tensor){.like = rows->like,
                              .rows = rows->rows,
                              .axis = dimension_of(splitter, rows->like, rows->axis)});
  return splitter->tensor_of[made];
}

static void add_slice(struct splitter *splitter, const struct step *step) {
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

static void add_concatenation(struct splitter *splitter, const struct step *step) {
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
  return add_once(splitter, &(struct made_tensor){.like = old,
                                                  .axis = axis,
                                                  .rows = rows->made.end - rows->made.begin,
                                                  .first = rows->made.begin,
                                                  .is_weights = true});
}

/* The tensor that a band takes for a constant input. */
static size_t take_constant(struct splitter *splitter, const struct tflite_call *call,
                            const struct step *step, size_t input) {
  const struct split_operator *node = &splitter->network->operators[step->like];
  const struct split_rows *rows = &step->rows;
  size_t tensor = (size_t)flat_int32(call->inputs, input), axis;
  if (step->axis == SPLIT_CHANNELS)
    return tflite_has_shares(call->code, input, &axis) && flat_int32(call->inputs, input) >= 0
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
static void add_banded(struct splitter *splitter, const struct step *step) {
  const struct tflite_subgraph *subgraph = &splitter->model->subgraphs[0];
  const struct split_operator *node =
      &split_network_along(splitter->network, step->axis)->operators[step->like];
  struct flat_table table;
  struct flat_vector inputs = {NULL, 0, 0}, outputs;
  struct tflite_call call = {splitter->model, subgraph, &table, &inputs, &outputs, 0};
  size_t *links = NULL, count, activations = 0;
  const size_t place = splitter->network->places[step->like];
  if (!flat_element(&subgraph->operators, place, &table) ||
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
  struct made_operator *made = add_operator(splitter, place, 0);
  if (made) made->is_valid = step->rows.is_padded;
  for (size_t i = 0; i < count; i++)
    add_link(splitter, links[i]);
  set_output(splitter, output);
  free(links);
}

/* Adds an operator as it is. */
static void add_old(struct splitter *splitter, size_t place) {
  struct made_operator *old = add_operator(splitter, place, 0);
  if (old) old->is_old = true;
}

/* Operators that are not in the network run before it. */
static void add_others(struct splitter *splitter) {
  const struct split_network *network = splitter->network;
  for (size_t place = 0, k = 0; place < splitter->model->subgraphs[0].operators.count; place++)
    if (k < network->operator_count && network->places[k] == place) k++;
    else add_old(splitter, place);
}

static void add_step(struct splitter *splitter, const struct step *step) {
  switch (step->kind) {
  case STEP_OLD:
    add_old(splitter, splitter->network->places[step->like]);
    return;
  case STEP_BANDED:
    add_banded(splitter, step);
    return;
  case STEP_SLICE:
    add_slice(splitter, step);
    return;
  case STEP_CONCATENATION:
    add_concatenation(splitter, step);
    return;
  }
}

/* The most tensors that TensorFlow Lite Micro concatenates. */
#define PARTS_MAX 10

static void add_pieces(struct splitter *splitter, const struct split_pieces *pieces) {
  splitter->buckets = memory_array(old_count(splitter) + 1, sizeof *splitter->buckets);
  if (!splitter->buckets ||
      !split_rewrite(splitter->network, pieces, PARTS_MAX, &splitter->steps) ||
      !(splitter->tensor_of =
            memory_array(splitter->steps.tensor_count, sizeof *splitter->tensor_of)))
    splitter->is_short = true;
  if (!splitter->is_short) add_others(splitter);
  for (size_t i = 0; i < splitter->steps.count && !splitter->is_short; i++)
    add_step(splitter, &splitter->steps.items[i]);
}

/* ---------------------------------------------------------------- the whole */

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

static neap_status check(const struct tflite_model *model, neap_error *error) {
  struct tflite_entry plan;
  neap_status status = tflite_entry_find(&model->root, TFLITE_PLAN, &plan, error);
  if (status != NEAP_OK) return status;
  if (model->root.field_count > HEAD_ROOT_FIELDS)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "the model has parts that this version of neap cannot copy");
  return NEAP_OK;
}

static void close_splitter(struct splitter *splitter) {
  steps_clear(&splitter->steps);
  free(splitter->tensor_of);
  free(splitter->tensors);
  free(splitter->operators);
  free(splitter->links);
  free(splitter->is_used);
  free(splitter->buckets);
}

/* The offsets of the old tensors that a copy has; new ones have none. */
static neap_status copy_offsets(const struct splitter *splitter, const struct split_copy *copy,
                                int32_t **offsets, neap_error *error) {
  const struct flat file = {(const unsigned char *)copy->bytes, copy->size};
  struct tflite_model made;
  int32_t *old = NULL;
  neap_status status = tflite_plan_offsets(splitter->model, &old, error);
  if (status != NEAP_OK || !old) return status;
  for (size_t i = 0; i < splitter->steps.vanished_count; i++)
    old[splitter->steps.vanished[i]] = -1;
  status = tflite_model_open(&made, &file, error);
  if (status == NEAP_OK) *offsets = memory_array(made.tensor_count + 1, sizeof **offsets);
  if (status == NEAP_OK && !*offsets) status = error_memory(error);
  for (size_t t = 0; status == NEAP_OK && t < made.tensor_count; t++) {
    const size_t own = made.subgraphs[0].tensors.count;
    (*offsets)[t] = t < old_count(splitter) ? old[t]
                    : t < own               ? -1
                                            : old[old_count(splitter) + t - own];
  }
  tflite_model_close(&made);
  free(old);
  return status;
}

/* Compiled operators keep the offsets of their tensors. */
static neap_status keep_offsets(const struct splitter *splitter, struct split_copy *copy,
                                neap_error *error) {
  int32_t *offsets = NULL;
  char *text = NULL;
  size_t size = 0;
  bool is_compiled;
  neap_status status = tflite_has_compiled(splitter->model, &is_compiled, error);
  if (status == NEAP_OK && is_compiled) status = copy_offsets(splitter, copy, &offsets, error);
  if (!offsets) return status;
  FILE *stream = status == NEAP_OK ? open_memstream(&text, &size) : NULL;
  if (stream) {
    status = tflite_write_offsets(copy->bytes, copy->size, offsets, stream, error);
    bool is_short = ferror(stream) != 0;
    is_short |= fclose(stream) != 0;
    if (status == NEAP_OK && is_short) status = error_memory(error);
  } else if (status == NEAP_OK) status = error_memory(error);
  free(offsets);
  if (status == NEAP_OK) {
    free(copy->bytes);
    copy->bytes = text;
    copy->size = size;
  } else free(text);
  return status;
}

/* Whether operators of a copy call other subgraphs. */
static bool has_calls(const struct splitter *splitter) {
  for (size_t k = 0; k < splitter->operator_count; k++) {
    const struct made_operator *made = &splitter->operators[k];
    struct flat_table table;
    uint64_t code;
    if (made->is_old &&
        flat_element(&splitter->model->subgraphs[0].operators, made->like, &table) &&
        tflite_model_code(splitter->model, &table, &code) && tflite_operator_caller(code))
      return true;
  }
  return false;
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
  splitter.subgraphs =
      ends.are_old || has_calls(&splitter) ? splitter.model->subgraph_count : 1;
  if (!ends.are_old && !splitter.is_short) mark_used(&splitter);
  neap_status status = splitter.is_short ? error_memory(error)
                                         : tflite_split_write(&splitter, &ends, copy, error);
  if (status == NEAP_OK) status = keep_offsets(&splitter, copy, error);
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
  if (status == NEAP_OK && reading->dimension_count > 0)
    status =
        error_set(error, NEAP_ERROR_ARGUMENT,
                  "neap_reading.dimensions: a split model has the shapes of the given one");
  if (status == NEAP_OK) status = tflite_model_open(opened, &file, error);
  if (status == NEAP_OK) status = check(opened, error);
  return status == NEAP_OK ? tflite_network_read(opened, reading, network, error) : status;
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
    .export = tflite_write,
    .copy = split_copy,
    .write = split_write,
};
