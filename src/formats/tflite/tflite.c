/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tflite/tflite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/dtype.h"
#include "formats/tflite/operators.h"
#include "formats/tflite/schema.h"

#define MAX_RANK 64

struct reader {
  struct flat file;
  struct flat_table model, subgraph;
  struct flat_vector tensors, operators, opcodes, buffers;
  neap_graph *graph;
  size_t
      read; /* elements and bytes so far: tables may overlap, but not add up to more than the file */
};

bool tflite_is(const char *text, size_t size, const neap_reading *reading) {
  (void)reading;
  return size >= 8 && memcmp(text + 4, "TFL3", 4) == 0;
}

static neap_status broken(const char *what, size_t index, neap_error *error) {
  return error_set(error, NEAP_ERROR_INPUT,
                   "broken TensorFlow Lite model: %s %zu points outside the file", what, index);
}

/* With tables that overlap, a small file could ask for a lot of work. */
static neap_status spend(struct reader *reader, size_t amount, neap_error *error) {
  if (amount <= reader->file.size - reader->read) {
    reader->read += amount;
    return NEAP_OK;
  }
  return error_set(error, NEAP_ERROR_INPUT, "broken TensorFlow Lite model: its tables overlap");
}

/* ---------------------------------------------------------------- tensors */

/* Bits of an element; 0 of types without a fixed width. */
static int64_t bits_of(uint64_t type) {
  static const unsigned char bits[] = {32, 16,  32, 8, 64, 0,  8,  16, 64, 8,
                                       64, 128, 64, 0, 0,  32, 16, 4,  16, 2};
  return type < sizeof bits ? bits[type] : 0;
}

/* Sets the bytes and the natural alignment of a tensor. */
static neap_status measure(const struct flat_table *tensor, const char *name,
                           neap_tensor *measured, neap_error *error) {
  struct flat_vector shape;
  uint64_t type;
  int64_t elements = 1;
  if (!flat_vector(tensor, TFLITE_TENSOR_SHAPE, 4, &shape) ||
      !flat_unsigned(tensor, TFLITE_TENSOR_TYPE, 1, 0, &type))
    return error_set(
        error, NEAP_ERROR_INPUT,
        "broken TensorFlow Lite model: the shape of tensor %s points outside the file", name);
  if (bits_of(type) == 0)
    return error_set(error, NEAP_ERROR_INPUT,
                     "tensor %s: elements of type %" PRIu64 " have no fixed size", name, type);
  if (shape.count > MAX_RANK)
    return error_set(error, NEAP_ERROR_INPUT,
                     "tensor %s: expected up to %d dimensions, found %zu", name, MAX_RANK,
                     shape.count);
  for (size_t d = 0; d < shape.count; d++) {
    int32_t dimension = flat_int32(&shape, d);
    if (dimension < 0)
      return error_set(error, NEAP_ERROR_INPUT,
                       "tensor %s: expected a fixed shape, found dimension %zu of %" PRId32,
                       name, d, dimension);
    if (!checked_mul(elements, dimension, &elements))
      return error_set(error, NEAP_ERROR_INPUT, "tensor %s has too many elements", name);
  }
  if (!dtype_bytes(elements, bits_of(type), &measured->bytes))
    return error_set(error, NEAP_ERROR_INPUT, "tensor %s has too many elements", name);
  measured->alignment = dtype_alignment(bits_of(type));
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
    return broken("tensor", index, error);
  if (number == 0) return NEAP_OK;
  if (!flat_element(&reader->buffers, (size_t)number, &buffer) ||
      !flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, &data) ||
      !flat_unsigned(&buffer, TFLITE_BUFFER_OFFSET, 8, 0, &offset) ||
      !flat_unsigned(&buffer, TFLITE_BUFFER_SIZE, 8, 0, &size))
    return broken("buffer", (size_t)number, error);
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
  neap_tensor tensor = {.alignment = 1};
  uint64_t variable;
  bool constant;
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, name, strlen(name));
  neap_status status = is_constant(reader, table, index, &constant, &tensor.bytes, error);
  if (status != NEAP_OK) return status;
  if (!flat_unsigned(table, TFLITE_TENSOR_IS_VARIABLE, 1, 0, &variable))
    return broken("tensor", index, error);
  if (constant && !variable) tensor.kind = NEAP_TENSOR_CONSTANT;
  else if (variable) tensor.kind = NEAP_TENSOR_VARIABLE;
  if (tensor.kind != NEAP_TENSOR_CONSTANT) status = measure(table, excerpt, &tensor, error);
  return status == NEAP_OK ? neap_graph_add_tensor(reader->graph, name, &tensor, error)
                           : status;
}

static neap_status read_tensor(struct reader *reader, size_t index, neap_error *error) {
  struct flat_table table;
  const char *text;
  size_t length;
  if (!flat_element(&reader->tensors, index, &table) ||
      !flat_text(&table, TFLITE_TENSOR_NAME, &text, &length))
    return broken("tensor", index, error);
  neap_status status = spend(reader, length + 4, error);
  if (status != NEAP_OK) return status;
  char *name = choose_name(reader, text, length, index);
  if (!name) return error_memory(error);
  status = add_tensor(reader, &table, index, name, error);
  free(name);
  return status;
}

/* ---------------------------------------------------------------- operators */

/* Reads the operator's code: the larger of two fields, the older of which has one byte. */
static bool read_code(const struct reader *reader, const struct flat_table *table,
                      uint64_t *code) {
  uint64_t opcode, old;
  struct flat_table entry;
  if (!flat_unsigned(table, TFLITE_OPERATOR_OPCODE, 4, 0, &opcode) ||
      !flat_element(&reader->opcodes, (size_t)opcode, &entry) ||
      !flat_unsigned(&entry, TFLITE_OPCODE_OLD_CODE, 1, 0, &old) ||
      !flat_unsigned(&entry, TFLITE_OPCODE_CODE, 4, 0, code))
    return false;
  if (old < 128 && old > *code) *code = old;
  return true;
}

static neap_status read_links(struct reader *reader, const struct flat_table *table,
                              size_t field, neap_link role, size_t index, neap_error *error) {
  struct flat_vector list;
  if (!flat_vector(table, field, 4, &list)) return broken("operator", index, error);
  neap_status status = spend(reader, 4 * list.count, error);
  for (size_t i = 0; i < list.count && status == NEAP_OK; i++) {
    int32_t tensor = flat_int32(&list, i);
    if (tensor == -1) continue; /* optional and absent */
    if (tensor < 0 || (size_t)tensor >= reader->tensors.count)
      return error_set(error, NEAP_ERROR_INPUT,
                       "operator %zu: the model has %zu tensors, but this uses number %" PRId32,
                       index, reader->tensors.count, tensor);
    status = neap_graph_add_link(reader->graph, role, (size_t)tensor, error);
  }
  return status;
}

/* The first output may use the bytes of one of the first inputs. */
static neap_status add_pairs(struct reader *reader, uint64_t code, neap_error *error) {
  const struct graph_operator *last =
      &reader->graph->operators[reader->graph->operator_count - 1];
  bool view = tflite_operator_is_view(code);
  size_t inputs = last->inputs.end - last->inputs.begin;
  if ((!view && !tflite_operator_is_element_wise(code)) ||
      last->outputs.begin == last->outputs.end)
    return NEAP_OK;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < inputs && i < (view ? 1 : 2) && status == NEAP_OK; i++)
    status = neap_graph_add_pair(reader->graph, &(neap_in_place){i, 0, view}, error);
  return status;
}

static neap_status read_operator(struct reader *reader, size_t index, neap_error *error) {
  struct flat_table table;
  uint64_t code;
  if (!flat_element(&reader->operators, index, &table) || !read_code(reader, &table, &code))
    return broken("operator", index, error);
  neap_status status =
      neap_graph_add_operator(reader->graph, tflite_operator_name(code), error);
  if (status == NEAP_OK)
    status = read_links(reader, &table, TFLITE_OPERATOR_INPUTS, NEAP_LINK_INPUT, index, error);
  if (status == NEAP_OK)
    status =
        read_links(reader, &table, TFLITE_OPERATOR_OUTPUTS, NEAP_LINK_OUTPUT, index, error);
  return status == NEAP_OK ? add_pairs(reader, code, error) : status;
}

/* ---------------------------------------------------------------- the whole */

static neap_status mark(struct reader *reader, size_t field, bool output, neap_error *error) {
  struct flat_vector list;
  if (!flat_vector(&reader->subgraph, field, 4, &list)) return broken("subgraph", 0, error);
  for (size_t i = 0; i < list.count; i++) {
    int32_t tensor = flat_int32(&list, i);
    if (tensor == -1) continue;
    if (tensor < 0 || (size_t)tensor >= reader->tensors.count)
      return error_set(error, NEAP_ERROR_INPUT,
                       "subgraph: the model has %zu tensors, but this uses number %" PRId32,
                       reader->tensors.count, tensor);
    if (output) reader->graph->tensors[tensor].is_output = true;
    else if (reader->graph->tensors[tensor].kind == NEAP_TENSOR_ACTIVATION)
      reader->graph->tensors[tensor].is_input = true;
  }
  return NEAP_OK;
}

static neap_status open_model(struct reader *reader, neap_error *error) {
  struct flat_vector subgraphs;
  if (!flat_root(&reader->file, &reader->model) ||
      !flat_vector(&reader->model, TFLITE_MODEL_SUBGRAPHS, 4, &subgraphs) ||
      !flat_vector(&reader->model, TFLITE_MODEL_OPCODES, 4, &reader->opcodes) ||
      !flat_vector(&reader->model, TFLITE_MODEL_BUFFERS, 4, &reader->buffers))
    return broken("table", 0, error);
  if (subgraphs.count == 0)
    return error_set(error, NEAP_ERROR_INPUT, "the TensorFlow Lite model has no subgraph");
  if (!flat_element(&subgraphs, 0, &reader->subgraph) ||
      !flat_vector(&reader->subgraph, TFLITE_SUBGRAPH_TENSORS, 4, &reader->tensors) ||
      !flat_vector(&reader->subgraph, TFLITE_SUBGRAPH_OPERATORS, 4, &reader->operators))
    return broken("subgraph", 0, error);
  return NEAP_OK;
}

static neap_status read_all(struct reader *reader, neap_error *error) {
  neap_status status = open_model(reader, error);
  for (size_t t = 0; t < reader->tensors.count && status == NEAP_OK; t++)
    status = read_tensor(reader, t, error);
  for (size_t k = 0; k < reader->operators.count && status == NEAP_OK; k++)
    status = read_operator(reader, k, error);
  if (status == NEAP_OK) status = mark(reader, TFLITE_SUBGRAPH_INPUTS, false, error);
  return status == NEAP_OK ? mark(reader, TFLITE_SUBGRAPH_OUTPUTS, true, error) : status;
}

neap_status tflite_read(const char *text, size_t size, const neap_reading *reading,
                        neap_graph **graph, neap_error *error) {
  struct reader reader = {.file = {(const unsigned char *)text, size},
                          .graph = neap_graph_new()};
  if (!reader.graph) return error_memory(error);
  neap_status status = tflite_is(text, size, reading)
                           ? read_all(&reader, error)
                           : error_set(error, NEAP_ERROR_INPUT,
                                       "not a TensorFlow Lite model (no TFL3 identifier)");
  if (status == NEAP_OK) *graph = reader.graph;
  else neap_graph_free(reader.graph);
  return status;
}

neap_status tflite_find_operators(const struct flat *file, struct flat_vector *operators,
                                  neap_error *error) {
  struct reader reader = {.file = *file};
  neap_status status = open_model(&reader, error);
  if (status == NEAP_OK) *operators = reader.operators;
  return status;
}
