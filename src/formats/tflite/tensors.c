/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tflite/tensors.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/dtype.h"
#include "formats/tflite/schema.h"
#include "model/graph.h"

#define MAX_RANK 64

struct reader {
  struct tflite_model *model;
  const struct target *target;
  neap_graph *graph;
  neap_size dimensions[MAX_RANK]; /* of the current tensor */
};

/* By their numbers in the schema; types without a fixed width have 0 bits. */
static const struct {
  const char *name;
  unsigned char bits;
} types[] = {{"float32", 32},   {"float16", 16}, {"int32", 32},    {"uint8", 8},
             {"int64", 64},     {"string", 0},   {"bool", 8},      {"int16", 16},
             {"complex64", 64}, {"int8", 8},     {"float64", 64},  {"complex128", 128},
             {"uint64", 64},    {"resource", 0}, {"variant", 0},   {"uint32", 32},
             {"uint16", 16},    {"int4", 4},     {"bfloat16", 16}, {"int2", 2}};

enum { TYPE_COUNT = sizeof types / sizeof *types };

static int64_t bits_of(uint64_t type) { return type < TYPE_COUNT ? types[type].bits : 0; }

/* Types that only the runtime can keep: strings, resources and variants. */
static bool is_runtime_type(uint64_t type) {
  enum { STRING = 5, RESOURCE = 13, VARIANT = 14 };
  return type == STRING || type == RESOURCE || type == VARIANT;
}

/*
 * Sets bytes, natural alignment, shape and type of a tensor.  The bytes follow from the shape, which
 * the model was converted for; its shape_signature, which says what may vary, is not read.
 */
static neap_status measure(struct reader *reader, const struct flat_table *tensor,
                           const char *name, uint64_t type, neap_tensor *measured,
                           neap_error *error) {
  struct flat_vector shape;
  int64_t elements = 1, bits = bits_of(type);
  if (!flat_vector(tensor, TFLITE_TENSOR_SHAPE, 4, &shape))
    return error_set(
        error, NEAP_ERROR_INPUT,
        "broken TensorFlow Lite model: the shape of tensor %s points outside the file", name);
  if (bits == 0)
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
    reader->dimensions[d] = dimension;
  }
  measured->shape = reader->dimensions;
  measured->rank = shape.count;
  measured->dtype = types[type].name;
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
  neap_tensor tensor = {.alignment = 1};
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
    status = measure(reader, table, excerpt, type, &tensor, error);
  return status == NEAP_OK ? neap_graph_add_tensor(reader->graph, name, &tensor, error)
                           : status;
}

/* Reads tensor `index` of a subgraph. */
static neap_status read_tensor(struct reader *reader, const struct tflite_subgraph *subgraph,
                               size_t index, neap_error *error) {
  struct flat_table table;
  const char *text;
  size_t length, number = subgraph->first + index;
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

neap_status tflite_read_tensors(struct tflite_model *model, const struct target *target,
                                neap_graph *graph, neap_error *error) {
  struct reader reader = {.model = model, .target = target, .graph = graph};
  neap_status status = NEAP_OK;
  for (size_t s = 0; s < model->subgraph_count; s++)
    for (size_t t = 0; t < model->subgraphs[s].tensors.count && status == NEAP_OK; t++)
      status = read_tensor(&reader, &model->subgraphs[s], t, error);
  return status;
}
