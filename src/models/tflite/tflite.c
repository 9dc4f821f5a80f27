/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/tflite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/dtype.h"
#include "files/kernels.h"
#include "files/target.h"
#include "model/graph.h"
#include "models/tflite/assumed.h"
#include "models/tflite/model.h"
#include "models/tflite/schema.h"
#include "models/tflite/weights.h"
#include "models/tflm/element_types.h"

/* ---------------------------------------------------------------- offsets in the model */

/*
 * Vela compiles parts of a model for the Ethos-U.  Each part becomes one operator, ethos-u, whose
 * commands have addresses relative to a scratch tensor that nothing makes.  The operator's inputs
 * and outputs lie within that tensor, at the offsets in the model's plan:
 *
 *     |------------------- scratch -------------------|
 *     |-- input --|            |-- output --|
 *
 * A new plan must keep all of these where they are.  The largest such tensor is the home of the
 * others; together they are one buffer, which lives as long as any of them.
 */

#define COMPILED "ethos-u"

struct pinning {
  const struct tflite_model *model;
  neap_graph *graph;
  const int32_t *offsets; /* of all tensors */
  bool *is_made;          /* by tensor: an operator makes it, or it exists at the start */
  size_t home;            /* TFLITE_NONE: none yet */
};

static neap_status is_compiled(const struct tflite_model *model, size_t opcode, bool *found,
                               neap_error *error) {
  struct flat_table entry;
  const char *name;
  size_t length;
  if (!flat_element(&model->opcodes, opcode, &entry) ||
      !flat_text(&entry, TFLITE_OPCODE_CUSTOM, &name, &length))
    return tflite_model_broken("operator code", opcode, error);
  *found = length == strlen(COMPILED) && memcmp(name, COMPILED, length) == 0;
  return NEAP_OK;
}

/* Pins the tensors of one list of a compiled operator. */
static neap_status pin_list(struct pinning *pinning, const struct tflite_subgraph *subgraph,
                            const struct flat_table *node, size_t field, neap_error *error) {
  struct flat_vector list;
  neap_graph *graph = pinning->graph;
  if (!flat_vector(node, field, 4, &list)) return tflite_model_broken("operator", 0, error);
  for (size_t i = 0; i < list.count; i++) {
    size_t tensor;
    neap_status status = tflite_model_tensor(subgraph, &list, i, "operator", i, &tensor, error);
    if (status != NEAP_OK) return status;
    if (tensor == TFLITE_NONE || graph->tensors[tensor].kind != NEAP_TENSOR_ACTIVATION ||
        pinning->offsets[tensor] < 0)
      continue;
    graph->pins[tensor] = (struct graph_pin){tensor, pinning->offsets[tensor]};
    graph->is_ordered = true;
    if (!pinning->is_made[tensor] &&
        (pinning->home == TFLITE_NONE ||
         graph->tensors[tensor].bytes > graph->tensors[pinning->home].bytes))
      pinning->home = tensor;
  }
  return NEAP_OK;
}

static neap_status pin_subgraph(struct pinning *pinning, const struct tflite_subgraph *subgraph,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t k = 0; k < subgraph->operators.count && status == NEAP_OK; k++) {
    struct flat_table node;
    uint64_t opcode;
    bool found;
    if (!flat_element(&subgraph->operators, k, &node) ||
        !flat_unsigned(&node, TFLITE_OPERATOR_OPCODE, 4, 0, &opcode))
      return tflite_model_broken("operator", k, error);
    status = is_compiled(pinning->model, (size_t)opcode, &found, error);
    if (status != NEAP_OK || !found) continue;
    status = pin_list(pinning, subgraph, &node, TFLITE_OPERATOR_INPUTS, error);
    if (status == NEAP_OK)
      status = pin_list(pinning, subgraph, &node, TFLITE_OPERATOR_OUTPUTS, error);
  }
  return status;
}

/* Sets the home of the pinned tensors that lie within it. */
static void find_homes(const struct pinning *pinning) {
  neap_graph *graph = pinning->graph;
  if (pinning->home == TFLITE_NONE) return;
  neap_offset low = graph->pins[pinning->home].offset;
  neap_offset high = low + graph->tensors[pinning->home].bytes;
  for (size_t t = 0; t < pinning->model->tensor_count; t++) {
    struct graph_pin *pin = &graph->pins[t];
    if (pin->offset >= low && graph->tensors[t].bytes <= high - pin->offset)
      pin->home = pinning->home;
  }
}

static void note_made(const struct pinning *pinning) {
  const struct tflite_model *model = pinning->model;
  for (size_t t = 0; t < model->tensor_count; t++)
    pinning->is_made[t] = pinning->graph->tensors[t].is_input;
  for (size_t s = 0; s < model->subgraph_count; s++)
    for (size_t k = 0; k < model->subgraphs[s].operators.count; k++) {
      struct flat_table node;
      struct flat_vector list;
      size_t tensor;
      if (!flat_element(&model->subgraphs[s].operators, k, &node) ||
          !flat_vector(&node, TFLITE_OPERATOR_OUTPUTS, 4, &list))
        return;
      for (size_t i = 0; i < list.count; i++)
        if (tflite_model_tensor(&model->subgraphs[s], &list, i, "operator", k, &tensor, NULL) ==
                NEAP_OK &&
            tensor != TFLITE_NONE)
          pinning->is_made[tensor] = true;
    }
}

neap_status tflite_has_compiled(const struct tflite_model *model, bool *found,
                                neap_error *error) {
  neap_status status = NEAP_OK;
  *found = false;
  for (size_t c = 0; c < model->opcodes.count && !*found && status == NEAP_OK; c++)
    status = is_compiled(model, c, found, error);
  return status;
}

static neap_status pin_all(struct pinning *pinning, neap_error *error) {
  neap_graph *graph = pinning->graph;
  size_t count = graph_tensor_count(graph);
  graph->pins = memory_array(count, sizeof *graph->pins);
  pinning->is_made = memory_array(count, sizeof *pinning->is_made);
  neap_status status = graph->pins && pinning->is_made ? NEAP_OK : error_memory(error);
  if (status != NEAP_OK) return status;
  for (size_t t = 0; t < count; t++)
    graph->pins[t] = (struct graph_pin){t, NEAP_UNPLACED};
  note_made(pinning);
  for (size_t s = 0; s < pinning->model->subgraph_count && status == NEAP_OK; s++)
    status = pin_subgraph(pinning, &pinning->model->subgraphs[s], error);
  if (status == NEAP_OK) find_homes(pinning);
  return status;
}

/*
 * Pins the tensors of compiled operators, if the model has a plan, in a graph with its operators.
 */
static neap_status tflite_pin_compiled(const struct tflite_model *model, neap_graph *graph,
                                       neap_error *error) {
  int32_t *offsets = NULL;
  bool found;
  neap_status status = tflite_has_compiled(model, &found, error);
  if (status != NEAP_OK || !found) return status;
  status = tflite_plan_offsets(model, &offsets, error);
  if (status != NEAP_OK || !offsets) return status;
  struct pinning pinning = {model, graph, offsets, NULL, TFLITE_NONE};
  status = pin_all(&pinning, error);
  free(pinning.is_made);
  free(offsets);
  return status;
}

/* ---------------------------------------------------------------- tensors */

#define MAX_RANK 64

struct reader {
  struct tflite_model *model;
  const struct target *target;
  neap_graph *graph;
  const struct tflite_subgraph *subgraph; /* of the current tensor */
  neap_size dimensions[MAX_RANK];         /* of the current tensor */
};

static int64_t bits_of(uint64_t type) {
  const struct element_type *known = element_type_find(type);
  return known ? known->bits : 0;
}

/* Types that only the runtime can keep: strings, resources and variants. */
static bool is_runtime_type(uint64_t type) {
  enum { STRING = 5, RESOURCE = 13, VARIANT = 14 };
  return type == STRING || type == RESOURCE || type == VARIANT;
}

/* Sets bytes, natural alignment, shape and type of a tensor. */
static neap_status measure(struct reader *reader, const struct flat_table *tensor, size_t index,
                           const char *name, uint64_t type, neap_tensor *measured,
                           neap_error *error) {
  struct flat_vector shape;
  int64_t elements = 1, bits = bits_of(type);
  if (!flat_vector(tensor, TFLITE_TENSOR_SHAPE, 4, &shape))
    return error_set(
        error, NEAP_ERROR_INPUT,
        "truncated or damaged model: the shape of tensor %s is beyond the file's end", name);
  if (bits == 0)
    return error_set(error, NEAP_ERROR_INPUT,
                     "tensor %s: elements of type %" PRIu64 " have no fixed size", name, type);
  if (shape.count > MAX_RANK)
    return error_set(error, NEAP_ERROR_INPUT,
                     "tensor %s: expected up to %d dimensions, found %zu", name, MAX_RANK,
                     shape.count);
  for (size_t d = 0; d < shape.count; d++) {
    const int64_t dimension = tflite_model_dimension(reader->subgraph, index, &shape, d);
    if (dimension < 0)
      return error_set(error, NEAP_ERROR_INPUT,
                       "tensor %s: expected a fixed shape, found dimension %zu of %" PRId64,
                       name, d, dimension);
    if (!checked_mul(elements, dimension, &elements))
      return error_set(error, NEAP_ERROR_INPUT, "tensor %s has too many elements", name);
    reader->dimensions[d] = dimension;
  }
  measured->shape = reader->dimensions;
  measured->rank = shape.count;
  measured->dtype = element_type_find(type)->name;
  if (bits < 8 && reader->target->has_byte_elements) bits = 8;
  if (!dtype_bytes(elements, bits, &measured->bytes))
    return error_set(error, NEAP_ERROR_INPUT, "tensor %s has too many elements", name);
  measured->alignment = dtype_alignment(bits);
  return NEAP_OK;
}

/* Whether the model holds the tensor's data, and how many bytes. */
static neap_status is_constant(const struct reader *reader, const struct flat_table *tensor,
                               size_t index, bool *constant, neap_size *bytes,
                               neap_error *error) {
  uint64_t number, offset, size;
  struct flat_table buffer;
  struct flat_vector data;
  *constant = false;
  if (!flat_unsigned(tensor, TFLITE_TENSOR_BUFFER, 4, 0, &number))
    return tflite_model_broken("tensor", index, error);
  if (number == 0) return NEAP_OK;
  if (!flat_element(&reader->model->buffers, (size_t)number, &buffer) ||
      !flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, &data) ||
      !flat_unsigned(&buffer, TFLITE_BUFFER_OFFSET, 8, 0, &offset) ||
      !flat_unsigned(&buffer, TFLITE_BUFFER_SIZE, 8, 0, &size))
    return tflite_model_broken("buffer", (size_t)number, error);
  bool is_behind = offset > 1; /* the data follows the tables */
  *constant = data.count > 0 || is_behind;
  *bytes = (neap_size)data.count;
  if (is_behind) *bytes = size < NEAP_MAX ? (neap_size)size : NEAP_MAX;
  return NEAP_OK;
}

/* Appends #INDEX; false when memory is short. */
static bool number_name(char **name, size_t index) {
  size_t length = strlen(*name);
  char *longer = realloc(*name, length + 32);
  if (!longer) return false;
  snprintf(longer + length, 32, "#%zu", index);
  *name = longer;
  return true;
}

/*
 * A unique name for the tensor, released with free(); NULL if memory is short.  Another tensor may
 * have the numbered name already, but each such name costs only one more attempt.
 */
static char *choose_name(const struct reader *reader, const char *text, size_t length,
                         size_t index) {
  char plain[32];
  if (length == 0 || memchr(text, '\0', length) || text_utf8_prefix(text, length) != length) {
    length = (size_t)snprintf(plain, sizeof plain, "tensor %zu", index);
    text = plain;
  }
  char *name = memory_text(text, length);
  while (name && names_find(&reader->graph->names, name, strlen(name)) != NAMES_NONE)
    if (!number_name(&name, index)) {
      free(name);
      name = NULL;
    }
  return name;
}

static neap_status add_tensor(struct reader *reader, const struct flat_table *table,
                              size_t index, const char *name, neap_error *error) {
  neap_tensor tensor = {.struct_size = sizeof(neap_tensor), .alignment = 1};
  uint64_t variable, type;
  bool constant;
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, name, strlen(name));
  neap_status status = is_constant(reader, table, index, &constant, &tensor.bytes, error);
  if (status != NEAP_OK) return status;
  if (!flat_unsigned(table, TFLITE_TENSOR_IS_VARIABLE, 1, 0, &variable) ||
      !flat_unsigned(table, TFLITE_TENSOR_TYPE, 1, 0, &type))
    return tflite_model_broken("tensor", index, error);
  if (constant && !variable) tensor.kind = NEAP_TENSOR_CONSTANT;
  else if (is_runtime_type(type)) tensor.kind = NEAP_TENSOR_EXTERNAL;
  else if (variable) tensor.kind = NEAP_TENSOR_VARIABLE;
  if (tensor.kind == NEAP_TENSOR_ACTIVATION || tensor.kind == NEAP_TENSOR_VARIABLE)
    status =
        measure(reader, table, index - reader->subgraph->first, excerpt, type, &tensor, error);
  return status == NEAP_OK ? neap_graph_add_tensor(reader->graph, name, &tensor, error)
                           : status;
}

/* Reads tensor `index` of a subgraph. */
static neap_status read_tensor(struct reader *reader, const struct tflite_subgraph *subgraph,
                               size_t index, neap_error *error) {
  struct flat_table table;
  const char *text;
  size_t length, number = subgraph->first + index;
  reader->subgraph = subgraph;
  if (!flat_element(&subgraph->tensors, index, &table) ||
      !flat_text(&table, TFLITE_TENSOR_NAME, &text, &length))
    return tflite_model_broken("tensor", number, error);
  neap_status status = tflite_model_spend(reader->model, length, error);
  if (status != NEAP_OK) return status;
  char *name = choose_name(reader, text, length, number);
  if (!name) return error_memory(error);
  status = add_tensor(reader, &table, number, name, error);
  free(name);
  return status;
}

/*
 * Adds the tensors of all subgraphs to a graph without tensors.  Constants and variables are marked
 * as such; tensors without a known size, which only the runtime can keep, are marked as stored
 * elsewhere.
 */
static neap_status tflite_read_tensors(struct tflite_model *model, const struct target *target,
                                       neap_graph *graph, neap_error *error) {
  struct reader reader = {.model = model, .target = target, .graph = graph};
  neap_status status = NEAP_OK;
  for (size_t s = 0; s < model->subgraph_count; s++)
    for (size_t t = 0; t < model->subgraphs[s].tensors.count && status == NEAP_OK; t++)
      status = read_tensor(&reader, &model->subgraphs[s], t, error);
  return status;
}

/*
 * Finds weights that are made once.  They are not in the arena, but their readers still run after
 * the operators that make them.
 */
static neap_status find_weights(const struct tflite_model *model, const neap_reading *reading,
                                neap_graph *graph, neap_error *error) {
  for (size_t s = 0; s < model->subgraph_count; s++)
    for (size_t k = 0; k < model->subgraphs[s].operators.count; k++) {
      const struct tflite_subgraph *subgraph = &model->subgraphs[s];
      struct flat_table node;
      struct flat_vector outputs;
      size_t tensor;
      if (!flat_element(&subgraph->operators, k, &node) ||
          !flat_vector(&node, TFLITE_OPERATOR_OUTPUTS, 4, &outputs))
        return tflite_model_broken("operator", k, error);
      if (!tflite_makes_weights(model, subgraph, &node, reading)) continue;
      neap_status status =
          tflite_model_tensor(subgraph, &outputs, 0, "operator", k, &tensor, error);
      if (status != NEAP_OK) return status;
      graph->tensors[tensor].kind = NEAP_TENSOR_EXTERNAL;
    }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the model */

bool tflite_is(const char *text, size_t size, const neap_reading *reading) {
  (void)reading;
  return size >= 8 && memcmp(text + 4, "TFL3", 4) == 0;
}

neap_status tflite_check(const char *text, size_t size, const neap_reading *reading,
                         neap_error *error) {
  if (tflite_is(text, size, reading)) return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT, "not a TensorFlow Lite model (no TFL3 identifier)");
}

/* Leaves tensor i to the runtime if that reads its offset for variable i of a later subgraph. */
static void yield_to_variables(const struct tflite_model *model, neap_graph *graph) {
  for (size_t s = 1; s < model->subgraph_count; s++)
    for (size_t i = 0; i < model->subgraphs[s].tensors.count; i++)
      if (graph->tensors[model->subgraphs[s].first + i].kind == NEAP_TENSOR_VARIABLE)
        graph->tensors[i].is_online = true;
}

static neap_status check_reading(const neap_reading *reading, neap_error *error) {
  if (reading->model.pointer != 0 && reading->model.pointer != 4 && reading->model.pointer != 8)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "neap_reading.model.pointer is %" PRId64
                     ", but pointers have 4 or 8 bytes",
                     reading->model.pointer);
  if (reading->model.pointer == 4 && reading->graph.kernels == NEAP_KERNELS_PYTHON)
    return error_set(
        error, NEAP_ERROR_ARGUMENT,
        "neap_reading.model.pointer is 4, but the interpreter of neap_reading.graph.kernels "
        "tflm-python has pointers of 8 bytes");
  if (target_of(reading)->is_predicted && !kernels_at(kernels_of(reading))->is_runtimes)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "neap_reading.graph.kernels %s: the target %s cannot be built with them",
                     kernels_at(reading->graph.kernels)->name, reading->graph.target);
  return NEAP_OK;
}

static neap_status read_graph(struct tflite_model *model, const neap_reading *reading,
                              const int32_t *offsets, neap_graph *graph, neap_error *error) {
  struct tflite_scratch scratch = {.requests = NULL};
  bool is_predicted = target_of(reading)->is_predicted;
  neap_status status = check_reading(reading, error);
  if (status == NEAP_OK) status = tflite_free_dims_read(model, reading, error);
  if (status == NEAP_OK) status = tflite_read_tensors(model, target_of(reading), graph, error);
  if (status == NEAP_OK)
    status = is_predicted && !reading->model.scratch
                 ? tflite_scratch_predict(&scratch, model, reading, graph, error)
                 : tflite_scratch_read(&scratch, reading->model.scratch, model, graph, error);
  if (status == NEAP_OK) status = tflite_read_flow(model, &scratch, reading, graph, error);
  if (status == NEAP_OK) status = find_weights(model, reading, graph, error);
  if (status == NEAP_OK && is_predicted)
    status = tflite_arena_predict(model, reading, &scratch, offsets, graph, error);
  if (status == NEAP_OK)
    status =
        tflite_assumed_note(model, reading, graph->arena ? &graph->arena->totals : NULL, error);
  tflite_scratch_clear(&scratch);
  if (status == NEAP_OK) status = tflite_pin_compiled(model, graph, error);
  if (status == NEAP_OK && target_leaves_variables(reading)) yield_to_variables(model, graph);
  return status;
}

neap_status tflite_read_model(struct tflite_model *model, const neap_reading *reading,
                              const int32_t *offsets, neap_graph **graph, neap_error *error) {
  neap_graph *made = neap_graph_new();
  if (!made) return error_memory(error);
  neap_status status = read_graph(model, reading, offsets, made, error);
  if (status == NEAP_OK) *graph = made;
  else neap_graph_free(made);
  return status;
}

neap_status tflite_read(const char *text, size_t size, const neap_reading *reading,
                        neap_graph **graph, neap_error *error) {
  struct flat file = {(const unsigned char *)text, size};
  struct tflite_model model;
  neap_status status = tflite_check(text, size, reading, error);
  if (status != NEAP_OK) return status;
  status = tflite_model_open(&model, &file, error);
  if (status == NEAP_OK) status = tflite_read_model(&model, reading, NULL, graph, error);
  tflite_model_close(&model);
  return status;
}
