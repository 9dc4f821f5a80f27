/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An operator of a band, or one that runs again, uses the options and weights of the original
 * operator, and the quantisation of its tensors.  All of these stay where they are in the old
 * model; only the weights of groups of channels are copied.  New tensors take over the numbers of
 * those that the bands replace.
 */
#include "models/tflite/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "models/tflite/kernels.h"
#include "models/tflite/macs.h"
#include "models/tflite/network.h"
#include "models/tflite/operators.h"
#include "models/tflite/schema.h"

/* ---------------------------------------------------------------- making */

static size_t add_tensor(struct rewriter *rewriter, const struct made_tensor *tensor) {
  if (!memory_reserve(&rewriter->tensors, &rewriter->tensor_capacity,
                      rewriter->tensor_count + 1, sizeof *tensor)) {
    rewriter->made.is_short = true;
    return 0;
  }
  rewriter->tensors[rewriter->tensor_count] = *tensor;
  return old_count(rewriter) + rewriter->tensor_count++;
}

static bool is_same(const struct made_tensor *a, const struct made_tensor *b) {
  return a->like == b->like && a->first == b->first && a->rows == b->rows &&
         a->count == b->count &&
         memcmp(a->numbers, b->numbers, a->count * sizeof *a->numbers) == 0;
}

/* Few weights are of the same old tensor, and few constants have the same hash. */
static size_t *bucket_of(const struct rewriter *rewriter, const struct made_tensor *tensor) {
  uint64_t hash = 0;
  if (tensor->is_weights) return &rewriter->buckets[tensor->like];
  for (size_t i = 0; i < tensor->count; i++)
    hash = (hash ^ (uint32_t)tensor->numbers[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return &rewriter->buckets[(hash >> 32) % (old_count(rewriter) + 1)];
}

/* Adds weights or a constant, unless they were added before. */
static size_t add_once(struct rewriter *rewriter, const struct made_tensor *wanted) {
  if (rewriter->made.is_short) return 0;
  size_t *bucket = bucket_of(rewriter, wanted);
  for (size_t t = *bucket; t > 0; t = rewriter->tensors[t - 1].next)
    if (is_same(&rewriter->tensors[t - 1], wanted)) return old_count(rewriter) + t - 1;
  struct made_tensor tensor = *wanted;
  tensor.next = *bucket;
  const size_t added = add_tensor(rewriter, &tensor);
  *bucket = rewriter->tensor_count;
  return added;
}

static size_t add_constant(struct rewriter *rewriter, const int32_t *numbers, size_t count) {
  struct made_tensor constant = {.like = TFLITE_NONE, .count = count};
  memcpy(constant.numbers, numbers, count * sizeof *numbers);
  return add_once(rewriter, &constant);
}

/* Adds a new operator, or one like the model's operator at `place`. */
static void add_new(struct rewriter *rewriter, enum step_kind kind, size_t output,
                    const size_t *links, size_t count) {
  steps_add(&rewriter->made, &(struct step){.kind = kind, .output = output}, links, count);
}

static void add_old(struct rewriter *rewriter, size_t place) {
  steps_add(&rewriter->made, &(struct step){.kind = STEP_OLD, .like = place}, NULL, 0);
}

/* ---------------------------------------------------------------- steps */

static size_t rank_of(const struct tflite_model *model, size_t tensor) {
  struct flat_table table;
  struct flat_vector dims;
  return flat_element(&model->subgraphs[0].tensors, tensor, &table) &&
                 flat_vector(&table, TFLITE_TENSOR_SHAPE, 4, &dims)
             ? dims.count
             : 0;
}

size_t tflite_dimension(const struct tflite_model *model, size_t tensor, enum band_axis axis) {
  return axis == SPLIT_ROWS ? 1 : rank_of(model, tensor) - 1;
}

/* Returns the tensor of a step; new tensors are numbered in the order of their first use. */
static size_t take_tensor(struct rewriter *rewriter, size_t tensor) {
  if (tensor < old_count(rewriter)) return tensor;
  const size_t made = tensor - old_count(rewriter);
  const struct step_tensor *new = &rewriter->steps.tensors[made];
  if (rewriter->tensor_of[made] == 0)
    rewriter->tensor_of[made] = add_tensor(
        rewriter,
        &(struct made_tensor){.like = new->like,
                              .name = new->name,
                              .rows = new->rows,
                              .axis = tflite_dimension(rewriter->model, new->like, new->axis)});
  return rewriter->tensor_of[made];
}

static void add_slice(struct rewriter *rewriter, const struct step *step) {
  const struct band_range *rows = &step->rows.given;
  const size_t whole = rewriter->steps.tensors[step->output - old_count(rewriter)].like;
  const size_t rank = rank_of(rewriter->model, whole);
  const size_t axis = tflite_dimension(rewriter->model, whole, step->axis);
  int32_t begin[] = {0, 0, 0, 0}, size[] = {-1, -1, -1, -1};
  begin[axis] = (int32_t)rows->begin;
  size[axis] = (int32_t)(rows->end - rows->begin);
  size_t result = take_tensor(rewriter, step->output);
  size_t links[] = {0, add_constant(rewriter, begin, rank), 0};
  links[2] = add_constant(rewriter, size, rank);
  links[0] = take_tensor(rewriter, rewriter->steps.links[step->links]);
  add_new(rewriter, STEP_SLICE, result, links, 3);
}

static void add_concatenation(struct rewriter *rewriter, const struct step *step) {
  struct step made = *step;
  size_t *links = rewriter->steps.links + step->links;
  made.output = take_tensor(rewriter, step->output);
  for (size_t i = 0; i < step->link_count; i++)
    links[i] = take_tensor(rewriter, links[i]);
  steps_add(&rewriter->made, &made, links, step->link_count);
}

/* Makes the paddings of a band, which adds no rows at inner borders. */
static size_t make_paddings(struct rewriter *rewriter, const struct tflite_call *call,
                            const struct band_rows *rows, int64_t height, size_t old) {
  struct flat_vector data;
  int32_t numbers[NUMBERS_MAX];
  if ((rows->given.begin == 0 && rows->given.end == height) ||
      !tflite_constant(call, 1, NUMBERS_MAX, &data))
    return old;
  for (size_t i = 0; i < NUMBERS_MAX; i++)
    numbers[i] = flat_int32(&data, i);
  if (rows->given.begin > 0) numbers[2] = 0;
  if (rows->given.end < height) numbers[3] = 0;
  return add_constant(rewriter, numbers, NUMBERS_MAX);
}

/* Makes the size to which a band is resized. */
static size_t make_size(struct rewriter *rewriter, const struct tflite_call *call,
                        const struct band_rows *rows, size_t old) {
  struct flat_vector data;
  if (!tflite_constant(call, 1, 2, &data)) return old;
  const int32_t numbers[] = {(int32_t)(rows->made.end - rows->made.begin),
                             flat_int32(&data, 1)};
  return add_constant(rewriter, numbers, 2);
}

/* Makes the weights of a group of channels. */
static size_t make_weights(struct rewriter *rewriter, const struct band_rows *rows, size_t axis,
                           size_t old) {
  return add_once(rewriter, &(struct made_tensor){.like = old,
                                                  .axis = axis,
                                                  .rows = rows->made.end - rows->made.begin,
                                                  .first = rows->made.begin,
                                                  .is_weights = true});
}

/* Returns the tensor that a band reads instead of a constant input of the whole. */
static size_t take_constant(struct rewriter *rewriter, const struct tflite_call *call,
                            const struct step *step, size_t input) {
  const struct band_operator *node = &rewriter->network->operators[step->like];
  const struct band_rows *rows = &step->rows;
  size_t tensor = (size_t)flat_int32(call->inputs, input), axis;
  if (step->axis == SPLIT_CHANNELS)
    return tflite_has_shares(call->code, input, &axis) && flat_int32(call->inputs, input) >= 0
               ? make_weights(rewriter, rows, axis, tensor)
               : tensor;
  if (input != 1) return tensor;
  if (node->rule.kind == SPLIT_PAD)
    return make_paddings(rewriter, call, rows,
                         rewriter->network->tensors[node->inputs[0]].height, tensor);
  return node->rule.kind == SPLIT_RESIZE ? make_size(rewriter, call, rows, tensor) : tensor;
}

static bool is_activation(const struct band_operator *node, size_t tensor) {
  for (size_t i = 0; i < node->input_count; i++)
    if (node->inputs[i] == tensor) return true;
  return false;
}

/* Pads the given rows of a band; the columns at the sides are those that SAME would add. */
static size_t add_padding(struct rewriter *rewriter, const struct tflite_call *call,
                          const struct band_rows *rows, size_t given) {
  struct kernel kernel;
  int64_t left, right;
  if (!tflite_describe_kernel(call, &kernel)) return given; /* such operators have no padding */
  tflite_pad_columns(&kernel, &left, &right);
  const int32_t numbers[] = {
      0, 0, (int32_t)rows->above, (int32_t)rows->below, (int32_t)left, (int32_t)right, 0, 0};
  const struct made_tensor tensor = {.like = (size_t)flat_int32(call->inputs, 0),
                                     .axis = 1,
                                     .rows = rows->given.end - rows->given.begin + rows->above +
                                             rows->below,
                                     .columns = kernel.input.width + left + right};
  const size_t links[] = {given, add_constant(rewriter, numbers, NUMBERS_MAX)};
  const size_t padded = add_tensor(rewriter, &tensor);
  add_new(rewriter, STEP_PAD, padded, links, 2);
  return padded;
}

/* Opens an operator of the model, with room for links; NULL if that fails. */
static size_t *open_old(struct rewriter *rewriter, size_t place, struct tflite_opened *old) {
  if (!tflite_call_open(rewriter->model, &rewriter->model->subgraphs[0], place, old)) {
    rewriter->is_broken = true;
    return NULL;
  }
  size_t *links = memory_array(old->inputs.count + old->outputs.count, sizeof *links);
  if (!links) rewriter->made.is_short = true;
  return links;
}

/* Adds an operator of a band, after its constants. */
static void add_banded(struct rewriter *rewriter, const struct step *step) {
  const struct band_operator *node =
      &band_network_along(rewriter->network, step->axis)->operators[step->like];
  struct step made = *step;
  struct tflite_opened old;
  size_t activations = 0;
  made.like = rewriter->network->places[step->like];
  size_t *links = open_old(rewriter, made.like, &old);
  for (size_t i = 0; links && i < old.inputs.count; i++) {
    size_t tensor = (size_t)flat_int32(&old.inputs, i);
    links[i] = is_activation(node, tensor)
                   ? take_tensor(rewriter, rewriter->steps.links[step->links + activations++])
                   : take_constant(rewriter, &old.call, step, i);
  }
  if (!links) return;
  if (step->rows.is_padded) links[0] = add_padding(rewriter, &old.call, &step->rows, links[0]);
  made.output = take_tensor(rewriter, step->output);
  steps_add(&rewriter->made, &made, links, old.inputs.count);
  free(links);
}

/* Fills links with the newest tensors of a list. */
static void find_newest(struct rewriter *rewriter, const struct flat_vector *list,
                        size_t *links) {
  for (size_t i = 0; i < list->count; i++) {
    const int32_t tensor = flat_int32(list, i);
    links[i] = tensor < 0 ? TFLITE_NONE : take_tensor(rewriter, rewriter->steps.newest[tensor]);
  }
}

/* Adds an operator that reads the newest tensors and, if it ran before, makes new ones. */
static void add_again(struct rewriter *rewriter, const struct step *step) {
  struct step made = *step;
  struct tflite_opened old;
  size_t *links = open_old(rewriter, step->like, &old);
  if (!links) return;
  find_newest(rewriter, &old.inputs, links);
  steps_follow(&rewriter->steps, step);
  for (size_t i = 0; i < step->output_count; i++)
    take_tensor(rewriter, step->output + i);
  find_newest(rewriter, &old.outputs, links + old.inputs.count);
  made.output_count = old.outputs.count;
  steps_add(&rewriter->made, &made, links, old.inputs.count + old.outputs.count);
  free(links);
}

/* Adds the operators that are not in the network, which run before it. */
static void add_others(struct rewriter *rewriter) {
  const struct band_network *network = rewriter->network;
  for (size_t place = 0, k = 0; place < rewriter->model->subgraphs[0].operators.count; place++)
    if (k < network->operator_count && network->places[k] == place) k++;
    else add_old(rewriter, place);
}

static void add_step(struct rewriter *rewriter, const struct step *step) {
  const struct band_network *network = rewriter->network;
  switch (step->kind) {
  case STEP_OLD:
    add_old(rewriter, network ? network->places[step->like] : step->like);
    return;
  case STEP_AGAIN:
    add_again(rewriter, step);
    return;
  case STEP_BANDED:
    add_banded(rewriter, step);
    return;
  case STEP_SLICE:
    add_slice(rewriter, step);
    return;
  case STEP_CONCATENATION:
    add_concatenation(rewriter, step);
    return;
  case STEP_PAD:
  case STEP_CONSTANT:
    return; /* no operator is outside the network */
  }
}

static bool allocate(struct rewriter *rewriter) {
  const size_t made = rewriter->steps.tensor_count;
  rewriter->buckets = memory_array(old_count(rewriter) + 1, sizeof *rewriter->buckets);
  rewriter->tensor_of = memory_array(made, sizeof *rewriter->tensor_of);
  return rewriter->buckets && rewriter->tensor_of;
}

/* ---------------------------------------------------------------- parts of a model */

static void mark_list(struct rewriter *rewriter, const struct flat_vector *list) {
  for (size_t i = 0; i < list->count; i++)
    if (flat_int32(list, i) >= 0) rewriter->is_used[flat_int32(list, i)] = true;
}

static void mark(struct rewriter *rewriter, const size_t *tensors, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (tensors[i] < old_count(rewriter)) rewriter->is_used[tensors[i]] = true;
}

static bool open_made(const struct rewriter *rewriter, size_t k, struct tflite_opened *old) {
  const struct step *made = &rewriter->made.items[k];
  return made->kind == STEP_OLD &&
         tflite_call_open(rewriter->model, &rewriter->model->subgraphs[0], made->like, old);
}

/* Marks the old tensors that the operators of a copy use. */
static void mark_used(struct rewriter *rewriter) {
  const int32_t nothing = 0;
  struct tflite_opened old;
  rewriter->is_used = memory_array(old_count(rewriter), sizeof *rewriter->is_used);
  rewriter->unused = add_constant(rewriter, &nothing, 1);
  if (!rewriter->is_used) rewriter->made.is_short = true;
  if (rewriter->made.is_short) return;
  mark(rewriter, rewriter->steps.vanished, rewriter->steps.vanished_count);
  mark(rewriter, rewriter->made.links, rewriter->made.link_count);
  for (size_t k = 0; k < rewriter->made.count; k++)
    if (open_made(rewriter, k, &old)) {
      mark_list(rewriter, &old.inputs);
      mark_list(rewriter, &old.outputs);
    } else mark(rewriter, &rewriter->made.items[k].output, 1);
}

/* Whether operators of a copy call other subgraphs. */
static bool has_calls(const struct rewriter *rewriter) {
  struct tflite_opened old;
  for (size_t k = 0; k < rewriter->made.count; k++)
    if (open_made(rewriter, k, &old) && tflite_operator_caller(old.call.code)) return true;
  return false;
}

/* ---------------------------------------------------------------- the whole */

neap_status tflite_rewrite(struct rewriter *rewriter, char **bytes, size_t *size,
                           neap_error *error) {
  rewriter->made.is_short = rewriter->steps.is_short || !allocate(rewriter);
  if (rewriter->network && !rewriter->made.is_short) add_others(rewriter);
  for (size_t i = 0; i < rewriter->steps.count && !rewriter->made.is_short; i++)
    add_step(rewriter, &rewriter->steps.items[i]);
  rewriter->subgraphs =
      rewriter->ends.are_old || has_calls(rewriter) ? rewriter->model->subgraph_count : 1;
  if (!rewriter->ends.are_old && !rewriter->made.is_short) mark_used(rewriter);
  return rewriter->made.is_short ? error_memory(error)
                                 : tflite_rewriter_write(rewriter, bytes, size, error);
}

void tflite_rewriter_clear(struct rewriter *rewriter) {
  steps_clear(&rewriter->steps);
  steps_clear(&rewriter->made);
  free(rewriter->tensor_of);
  free(rewriter->tensors);
  free(rewriter->is_used);
  free(rewriter->buckets);
}
