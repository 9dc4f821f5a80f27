/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tflite/scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/csv/csv.h"
#include "formats/tflite/operators.h"
#include "model/graph.h"

/* The columns, by their fields. */
struct table {
  struct csv csv;
  size_t fields, operator, bytes;
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

/* Finds the operators of a type; *count is how many there are, and *request has the last. */
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

static neap_status read_header(struct table *table, neap_error *error) {
  bool found;
  neap_status status = csv_next(&table->csv, &found, error);
  table->operator= table->bytes = SIZE_MAX;
  for (size_t f = 0; status == NEAP_OK && found && f < table->csv.count && f < CSV_FIELDS;
       f++) {
    if (strcmp(table->csv.fields[f].text, "operator") == 0) table->operator= f;
    if (strcmp(table->csv.fields[f].text, "bytes") == 0) table->bytes = f;
  }
  table->fields = table->csv.count;
  if (status == NEAP_OK && (table->operator== SIZE_MAX || table->bytes == SIZE_MAX))
    return error_at(error, NEAP_ERROR_INPUT, 1, 1,
                    "expected a table of scratch buffers, with the columns operator and bytes");
  return status;
}

static neap_status read_row(const struct table *table, const struct tflite_model *model,
                            struct tflite_scratch *scratch, neap_error *error) {
  struct tflite_request request = {0};
  if (table->csv.count != table->fields)
    return error_at(error, NEAP_ERROR_INPUT, table->csv.line, 1,
                    "expected %zu fields as in the first row, found %zu", table->fields,
                    table->csv.count);
  neap_status status = csv_number(&table->csv, table->bytes, "bytes", "a whole number of bytes",
                                  0, &request.bytes, error);
  if (status == NEAP_OK) status = read_operator(table, model, &request, error);
  if (status != NEAP_OK) return status;
  if (!memory_reserve(&scratch->requests, &scratch->capacity, scratch->count + 1,
                      sizeof *scratch->requests))
    return error_memory(error);
  scratch->requests[scratch->count++] = request;
  return NEAP_OK;
}

static neap_status read_table(char *text, size_t size, const struct tflite_model *model,
                              struct tflite_scratch *scratch, neap_error *error) {
  struct table *table = memory_array(1, sizeof *table);
  bool found = true;
  if (!table) return error_memory(error);
  csv_init(&table->csv, text, size);
  neap_status status = read_header(table, error);
  while (status == NEAP_OK && found) {
    status = csv_next(&table->csv, &found, error);
    if (status == NEAP_OK && found) status = read_row(table, model, scratch, error);
  }
  free(table);
  return status;
}

/* ---------------------------------------------------------------- tensors */

/* A name that no tensor of the model has: "scratch 3", with more spaces if needed. */
static neap_status add_tensor(neap_graph *graph, size_t number, struct tflite_request *request,
                              neap_error *error) {
  const neap_tensor tensor = {.bytes = request->bytes, .alignment = 1, .is_online = true};
  char name[64];
  int spaces = 0, length;
  do
    length = snprintf(name, sizeof name, "scratch%*s%zu", ++spaces, "", number);
  while (names_find(&graph->names, name, (size_t)length) != NAMES_NONE && spaces < 32);
  request->tensor = graph_tensor_count(graph);
  return neap_graph_add_tensor(graph, name, &tensor, error);
}

/* The operators of two requests: less than 0, 0 or more. */
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
                             const struct tflite_model *model, neap_error *error) {
  char *text;
  size_t size;
  neap_status status = input_read(path, &text, &size, error);
  if (status == NEAP_OK) {
    status = read_table(text, size, model, scratch, error);
    free(text);
  }
  return error_in_file(error, status, path);
}

neap_status tflite_scratch_read(struct tflite_scratch *scratch, const char *path,
                                const struct tflite_model *model, neap_graph *graph,
                                neap_error *error) {
  *scratch = (struct tflite_scratch){.requests = NULL};
  if (!path) return NEAP_OK;
  neap_status status = read_file(scratch, path, model, error);
  for (size_t r = 0; r < scratch->count && status == NEAP_OK; r++)
    status = add_tensor(graph, r, &scratch->requests[r], error);
  if (scratch->count > 0)
    qsort(scratch->requests, scratch->count, sizeof *scratch->requests, by_operator);
  return status;
}

void tflite_scratch_clear(struct tflite_scratch *scratch) { free(scratch->requests); }
