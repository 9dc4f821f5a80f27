/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model whose operators run again, in the order of a plan.
 *
 * A further run is an operator of its own, with the options of the first, and makes tensors of its
 * own, with the type, shape and quantisation of the first.  Readers read the newest.  Operators
 * whose tensors are all the first stay in the old model, which follows the new head byte for byte.
 */
#include "models/tflite/repeat.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/graph.h"
#include "model/unroll.h"
#include "models/tflite/head.h"
#include "models/tflite/model.h"
#include "models/tflite/schema.h"
#include "models/tflite/tflite.h"

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

struct repeater {
  struct tflite_model model;
  const neap_operator_order *order;
  neap_graph *graph;    /* of the model */
  neap_graph *unrolled; /* with an operator for each run */
  size_t *origins;      /* per tensor of `unrolled`: that of the model, or TFLITE_NONE */
  size_t *numbers;      /* per tensor of `unrolled` that has an origin: its own in the copy */
  size_t count;         /* of tensors in the copy */
  size_t *newest;       /* per tensor of the model: that of the copy which is read now */
  struct head head;
  bool is_broken; /* the model */
};

/* ---------------------------------------------------------------- what is made again */

static size_t old_count(const struct repeater *repeater) {
  return repeater->model.tensor_count;
}

static void match(struct repeater *repeater, struct graph_links old, struct graph_links own) {
  for (size_t i = 0; i < old.end - old.begin; i++)
    repeater->origins[repeater->unrolled->links[own.begin + i]] =
        repeater->graph->links[old.begin + i];
}

/*
 * The tensors of the model keep their numbers; copies come after them.  Scratch buffers of kernels
 * are tensors of the graph alone.
 */
static void number_tensors(struct repeater *repeater) {
  repeater->count = old_count(repeater);
  for (size_t t = 0; t < graph_tensor_count(repeater->unrolled); t++)
    if (t < old_count(repeater)) repeater->numbers[t] = repeater->origins[t] = t;
    else if (repeater->origins[t] < old_count(repeater))
      repeater->numbers[t] = repeater->count++;
    else repeater->origins[t] = TFLITE_NONE;
}

static neap_status unroll(struct repeater *repeater, neap_error *error) {
  const neap_operator_order *order = repeater->order;
  repeater->unrolled = neap_graph_copy(repeater->graph);
  if (!repeater->unrolled) return error_memory(error);
  neap_status status = unroll_graph(repeater->unrolled, order->given, order->count, 0, error);
  if (status != NEAP_OK) return status;
  size_t count = graph_tensor_count(repeater->unrolled);
  repeater->origins = memory_array(count, sizeof *repeater->origins);
  repeater->numbers = memory_array(count, sizeof *repeater->numbers);
  repeater->newest = memory_array(old_count(repeater), sizeof *repeater->newest);
  if (!repeater->origins || !repeater->numbers || !repeater->newest) return error_memory(error);
  for (size_t t = 0; t < count; t++)
    repeater->origins[t] = TFLITE_NONE;
  for (size_t k = 0; k < order->count; k++) {
    const struct graph_operator *old = &repeater->graph->operators[order->given[k]];
    const struct graph_operator *own = &repeater->unrolled->operators[k];
    match(repeater, old->outputs, own->outputs);
  }
  number_tensors(repeater);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the head */

static size_t write_name(struct head *head, const char *name) {
  size_t length = strlen(name), at = head_take(head, 4 + length + 1, 4);
  head_put(head, at, length, 4);
  head_copy(head, at + 4, name, length + 1);
  return at;
}

static size_t write_tensor(struct repeater *repeater, size_t tensor) {
  struct flat_table old;
  size_t at[FIELDS] = {0};
  struct head *head = &repeater->head;
  size_t table =
      flat_element(&repeater->model.subgraphs[0].tensors, repeater->origins[tensor], &old)
          ? head_table(head, &old, TENSOR_OFFSETS, BIT(TFLITE_TENSOR_NAME), at)
          : 0;
  if (!table || !at[TFLITE_TENSOR_NAME]) repeater->is_broken = true;
  else
    head_lead(head, at[TFLITE_TENSOR_NAME],
              write_name(head, names_text(&repeater->unrolled->names, tensor)));
  return table;
}

static size_t write_tensors(struct repeater *repeater) {
  const size_t count = graph_tensor_count(repeater->unrolled);
  size_t list =
      head_list(&repeater->head, &repeater->model.subgraphs[0].tensors, repeater->count);
  for (size_t t = old_count(repeater); t < count && !repeater->is_broken; t++)
    if (repeater->origins[t] != TFLITE_NONE)
      head_lead(&repeater->head, list + 4 + 4 * repeater->numbers[t],
                write_tensor(repeater, t));
  return list;
}

static int32_t newest_of(const struct repeater *repeater, int32_t tensor) {
  return tensor < 0 || (size_t)tensor >= old_count(repeater)
             ? tensor
             : (int32_t)repeater->newest[tensor];
}

static bool has_changed(const struct repeater *repeater, const struct flat_vector *links) {
  for (size_t i = 0; i < links->count; i++)
    if (newest_of(repeater, flat_int32(links, i)) != flat_int32(links, i)) return true;
  return false;
}

static size_t write_links(struct repeater *repeater, const struct flat_vector *links) {
  struct head *head = &repeater->head;
  size_t at = head_take(head, 4 + 4 * links->count, 4);
  head_put(head, at, links->count, 4);
  for (size_t i = 0; i < links->count; i++)
    head_put(head, at + 4 + 4 * i, (uint32_t)newest_of(repeater, flat_int32(links, i)), 4);
  return at;
}

/* Whether run k is a further one. */
static bool makes_copies(const struct repeater *repeater, size_t k) {
  const struct graph_links outputs = repeater->unrolled->operators[k].outputs;
  return outputs.begin < outputs.end &&
         repeater->unrolled->links[outputs.begin] >= old_count(repeater);
}

/* What run k makes is the newest from now on. */
static void pass(struct repeater *repeater, size_t k) {
  const struct graph_links outputs = repeater->unrolled->operators[k].outputs;
  for (size_t i = outputs.begin; i < outputs.end; i++) {
    size_t made = repeater->unrolled->links[i];
    if (repeater->origins[made] != TFLITE_NONE)
      repeater->newest[repeater->origins[made]] = repeater->numbers[made];
  }
}

struct old_operator {
  struct flat_table table;
  struct flat_vector inputs, outputs;
};

/* Custom options after the tables move with the old model. */
static void move_options(struct repeater *repeater, const struct old_operator *old,
                         size_t table) {
  uint64_t position;
  size_t at;
  if (flat_field(&old->table, TFLITE_OPERATOR_LARGE_OPTIONS, 8, &at) && at > 0 &&
      flat_unsigned(&old->table, TFLITE_OPERATOR_LARGE_OPTIONS, 8, 0, &position) &&
      position > 1)
    head_put(&repeater->head, table + (at - old->table.at), position + repeater->head.size, 8);
}

/* Writes the operator of run k with links of its own, which come after it; returns where it is. */
static size_t write_run(struct repeater *repeater, size_t k, const struct old_operator *old) {
  const unsigned changed = BIT(TFLITE_OPERATOR_INPUTS) | BIT(TFLITE_OPERATOR_OUTPUTS);
  struct head *head = &repeater->head;
  size_t at[FIELDS] = {0};
  size_t table = head_table(head, &old->table, OPERATOR_OFFSETS, changed, at);
  if (!table || !at[TFLITE_OPERATOR_OUTPUTS]) {
    repeater->is_broken = true;
    return 0;
  }
  move_options(repeater, old, table);
  if (at[TFLITE_OPERATOR_INPUTS])
    head_lead(head, at[TFLITE_OPERATOR_INPUTS], write_links(repeater, &old->inputs));
  pass(repeater, k);
  head_lead(head, at[TFLITE_OPERATOR_OUTPUTS], write_links(repeater, &old->outputs));
  return table;
}

static bool open_operator(const struct repeater *repeater, size_t k, struct old_operator *old) {
  return flat_element(&repeater->model.subgraphs[0].operators, repeater->order->given[k],
                      &old->table) &&
         flat_vector(&old->table, TFLITE_OPERATOR_INPUTS, 4, &old->inputs) &&
         flat_vector(&old->table, TFLITE_OPERATOR_OUTPUTS, 4, &old->outputs);
}

static size_t write_operators(struct repeater *repeater) {
  struct head *head = &repeater->head;
  size_t count = repeater->order->count, list = head_take(head, 4 + 4 * count, 4);
  head_put(head, list, count, 4);
  for (size_t t = 0; t < old_count(repeater); t++)
    repeater->newest[t] = t;
  for (size_t k = 0; k < count && !repeater->is_broken; k++) {
    struct old_operator old;
    if (!open_operator(repeater, k, &old)) repeater->is_broken = true;
    else if (makes_copies(repeater, k) || has_changed(repeater, &old.inputs))
      head_lead(head, list + 4 + 4 * k, write_run(repeater, k, &old));
    else head_lead_old(head, list + 4 + 4 * k, old.table.at);
  }
  return list;
}

static size_t write_subgraph(struct repeater *repeater, const struct flat_table *old) {
  const unsigned changed = BIT(TFLITE_SUBGRAPH_TENSORS) | BIT(TFLITE_SUBGRAPH_OPERATORS);
  size_t at[FIELDS] = {0};
  size_t table = head_table(&repeater->head, old, SUBGRAPH_OFFSETS, changed, at);
  if (!table || !at[TFLITE_SUBGRAPH_TENSORS] || !at[TFLITE_SUBGRAPH_OPERATORS]) {
    repeater->is_broken = true;
    return 0;
  }
  head_lead(&repeater->head, at[TFLITE_SUBGRAPH_TENSORS], write_tensors(repeater));
  head_lead(&repeater->head, at[TFLITE_SUBGRAPH_OPERATORS], write_operators(repeater));
  return table;
}

static void write_head(struct repeater *repeater) {
  const struct flat_table *root = &repeater->model.root;
  struct flat_vector subgraphs;
  struct flat_table old;
  size_t at[HEAD_ROOT_FIELDS];
  head_root(&repeater->head, root, BIT(TFLITE_MODEL_SUBGRAPHS), at);
  if (!flat_vector(root, TFLITE_MODEL_SUBGRAPHS, 4, &subgraphs) ||
      !flat_element(&subgraphs, 0, &old)) {
    repeater->is_broken = true;
    return;
  }
  size_t list = head_take(&repeater->head, 8, 4);
  head_put(&repeater->head, list, 1, 4);
  head_lead(&repeater->head, at[TFLITE_MODEL_SUBGRAPHS], list);
  head_lead(&repeater->head, list + 4, write_subgraph(repeater, &old));
}

/* ---------------------------------------------------------------- the whole */

/* The head is written twice: first to learn how long it is. */
static neap_status write_copy(struct repeater *repeater, char **repeated, size_t *size,
                              neap_error *error) {
  const struct flat *file = &repeater->model.file;
  write_head(repeater);
  if (repeater->is_broken)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "the model has tensors without names or broken tables, so its operators "
                     "cannot be repeated");
  size_t head_size = (repeater->head.used + 63) / 64 * 64; /* the alignment of old data */
  if (file->size > INT32_MAX - head_size)
    return error_set(error, NEAP_ERROR_FORMAT, "the model is too large for its own offsets");
  char *bytes = memory_array(head_size + file->size, 1);
  if (!bytes) return error_memory(error);
  repeater->head = (struct head){(unsigned char *)bytes, head_size, 0};
  write_head(repeater);
  memcpy(bytes + head_size, file->bytes, file->size);
  *repeated = bytes;
  *size = head_size + file->size;
  return tflite_model_move_data(&repeater->model, (unsigned char *)bytes + head_size, head_size,
                                error);
}

static neap_status check(const struct repeater *repeater, neap_error *error) {
  if (repeater->model.subgraph_count > 1)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "the model has several subgraphs, and neap repeats operators of models "
                     "with one");
  if (repeater->model.root.field_count > HEAD_ROOT_FIELDS)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "the model has parts that this version of neap cannot copy");
  for (size_t k = 0; k < repeater->order->count; k++)
    if (repeater->order->given[k] >= repeater->graph->operator_count)
      return error_set(error, NEAP_ERROR_ARGUMENT,
                       "the model has %zu operators, but the plan has operator %zu",
                       repeater->graph->operator_count, repeater->order->given[k]);
  return NEAP_OK;
}

bool tflite_repeats(const neap_operator_order *order) {
  size_t last = 0;
  for (size_t k = 0; order->given && k < order->count; k++)
    if (order->given[k] > last) last = order->given[k];
  return order->given && last + 1 < order->count;
}

neap_status tflite_repeat(const char *text, size_t size, const neap_operator_order *order,
                          char **repeated, size_t *repeated_size, neap_error *error) {
  static const neap_reading reading = {.struct_size = sizeof(neap_reading), .target = "tflm"};
  const struct flat file = {(const unsigned char *)text, size};
  struct repeater repeater = {.order = order};
  neap_status status = tflite_read(text, size, &reading, &repeater.graph, error);
  if (status != NEAP_OK) return status;
  status = tflite_model_open(&repeater.model, &file, error);
  if (status == NEAP_OK) status = check(&repeater, error);
  if (status == NEAP_OK) status = unroll(&repeater, error);
  if (status == NEAP_OK) status = write_copy(&repeater, repeated, repeated_size, error);
  tflite_model_close(&repeater.model);
  neap_graph_free(repeater.graph);
  neap_graph_free(repeater.unrolled);
  free(repeater.origins);
  free(repeater.numbers);
  free(repeater.newest);
  return status;
}
