/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/format.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/input.h"
#include "core/memory.h"
#include "core/output.h"
#include "formats/adopt.h"
#include "formats/columns.h"
#include "formats/csv_plan.h"
#include "formats/csv_problem.h"
#include "formats/dot.h"
#include "formats/html_plan.h"
#include "formats/json_graph.h"
#include "formats/json_plan.h"
#include "formats/json_problem.h"
#include "formats/onnx.h"
#include "formats/ops.h"
#include "formats/table.h"
#include "formats/tflite.h"
#include "model/problem.h"

/* ---------------------------------------------------------------- the table */

static neap_status read_csv(char *text, size_t size, const neap_reading *reading,
                            neap_problem **problem, neap_error *error) {
  return csv_problem_read(text, size, reading->replan ? CSV_OFFSETS_IGNORED : CSV_OFFSETS_FIXED,
                          problem, NULL, error);
}

static neap_status write_csv(const neap_problem *problem, FILE *stream, neap_error *error) {
  return csv_problem_write(problem, NULL, NULL, stream, error);
}

/* Operations have no offsets to pass over. */
static neap_status read_ops(char *text, size_t size, const neap_reading *reading,
                            neap_problem **problem, neap_error *error) {
  (void)reading;
  return ops_read(text, size, problem, error);
}

static neap_status read_json(char *text, size_t size, const neap_reading *reading,
                             neap_problem **problem, neap_error *error) {
  return json_problem_read(text, size, reading, problem, error);
}

static neap_status read_json_plan(char *text, size_t size, neap_plan **plan,
                                  neap_error *error) {
  return json_plan_read(text, size, plan, error);
}

static neap_status read_json_graph(const char *text, size_t size, const neap_reading *reading,
                                   neap_graph **graph, neap_error *error) {
  (void)reading;
  return json_graph_read(text, size, graph, error);
}

static neap_status read_tflite(const char *text, size_t size, const neap_reading *reading,
                               neap_graph **graph, neap_error *error) {
  (void)reading;
  return tflite_read(text, size, graph, error);
}

/* What is left to the runtime is not part of the plan. */
static neap_status adopt_offsets(neap_graph *graph, const int32_t *tensor_offsets,
                                 neap_plan **plan, neap_error *error) {
  neap_problem *problem;
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    if (tensor_offsets[t] < 0) graph->tensors[t].kind = GRAPH_EXTERNAL;
  neap_status status = neap_graph_problem(graph, NULL, &problem, error);
  if (status != NEAP_OK) return status;
  neap_offset *offsets = memory_array(problem->count, sizeof *offsets);
  for (size_t i = 0; i < problem->count && offsets; i++) {
    const char *name = problem_name(problem, i);
    offsets[i] = tensor_offsets[names_find(&graph->names, name, strlen(name))];
  }
  if (offsets) return adopt_plan(problem, offsets, plan, error);
  neap_problem_free(problem);
  return error_memory(error);
}

static neap_status read_tflite_plan(char *text, size_t size, neap_plan **plan,
                                    neap_error *error) {
  neap_graph *graph;
  int32_t *offsets;
  neap_status status = tflite_read(text, size, &graph, error);
  if (status != NEAP_OK) return status;
  status = tflite_read_plan(text, size, graph, &offsets, error);
  if (status == NEAP_OK)
    status = offsets ? adopt_offsets(graph, offsets, plan, error)
                     : error_set(error, NEAP_ERROR_INPUT, "the model has no plan in it");
  free(offsets);
  neap_graph_free(graph);
  return status;
}

static const struct format formats[] = {
    {.info = {NEAP_FORMAT_CSV, "csv", ".csv",
              "buffers as a table, one a row; in a plan with their offsets", true, true, true},
     .read_problem = read_csv,
     .read_plan = csv_plan_read,
     .write_problem = write_csv,
     .write_plan = csv_plan_write},
    {.info = {NEAP_FORMAT_OPS, "ops", ".ops",
              "memory operations as a table, in the order of execution", true, true, false},
     .read_problem = read_ops,
     .write_problem = ops_write},
    {.info = {NEAP_FORMAT_JSON, "json", ".json",
              "a problem, a graph of operators, or a plan with all that is known of it", true,
              true, true},
     .read_problem = read_json,
     .read_graph = read_json_graph,
     .read_plan = read_json_plan,
     .write_problem = json_problem_write,
     .write_plan = json_plan_write},
    {.info = {NEAP_FORMAT_DOT, "dot", ".dot",
              "Graphviz: reads a graph of operators, writes one of conflicts", true, true,
              true},
     .other_extension = ".gv",
     .read_graph = dot_read,
     .write_problem = dot_problem_write,
     .write_plan = dot_plan_write},
    {.info = {NEAP_FORMAT_TFLITE, "tflite", ".tflite",
              "a TensorFlow Lite model: its operators in the order of execution", true, false,
              false},
     .read_graph = read_tflite,
     .read_plan = read_tflite_plan},
    {.info = {NEAP_FORMAT_ONNX, "onnx", ".onnx",
              "an ONNX model: its operators in the order of execution", true, false, false},
     .read_graph = onnx_read},
    {.info = {NEAP_FORMAT_HTML, "html", ".html", "a page that shows a plan, read back", true,
              false, false},
     .read_problem = html_problem_read,
     .read_plan = html_plan_read},
    {.info = {NEAP_FORMAT_TABLE, "table", ".txt", "a plan as a table for people", false, false,
              true},
     .write_plan = table_plan_write},
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

const neap_format_info *neap_format_at(size_t index) {
  return index < FORMAT_COUNT ? &formats[index].info : NULL;
}

/* ---------------------------------------------------------------- finding one */

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

static const struct format *by_code(neap_format code) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (formats[i].info.format == code) return &formats[i];
  return NULL;
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), end = ending ? strlen(ending) : 0;
  return ending && length > end && strcasecmp(path + length - end, ending) == 0;
}

static const struct format *by_ending(const char *path) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (ends_in(path, formats[i].info.extension) || ends_in(path, formats[i].other_extension))
      return &formats[i];
  return NULL;
}

static const struct format *by_content(const char *text, size_t size) {
  if (tflite_is(text, size)) return by_code(NEAP_FORMAT_TFLITE);
  if (onnx_is(text, size)) return by_code(NEAP_FORMAT_ONNX);
  if (html_is(text, size)) return by_code(NEAP_FORMAT_HTML);
  size_t at = 0;
  while (at < size && strchr(" \t\r\n", text[at]) && text[at])
    at++;
  if (at < size && (text[at] == '{' || text[at] == '[')) return by_code(NEAP_FORMAT_JSON);
  if (dot_is(text, size)) return by_code(NEAP_FORMAT_DOT);
  return by_code(columns_mention(text, size, "type") ? NEAP_FORMAT_OPS : NEAP_FORMAT_CSV);
}

static neap_status unknown_code(neap_format code, neap_error *error) {
  return error_set(error, NEAP_ERROR_ARGUMENT, "expected a format, found number %d", (int)code);
}

static neap_status format_to_write(const char *path, neap_format code,
                                   const struct format **format, neap_error *error) {
  if (code != NEAP_FORMAT_AUTO) {
    *format = by_code(code);
    return *format ? NEAP_OK : unknown_code(code, error);
  }
  *format = is_standard(path) ? by_code(NEAP_FORMAT_CSV) : by_ending(path);
  if (*format) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "expected a name that ends in .csv, .ops, .json, .dot or .txt, or a format");
}

/* ---------------------------------------------------------------- reading */

static const neap_reading plain;

struct source {
  const char *name; /* for messages */
  char *text;       /* all of the file */
  char *content;    /* the same, less a byte order mark */
  size_t size;      /* of the content */
  const struct format *format;
};

static neap_status source_open(struct source *source, const char *path, neap_format code,
                               neap_error *error) {
  *source = (struct source){.name = is_standard(path) ? "standard input" : path};
  if (code != NEAP_FORMAT_AUTO && !(source->format = by_code(code)))
    return unknown_code(code, error);
  neap_status status = input_read(path, &source->text, &source->size, error);
  if (status != NEAP_OK) return status;
  source->content = source->text;
  if (source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) {
    source->content += 3;
    source->size -= 3;
  }
  if (!source->format && !is_standard(path)) source->format = by_ending(path);
  if (!source->format || (code == NEAP_FORMAT_AUTO && !source->format->info.reads))
    source->format = by_content(source->content, source->size);
  return NEAP_OK;
}

/* What is read: the first that is not NULL. */
struct target {
  neap_plan **plan;
  neap_graph **graph;
  neap_problem **problem;
};

static neap_status read_problem(const struct source *source, const neap_reading *reading,
                                neap_problem **problem, neap_error *error) {
  const struct format *format = source->format;
  neap_graph *graph;
  if (format->read_problem)
    return format->read_problem(source->content, source->size, reading, problem, error);
  neap_status status =
      format->read_graph(source->content, source->size, reading, &graph, error);
  return status == NEAP_OK ? adopt_graph(graph, reading, problem, error) : status;
}

static neap_status read_target(const struct source *source, const neap_reading *reading,
                               const struct target *target, neap_error *error) {
  const struct format *format = source->format;
  const char *what = target->plan ? "plan" : target->graph ? "graph of operators" : "problem";
  if (target->plan && format->read_plan)
    return format->read_plan(source->content, source->size, target->plan, error);
  if (!target->plan && target->graph && format->read_graph)
    return format->read_graph(source->content, source->size, reading, target->graph, error);
  if (!target->plan && !target->graph && format->info.reads)
    return read_problem(source, reading, target->problem, error);
  return error_set(error, NEAP_ERROR_INPUT, "expected a %s, which the format %s cannot give",
                   what, format->info.name);
}

static neap_status read_any(const char *path, neap_format code, const neap_reading *reading,
                            const struct target *target, neap_error *error) {
  struct source source;
  neap_status status = source_open(&source, path, code, error);
  if (status != NEAP_OK) return error_in_file(error, status, source.name);
  status = read_target(&source, reading, target, error);
  free(source.text);
  return error_in_file(error, status, source.name);
}

neap_status neap_problem_read_as(const char *path, neap_format format,
                                 const neap_reading *reading, neap_problem **problem,
                                 neap_error *error) {
  struct target target = {.problem = problem};
  return read_any(path, format, reading ? reading : &plain, &target, error);
}

neap_status neap_problem_read(const char *path, neap_format format, neap_problem **problem,
                              neap_error *error) {
  return neap_problem_read_as(path, format, NULL, problem, error);
}

neap_status neap_problem_read_unfixed(const char *path, neap_format format,
                                      neap_problem **problem, neap_error *error) {
  static const neap_reading anew = {.replan = true};
  return neap_problem_read_as(path, format, &anew, problem, error);
}

neap_status neap_plan_read(const char *path, neap_format format, neap_plan **plan,
                           neap_error *error) {
  struct target target = {.plan = plan};
  return read_any(path, format, &plain, &target, error);
}

neap_status neap_graph_read(const char *path, neap_format format, const neap_reading *reading,
                            neap_graph **graph, neap_error *error) {
  struct target target = {.graph = graph};
  return read_any(path, format, reading ? reading : &plain, &target, error);
}

/* ---------------------------------------------------------------- writing */

/* Writes a plan or, where that is NULL, a problem. */
static neap_status write_any(const neap_problem *problem, const neap_plan *plan,
                             const char *path, neap_format code, neap_error *error) {
  const char *name = is_standard(path) ? "standard output" : path;
  const struct format *format;
  struct output output;
  neap_status status = format_to_write(path, code, &format, error);
  if (status == NEAP_OK && (plan ? !format->write_plan : !format->write_problem))
    status =
        error_set(error, NEAP_ERROR_FORMAT, "the format %s cannot say %s", format->info.name,
                  plan ? "the offsets of a plan" : "a problem, only a plan");
  if (status != NEAP_OK) return error_in_file(error, status, name);
  status = output_open(&output, path, error);
  if (status != NEAP_OK) return status;
  status = plan ? format->write_plan(plan, output.stream, error)
                : format->write_problem(problem, output.stream, error);
  return output_close(&output, error_in_file(error, status, name), error);
}

neap_status neap_problem_write(const neap_problem *problem, const char *path,
                               neap_format format, neap_error *error) {
  return write_any(problem, NULL, path, format, error);
}

neap_status neap_plan_write(const neap_plan *plan, const char *path, neap_format format,
                            neap_error *error) {
  return write_any(NULL, plan, path, format, error);
}
