/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A record of the requests that TensorFlow Lite Micro makes of its planner can also serve as the
 * table: first the requests for the model's tensors, in their order, then those for scratch
 * buffers.  Time is 0 before the first operator, and 1 while that operator runs.
 */
#include "models/tflite/tflite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/csv/csv.h"
#include "model/graph.h"
#include "models/tflite/kernel_shapes.h"
#include "models/tflite/operators.h"

/* The columns, by their fields. */
struct table {
  struct csv csv;
  const struct tflite_model *model;
  const neap_graph *graph;
  size_t fields, operator, bytes, persistent; /* persistent: SIZE_MAX if absent */
  bool is_recorded;                           /* `operator` is the column of the first moment */
  size_t tensor; /* is_recorded: the first tensor whose request is still to be read */
};

/* ---------------------------------------------------------------- operators */

static neap_status blame_operator(const struct table *table, const char *what,
                                  neap_error *error) {
  const struct csv_field *field = &table->csv.fields[table->operator];
  char excerpt[TEXT_EXCERPT];
  return csv_blame(&table->csv, table->operator, error, "%s %s", what,
                   text_excerpt(excerpt, field->text, field->length));
}

/* "7" or "1:7" */
static neap_status read_index(const struct table *table, const struct tflite_model *model,
                              struct tflite_request *request, neap_error *error) {
  const struct csv_field *field = &table->csv.fields[table->operator];
  const char *colon = memchr(field->text, ':', field->length), *index = field->text;
  int64_t subgraph = 0, number;
  if (colon) index = colon + 1;
  if ((colon &&
       text_number(field->text, (size_t)(colon - field->text), &subgraph) != TEXT_NUMBER_OK) ||
      text_number(index, strlen(index), &number) != TEXT_NUMBER_OK)
    return blame_operator(table, "expected an operator's index, SUBGRAPH:INDEX or type, found",
                          error);
  if ((uint64_t)subgraph >= model->subgraph_count ||
      (uint64_t)number >= model->subgraphs[subgraph].operators.count)
    return blame_operator(table, "the model has no operator", error);
  request->subgraph = (size_t)subgraph;
  request->index = (size_t)number;
  return NEAP_OK;
}

/* Finds the operators of a type; *count is their number, and *request gets the last one. */
static neap_status find_type(const struct tflite_model *model, const char *type,
                             struct tflite_request *request, size_t *count, neap_error *error) {
  struct flat_table node;
  uint64_t code;
  *count = 0;
  for (size_t s = 0; s < model->subgraph_count; s++)
    for (size_t k = 0; k < model->subgraphs[s].operators.count; k++) {
      if (!flat_element(&model->subgraphs[s].operators, k, &node) ||
          !tflite_model_code(model, &node, &code))
        return tflite_model_broken("operator", k, error);
      if (strcmp(tflite_operator_name(code), type) != 0) continue;
      request->subgraph = s;
      request->index = k;
      ++*count;
    }
  return NEAP_OK;
}

static neap_status read_operator(const struct table *table, const struct tflite_model *model,
                                 struct tflite_request *request, neap_error *error) {
  const struct csv_field *field = &table->csv.fields[table->operator];
  char excerpt[TEXT_EXCERPT];
  size_t count;
  if (field->length > 0 && (field->text[0] < 'A' || field->text[0] > 'Z'))
    return read_index(table, model, request, error);
  neap_status status = find_type(model, field->text, request, &count, error);
  if (status != NEAP_OK || count == 1) return status;
  if (count == 0) return blame_operator(table, "the model has no operator", error);
  return csv_blame(&table->csv, table->operator, error,
                   "the model has %zu operators of type %s; use an index", count,
                   text_excerpt(excerpt, field->text, field->length));
}

/* ---------------------------------------------------------------- rows */

static size_t find_column(const struct table *table, const char *name) {
  for (size_t f = 0; f < table->csv.count && f < CSV_FIELDS; f++)
    if (strcmp(table->csv.fields[f].text, name) == 0) return f;
  return SIZE_MAX;
}

static neap_status read_header(struct table *table, neap_error *error) {
  bool found;
  neap_status status = csv_next(&table->csv, &found, error);
  if (status != NEAP_OK) return status;
  if (!found) table->csv.count = 0;
  table->fields = table->csv.count;
  table->operator= find_column(table, "operator");
  table->bytes = find_column(table, "bytes");
  table->persistent = find_column(table, "persistent");
  if (table->operator!= SIZE_MAX && table->bytes != SIZE_MAX) return NEAP_OK;
  table->operator= find_column(table, "first");
  table->bytes = find_column(table, "size");
  table->is_recorded = table->operator!= SIZE_MAX && table->bytes != SIZE_MAX;
  if (table->is_recorded) return NEAP_OK;
  return error_at(
      error, NEAP_ERROR_INPUT, 1, 1,
      "expected a table of scratch buffers, with the columns operator and bytes, or "
      "recorded requests, with the columns first and size");
}

static neap_status add_request(struct tflite_scratch *scratch,
                               const struct tflite_request *request, neap_error *error) {
  if (!memory_reserve(&scratch->requests, &scratch->capacity, scratch->count + 1,
                      sizeof *scratch->requests))
    return error_memory(error);
  scratch->requests[scratch->count++] = *request;
  return NEAP_OK;
}

static neap_status read_bytes(const struct table *table, size_t field, const char *name,
                              neap_size *bytes, neap_error *error) {
  return csv_number(&table->csv, field, name, "a whole number of bytes", 0, bytes, error);
}

static neap_status read_row(const struct table *table, struct tflite_scratch *scratch,
                            neap_error *error) {
  struct tflite_request request = {.persistent = -1};
  neap_status status = read_bytes(table, table->bytes, "bytes", &request.bytes, error);
  if (status == NEAP_OK && table->persistent != SIZE_MAX)
    status = read_bytes(table, table->persistent, "persistent", &request.persistent, error);
  if (status == NEAP_OK) status = read_operator(table, table->model, &request, error);
  return status == NEAP_OK ? add_request(scratch, &request, error) : status;
}

/* ---------------------------------------------------------------- recorded requests */

/* Moves on to the next tensor for which the runtime requests memory; false after the last one. */
static bool find_requested(struct table *table) {
  for (; table->tensor < graph_tensor_count(table->graph); table->tensor++) {
    const neap_tensor *tensor = &table->graph->tensors[table->tensor];
    if (tensor->kind == NEAP_TENSOR_ACTIVATION && tensor->bytes > 0) return true;
  }
  return false;
}

static neap_status check_request(const struct table *table, neap_size bytes,
                                 neap_error *error) {
  const char *name = names_text(&table->graph->names, table->tensor);
  neap_size expected;
  char excerpt[TEXT_EXCERPT];
  if (checked_round_up(table->graph->tensors[table->tensor].bytes, TFLITE_ALIGNMENT,
                       &expected) &&
      expected == bytes)
    return NEAP_OK;
  return csv_blame(
      &table->csv, table->bytes, error,
      "recorded for another model: expected the request for tensor %s, found %" PRId64 " bytes",
      text_excerpt(excerpt, name, strlen(name)), bytes);
}

static neap_status read_recorded_scratch(const struct table *table,
                                         struct tflite_scratch *scratch, neap_size bytes,
                                         neap_error *error) {
  struct tflite_request request = {.bytes = bytes, .persistent = -1};
  size_t count = table->model->subgraphs[0].operators.count;
  int64_t first;
  neap_status status =
      csv_number(&table->csv, table->operator, "first", "a moment", 0, &first, error);
  if (status != NEAP_OK) return status;
  if (table->model->subgraph_count > 1)
    return csv_blame(
        &table->csv, table->operator, error,
        "the requests of a model with several subgraphs do not show which operator "
        "needs a scratch buffer; list them with the columns operator and bytes");
  if (first < 1 || (uint64_t)first > count)
    return csv_blame(&table->csv, table->operator, error,
                     "recorded for another model: no operator runs at %" PRId64, first);
  request.index = (size_t)first - 1;
  return add_request(scratch, &request, error);
}

static neap_status read_recorded(struct table *table, struct tflite_scratch *scratch,
                                 neap_error *error) {
  neap_size bytes;
  neap_status status = read_bytes(table, table->bytes, "size", &bytes, error);
  if (status != NEAP_OK) return status;
  if (!find_requested(table)) return read_recorded_scratch(table, scratch, bytes, error);
  status = check_request(table, bytes, error);
  table->tensor++;
  return status;
}

static neap_status check_end(struct table *table, neap_error *error) {
  if (!table->is_recorded || !find_requested(table)) return NEAP_OK;
  const char *name = names_text(&table->graph->names, table->tensor);
  char excerpt[TEXT_EXCERPT];
  return error_at(error, NEAP_ERROR_INPUT, table->csv.line, 1,
                  "recorded for another model: there is no request for tensor %s",
                  text_excerpt(excerpt, name, strlen(name)));
}

/* ---------------------------------------------------------------- the table */

static neap_status read_rows(struct table *table, struct tflite_scratch *scratch,
                             neap_error *error) {
  bool found = true;
  neap_status status = NEAP_OK;
  while (status == NEAP_OK) {
    status = csv_next(&table->csv, &found, error);
    if (status != NEAP_OK || !found) break;
    if (table->csv.count != table->fields)
      return error_at(error, NEAP_ERROR_INPUT, table->csv.line, 1,
                      "expected %zu fields as in the first row, found %zu", table->fields,
                      table->csv.count);
    status = table->is_recorded ? read_recorded(table, scratch, error)
                                : read_row(table, scratch, error);
  }
  return status == NEAP_OK ? check_end(table, error) : status;
}

static neap_status read_table(char *text, size_t size, const struct tflite_model *model,
                              const neap_graph *graph, struct tflite_scratch *scratch,
                              neap_error *error) {
  struct table *table = memory_array(1, sizeof *table);
  if (!table) return error_memory(error);
  table->model = model;
  table->graph = graph;
  table->is_recorded = false;
  table->tensor = 0;
  csv_init(&table->csv, text, size);
  neap_status status = read_header(table, error);
  if (status == NEAP_OK) status = read_rows(table, scratch, error);
  free(table);
  return status;
}

/* ---------------------------------------------------------------- tensors */

/* A name that no tensor of the model has: "scratch 3", with more spaces if needed. */
static neap_status add_tensor(neap_graph *graph, size_t number, struct tflite_request *request,
                              neap_error *error) {
  const neap_tensor tensor = {.struct_size = sizeof(neap_tensor),
                              .bytes = request->bytes,
                              .alignment = 1,
                              .is_online = true};
  char name[64];
  int spaces = 0, length;
  do
    length = snprintf(name, sizeof name, "scratch%*s%zu", ++spaces, "", number);
  while (names_find(&graph->names, name, (size_t)length) != NAMES_NONE && spaces < 32);
  request->tensor = graph_tensor_count(graph);
  return neap_graph_add_tensor(graph, name, &tensor, error);
}

/* Compares the operator of a request with another one: less than 0, 0 or more. */
static int compare(const struct tflite_request *a, size_t subgraph, size_t index) {
  if (a->subgraph != subgraph) return a->subgraph < subgraph ? -1 : 1;
  return a->index < index ? -1 : a->index > index;
}

static int by_operator(const void *left, const void *right) {
  const struct tflite_request *a = left, *b = right;
  int order = compare(a, b->subgraph, b->index);
  return order != 0 ? order : a->tensor < b->tensor ? -1 : a->tensor > b->tensor;
}

size_t tflite_scratch_find(const struct tflite_scratch *scratch, size_t subgraph,
                           size_t index) {
  struct bisection search = bisection_of(0, scratch->count);
  while (bisection_open(&search))
    bisection_step(&search, compare(&scratch->requests[search.middle], subgraph, index) < 0);
  return search.low;
}

/* ---------------------------------------------------------------- the whole */

static neap_status read_file(struct tflite_scratch *scratch, const char *path,
                             const struct tflite_model *model, const neap_graph *graph,
                             neap_error *error) {
  char *text;
  size_t size;
  neap_status status = input_read(path, &text, &size, error);
  if (status == NEAP_OK) {
    status = read_table(text, size, model, graph, scratch, error);
    free(text);
  }
  return error_in_file(error, status, path);
}

neap_status tflite_scratch_read(struct tflite_scratch *scratch, const char *path,
                                const struct tflite_model *model, neap_graph *graph,
                                neap_error *error) {
  *scratch = (struct tflite_scratch){.is_given = path != NULL};
  if (!path) return NEAP_OK;
  neap_status status = read_file(scratch, path, model, graph, error);
  for (size_t r = 0; r < scratch->count && status == NEAP_OK; r++)
    status = add_tensor(graph, r, &scratch->requests[r], error);
  if (scratch->count > 0)
    qsort(scratch->requests, scratch->count, sizeof *scratch->requests, by_operator);
  return status;
}

/* ---------------------------------------------------------------- predictions */

struct prediction {
  struct tflite_scratch *scratch;
  struct tflite_request request;
  neap_status status;
  neap_error *error;
};

static void take(void *user, const struct footprint_request *request) {
  struct prediction *prediction = user;
  if (request->kind != FOOTPRINT_SCRATCH || prediction->status != NEAP_OK) return;
  prediction->request.bytes = request->bytes;
  prediction->status =
      add_request(prediction->scratch, &prediction->request, prediction->error);
}

static neap_status predict_all(struct prediction *prediction,
                               struct tflite_footprint *footprint,
                               const struct tflite_model *model, neap_error *error) {
  for (size_t s = 0; s < model->subgraph_count; s++)
    for (size_t k = 0; k < model->subgraphs[s].operators.count; k++) {
      neap_status status = tflite_footprint_open(footprint, model, s, k, error);
      if (status != NEAP_OK) return status;
      prediction->request = (struct tflite_request){.subgraph = s, .index = k};
      footprint_find(&footprint->call, FOOTPRINT_PREPARE);
      if (prediction->status != NEAP_OK) return prediction->status;
    }
  return NEAP_OK;
}

neap_status tflite_scratch_predict(struct tflite_scratch *scratch,
                                   const struct tflite_model *model,
                                   const neap_reading *reading, neap_graph *graph,
                                   neap_error *error) {
  struct prediction prediction = {.scratch = scratch, .status = NEAP_OK, .error = error};
  struct tflite_footprint footprint = {.call = {.take = take, .user = &prediction}};
  tflite_footprint_target(&footprint, reading);
  *scratch = (struct tflite_scratch){.requests = NULL};
  neap_status status = predict_all(&prediction, &footprint, model, error);
  tflite_footprint_clear(&footprint);
  for (size_t r = 0; r < scratch->count && status == NEAP_OK; r++)
    status = add_tensor(graph, r, &scratch->requests[r], error);
  return status;
}

void tflite_scratch_clear(struct tflite_scratch *scratch) { free(scratch->requests); }
