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
#include "formats/csv/columns.h"
#include "formats/csv/ops.h"
#include "formats/csv/plan.h"
#include "formats/csv/problem.h"
#include "formats/dot/conflicts.h"
#include "formats/dot/graph.h"
#include "formats/html_plan.h"
#include "formats/json/graph.h"
#include "formats/json/plan.h"
#include "formats/json/problem.h"
#include "formats/onnx/onnx.h"
#include "formats/reading.h"
#include "formats/table.h"
#include "formats/tflite/plan.h"
#include "formats/tflite/tflite.h"
#include "model/problem.h"

/* ---------------------------------------------------------------- the table */

static neap_status read_csv(char *text, size_t size, const neap_reading *reading,
                            neap_problem **problem, neap_error *error) {
  return csv_problem_read(text, size, reading, problem, NULL, error);
}

static neap_status write_csv(const neap_problem *problem, FILE *stream, neap_error *error) {
  return csv_problem_write(problem, NULL, NULL, stream, error);
}

static neap_status read_json(char *text, size_t size, const neap_reading *reading,
                             neap_problem **problem, neap_error *error) {
  return json_problem_read(text, size, reading, problem, error);
}

static neap_status read_json_plan(char *text, size_t size, const neap_reading *reading,
                                  neap_plan **plan, neap_error *error) {
  (void)reading;
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

static neap_status read_html_plan(char *text, size_t size, const neap_reading *reading,
                                  neap_plan **plan, neap_error *error) {
  (void)reading;
  return html_plan_read(text, size, plan, error);
}

static neap_status read_tflite_plan(char *text, size_t size, const neap_reading *reading,
                                    neap_plan **plan, neap_error *error) {
  neap_graph *graph;
  int32_t *offsets;
  (void)reading;
  neap_status status = tflite_read(text, size, &graph, error);
  if (status != NEAP_OK) return status;
  status = tflite_plan_read(text, size, graph, &offsets, error);
  if (status == NEAP_OK)
    status = offsets ? tflite_plan_adopt(graph, offsets, plan, error)
                     : error_set(error, NEAP_ERROR_INPUT, "the model holds no plan");
  free(offsets);
  neap_graph_free(graph);
  return status;
}

static const struct format formats[] = {
    {.info = {NEAP_FORMAT_CSV, "csv", ".csv",
              "a table with one buffer per row, in a plan with its offset", true, true, true},
     .is_table = true,
     .read_problem = read_csv,
     .read_plan = csv_plan_read,
     .write_problem = write_csv,
     .write_plan = csv_plan_write},
    {.info = {NEAP_FORMAT_OPS, "ops", ".ops",
              "a table of allocations and frees in execution order", true, true, false},
     .is_table = true,
     .read_problem = ops_read,
     .write_problem = ops_write},
    {.info = {NEAP_FORMAT_JSON, "json", ".json",
              "a problem, a graph of operators, or a plan with its report", true, true, true},
     .read_problem = read_json,
     .read_graph = read_json_graph,
     .read_plan = read_json_plan,
     .write_problem = json_problem_write,
     .write_plan = json_plan_write},
    {.info = {NEAP_FORMAT_DOT, "dot", ".dot",
              "Graphviz: reads a graph of operators, writes a conflict graph", true, true,
              true},
     .other_extension = ".gv",
     .has_dimensions = true,
     .read_graph = dot_graph_read,
     .has_types = true,
     .write_problem = dot_conflicts_write_problem,
     .write_plan = dot_conflicts_write_plan},
    {.info = {NEAP_FORMAT_TFLITE, "tflite", ".tflite",
              "a TensorFlow Lite model; 'neap plan --tflite' writes one with a plan", true,
              false, false},
     .read_graph = read_tflite,
     .has_types = true,
     .read_plan = read_tflite_plan},
    {.info = {NEAP_FORMAT_ONNX, "onnx", ".onnx", "an ONNX model", true, false, false},
     .has_dimensions = true,
     .read_graph = onnx_read,
     .has_types = true},
    {.info = {NEAP_FORMAT_HTML, "html", ".html",
              "an interactive page with a plan; 'neap plan --html' writes one", true, false,
              false},
     .read_problem = html_problem_read,
     .read_plan = read_html_plan},
    {.info = {NEAP_FORMAT_TABLE, "table", ".txt", "a plan as an aligned table for reading",
              false, false, true},
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

/* A model cannot be mistaken for anything else; NULL if the content is none. */
static const struct format *model_by_content(const char *text, size_t size) {
  if (tflite_is(text, size)) return by_code(NEAP_FORMAT_TFLITE);
  return onnx_is(text, size) ? by_code(NEAP_FORMAT_ONNX) : NULL;
}

static const struct format *text_by_content(const char *text, size_t size,
                                            const neap_reading *reading) {
  if (html_is(text, size)) return by_code(NEAP_FORMAT_HTML);
  size_t at = 0;
  while (at < size && strchr(" \t\r\n", text[at]) && text[at])
    at++;
  if (at < size && (text[at] == '{' || text[at] == '[')) return by_code(NEAP_FORMAT_JSON);
  if (dot_graph_is(text, size)) return by_code(NEAP_FORMAT_DOT);
  return by_code(columns_are_operations(text, size, reading) ? NEAP_FORMAT_OPS
                                                             : NEAP_FORMAT_CSV);
}

static neap_status unknown_code(neap_format code, neap_error *error) {
  return error_set(error, NEAP_ERROR_ARGUMENT, "%d is not a format", (int)code);
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
                   "the ending is of no format; use .csv, .ops, .json, .dot, .gv or .txt");
}

/* ---------------------------------------------------------------- reading */

static const neap_reading plain;

struct source {
  const char *name; /* for messages */
  char *text;       /* all of the file */
  char *content;    /* the same without a byte order mark */
  size_t size;      /* of the content */
  const struct format *format;
};

static const struct format *find_format(const struct source *source, const char *path,
                                        const neap_reading *reading) {
  const struct format *format = model_by_content(source->content, source->size);
  if (!format && !is_standard(path)) format = by_ending(path);
  return format && format->info.reads ? format
                                      : text_by_content(source->content, source->size, reading);
}

static neap_status source_open(struct source *source, const char *path, neap_format code,
                               const neap_reading *reading, neap_error *error) {
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
  if (!source->format) source->format = find_format(source, path, reading);
  return NEAP_OK;
}

/* What to read: the first that is not NULL. */
struct target {
  neap_plan **plan;
  neap_graph **graph;
  neap_problem **problem;
};

static neap_status read_graph(const struct source *source, const neap_reading *reading,
                              neap_graph **graph, neap_error *error) {
  const struct format *format = source->format;
  neap_status status = format->read_graph(source->content, source->size, reading, graph, error);
  if (status == NEAP_OK && format->has_types && reading->alignment > 0)
    graph_align(*graph, reading->alignment);
  return status;
}

static neap_status read_problem(const struct source *source, const neap_reading *reading,
                                neap_problem **problem, neap_error *error) {
  const struct format *format = source->format;
  neap_graph *graph;
  neap_status status;
  if (format->read_problem) {
    status = format->read_problem(source->content, source->size, reading, problem, error);
    if (status != NEAP_OK || (*problem)->graph) return status;
    status = reading_check_graph(reading, format, error);
    if (status != NEAP_OK) neap_problem_free(*problem);
    return status;
  }
  status = read_graph(source, reading, &graph, error);
  return status == NEAP_OK ? adopt_graph(graph, reading, problem, error) : status;
}

static neap_status read_target(const struct source *source, const neap_reading *reading,
                               const struct target *target, neap_error *error) {
  const struct format *format = source->format;
  const char *what = target->plan ? "plan" : target->graph ? "graph of operators" : "problem";
  neap_status status = reading_check(reading, format, target->plan || target->graph, error);
  if (status != NEAP_OK) return status;
  if (target->plan && format->read_plan)
    return format->read_plan(source->content, source->size, reading, target->plan, error);
  if (!target->plan && target->graph && format->read_graph)
    return read_graph(source, reading, target->graph, error);
  if (!target->plan && !target->graph && format->info.reads)
    return read_problem(source, reading, target->problem, error);
  return error_set(error, NEAP_ERROR_INPUT, "expected a %s; .%s files never hold one", what,
                   format->info.name);
}

/* Readers do not know the name of their file. */
struct warner {
  const neap_reading *reading;
  const char *name;
};

static void warn_in_file(const neap_error *warning, void *user) {
  const struct warner *warner = user;
  neap_error named = *warning;
  snprintf(named.source, sizeof named.source, "%s", warner->name);
  warner->reading->warn(&named, warner->reading->warn_user);
}

static neap_status read_any(const char *path, neap_format code, const neap_reading *reading,
                            const struct target *target, neap_error *error) {
  struct source source;
  neap_status status = source_open(&source, path, code, reading, error);
  if (status != NEAP_OK) return error_in_file(error, status, source.name);
  struct warner warner = {reading, source.name};
  neap_reading named = *reading;
  named.warn = reading->warn ? warn_in_file : NULL;
  named.warn_user = &warner;
  status = read_target(&source, &named, target, error);
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

neap_status neap_plan_read_as(const char *path, neap_format format, const neap_reading *reading,
                              neap_plan **plan, neap_error *error) {
  struct target target = {.plan = plan};
  return read_any(path, format, reading ? reading : &plain, &target, error);
}

neap_status neap_plan_read(const char *path, neap_format format, neap_plan **plan,
                           neap_error *error) {
  return neap_plan_read_as(path, format, NULL, plan, error);
}

neap_status neap_graph_read(const char *path, neap_format format, const neap_reading *reading,
                            neap_graph **graph, neap_error *error) {
  struct target target = {.graph = graph};
  return read_any(path, format, reading ? reading : &plain, &target, error);
}

/* ---------------------------------------------------------------- writing */

/* Writes a plan or, if that is NULL, a problem. */
static neap_status write_any(const neap_problem *problem, const neap_plan *plan,
                             const char *path, neap_format code, neap_error *error) {
  const char *name = is_standard(path) ? "standard output" : path;
  const struct format *format;
  struct output output;
  neap_status status = format_to_write(path, code, &format, error);
  if (status == NEAP_OK && (plan ? !format->write_plan : !format->write_problem))
    status = error_set(error, NEAP_ERROR_FORMAT, "neap cannot write a %s as %s",
                       plan ? "plan" : "problem", format->info.extension);
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
