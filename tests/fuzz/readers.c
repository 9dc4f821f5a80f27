/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/fuzz/readers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text.h"
#include "files/c_array.h"
#include "files/csv/ops.h"
#include "files/csv/plan.h"
#include "files/csv/problem.h"
#include "files/dot/graph.h"
#include "files/html_plan.h"
#include "files/json/graph.h"
#include "files/json/plan.h"
#include "files/json/problem.h"
#include "models/onnx/onnx.h"
#include "models/tflite/tflite.h"
#include "neap-tool.h"
#include "tests/fuzz/behind.h"
#include "tests/support/bands.h"

/* ---------------------------------------------------------------- messages */

/* Messages are one line of text that a terminal can show. */
static const char *check_text(const neap_error *error) {
  if (!error->text[0])
    return behind_complaint("an error that does not say what is wrong", "", error);
  size_t length = strlen(error->text);
  if (text_utf8_prefix(error->text, length) != length)
    return behind_complaint("an error's text is not UTF-8", "", error);
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)error->text[i] < ' ' || error->text[i] == 0x7f)
      return behind_complaint("an error's text has control characters", "", error);
  return NULL;
}

/* ---------------------------------------------------------------- the table */

static const neap_reading plain = NEAP_INIT(neap_reading);

/* A warning is like an error that does not stop anything. */
static void check_warning(const neap_error *warning, void *user) {
  (void)user;
  const char *complaint = check_text(warning);
  if (!complaint && warning->line > 0 && warning->column > 0) return;
  fprintf(stderr, "a warning: %s\n", complaint ? complaint : "it has no place");
  abort();
}

static neap_status csv_problem(struct text text, uint64_t choice, neap_problem **problem,
                               neap_error *error) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .replan = choice % 4 == 0,
                                .table.inclusive = choice % 8 == 3,
                                .warn = check_warning};
  return csv_problem_read(text.bytes, text.size, &reading, problem, error);
}

/* Names that the seed renamed.csv has; other tables lack them. */
static neap_status csv_columns(struct text text, uint64_t choice, neap_problem **problem,
                               neap_error *error) {
  static const neap_column columns[] = {{"size", "nbytes"}, {"upper", "end"}};
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .table.columns = columns,
                                .table.column_count = choice % 2 ? 2 : 1,
                                .warn = check_warning};
  neap_status status = csv_problem_read(text.bytes, text.size, &reading, problem, error);
  if (status == NEAP_ERROR_ARGUMENT) status = error->status = NEAP_ERROR_INPUT;
  return status;
}

static neap_status csv_plan(struct text text, neap_plan **plan, neap_error *error) {
  return csv_plan_read(text.bytes, text.size, &plain, plan, error);
}

static neap_status ops(struct text text, uint64_t choice, neap_problem **problem,
                       neap_error *error) {
  (void)choice;
  const neap_reading reading = {.struct_size = sizeof(neap_reading), .warn = check_warning};
  return ops_read(text.bytes, text.size, &reading, problem, error);
}

static neap_status json_problem(struct text text, uint64_t choice, neap_problem **problem,
                                neap_error *error) {
  neap_reading reading = {.struct_size = sizeof(neap_reading),
                          .replan = choice % 4 == 0,
                          .graph.liveness = {.in_place = choice % 2}};
  return json_problem_read(text.bytes, text.size, &reading, problem, error);
}

static neap_status json_plan(struct text text, neap_plan **plan, neap_error *error) {
  return json_plan_read(text.bytes, text.size, &plain, plan, error);
}

static neap_status json_graph(struct text text, neap_graph **graph, neap_error *error) {
  return json_graph_read(text.bytes, text.size, &plain, graph, error);
}

static neap_status tflite(struct text text, neap_graph **graph, neap_error *error) {
  return tflite_read(text.bytes, text.size, &plain, graph, error);
}

/* A model as an array in C source. */
static neap_status c_array(struct text text, neap_graph **graph, neap_error *error) {
  size_t size = text.size;
  char *bytes = malloc(size + 1);
  if (!bytes) return error_memory(error);
  memcpy(bytes, text.bytes, size);
  bytes[size] = '\0';
  neap_status status = c_array_unpack(&bytes, &size, error);
  if (status == NEAP_OK) status = tflite_read(bytes, size, &plain, graph, error);
  free(bytes);
  return status;
}

static neap_status tflite_target(struct text text, neap_graph **graph, neap_error *error) {
  static const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                       .graph.target = "tflm"};
  return tflite_read(text.bytes, text.size, &reading, graph, error);
}

/* For other shapes, if there is an input x whose first two dimensions are free. */
static neap_status tflite_shapes(struct text text, neap_graph **graph, neap_error *error) {
  static const neap_dimension free_ones[] = {{"x:0", 3}, {"x:1", 17}};
  static const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                       .model.dimensions = free_ones,
                                       .model.dimension_count = 2};
  neap_status status = tflite_read(text.bytes, text.size, &reading, graph, error);
  if (status == NEAP_ERROR_ARGUMENT) status = error->status = NEAP_ERROR_INPUT;
  return status;
}

static neap_status tflite_overlap(struct text text, neap_graph **graph, neap_error *error) {
  static const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                       .graph.kernels = NEAP_KERNELS_REFERENCE,
                                       .graph.liveness = {.overlap = true}};
  return tflite_read(text.bytes, text.size, &reading, graph, error);
}

static neap_status dot(struct text text, neap_graph **graph, neap_error *error) {
  return dot_graph_read(text.bytes, text.size, &plain, graph, error);
}

static const neap_dimension dimensions[] = {{"N", 2}};

static neap_status onnx(struct text text, neap_graph **graph, neap_error *error) {
  neap_reading reading = {.struct_size = sizeof(neap_reading),
                          .model.dimensions = dimensions,
                          .model.dimension_count = 1};
  neap_status status = onnx_read(text.bytes, text.size, &reading, graph, error);
  if (status != NEAP_ERROR_ARGUMENT) return status;
  *error = (neap_error){.text = ""}; /* there is no N */
  return onnx_read(text.bytes, text.size, &plain, graph, error);
}

/* Reading plans from models and writing them takes files. */
static neap_status tflite_plan(struct text text, neap_plan **plan, neap_error *error) {
  char path[BEHIND_PATH];
  if (!behind_store(text.bytes, text.size, path)) abort();
  neap_status status = neap_plan_read(
      path, &(neap_reading){.struct_size = sizeof(neap_reading), .format = "tflite"}, plan,
      error);
  unlink(path);
  return status;
}

/* The search calls this for each piece that it measures. */
static bool keep_on(const neap_bands_progress *progress, void *user) {
  size_t *left = user;
  (void)progress;
  return *left > 0 && (*left)--;
}

/* The plan in a split model must be read back with its peak. */
static neap_status read_split(const neap_bands *split, const neap_reading *reading,
                              neap_plan **plan, neap_error *error) {
  char path[BEHIND_PATH];
  neap_bands_report made = NEAP_INIT(neap_bands_report);
  neap_report report = NEAP_INIT(neap_report);
  neap_bands_get_report(split, &made);
  if (!behind_store("", 0, path)) abort();
  neap_status status = neap_bands_write(split, NULL, path, error);
  if (status == NEAP_OK) status = neap_plan_read(path, reading, plan, error);
  unlink(path);
  if (status == NEAP_OK) neap_plan_report(*plan, &report);
  if (status != NEAP_OK || report.peak != made.after.peak) {
    fprintf(stderr, "a split model is not read back: %s\n", status ? error->text : "its peak");
    abort();
  }
  return status;
}

static neap_status split_text(struct text text, const neap_reading *reading, neap_bands **split,
                              neap_error *error) {
  size_t left = 40;
  neap_model_limits limits = bands_limits(NEAP_BANDS_PEAK, 0);
  limits.keep_on = keep_on;
  limits.user = &left;
  char path[BEHIND_PATH];
  if (!behind_store(text.bytes, text.size, path)) abort();
  neap_status status = bands_find(path, reading, &limits, split, error);
  unlink(path);
  return status;
}

static neap_status read_tflite_split(struct text text, neap_plan **plan, neap_error *error) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .format = "tflite",
                                .graph.target = "tflm",
                                .graph.kernels = NEAP_KERNELS_REFERENCE,
                                .graph.liveness = {.overlap = true}};
  neap_bands *split = NULL;
  neap_status status = split_text(text, &reading, &split, error);
  if (status == NEAP_OK) status = read_split(split, &reading, plan, error);
  if (status == NEAP_ERROR_FORMAT) status = error->status = NEAP_ERROR_INPUT;
  neap_bands_free(split);
  return status;
}

/* A split model has the bytes that were predicted, and no lower bound above its peak. */
static neap_status read_onnx_split(struct text text, neap_graph **graph, neap_error *error) {
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .format = "onnx",
                                .model.dimensions = dimensions,
                                .model.dimension_count = 1};
  const neap_reading again = {.struct_size = sizeof(neap_reading), .format = "onnx"};
  neap_bands *split = NULL;
  neap_bands_report made = NEAP_INIT(neap_bands_report);
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_problem *problem = NULL;
  char path[BEHIND_PATH];
  struct stat found;
  neap_status status = split_text(text, &reading, &split, error);
  if (status == NEAP_ERROR_ARGUMENT) status = split_text(text, &again, &split, error);
  if (status != NEAP_OK) return status;
  *error = (neap_error){.text = ""};
  neap_bands_get_report(split, &made);
  if (!behind_store("", 0, path)) abort();
  status = neap_bands_write(split, NULL, path, error);
  if (status == NEAP_OK && made.is_split) {
    status = neap_problem_read(path, &again, &problem, error);
    if (status == NEAP_OK) status = neap_problem_bound(problem, &bound, error);
    if (status != NEAP_OK || bound.lower_bound > made.after.peak || stat(path, &found) != 0 ||
        found.st_size != made.after.file_bytes) {
      fprintf(stderr, "a split model is not read back: %s\n",
              status ? error->text : "its peak");
      abort();
    }
  }
  unlink(path);
  neap_problem_free(problem);
  neap_bands_free(split);
  return status == NEAP_OK ? onnx(text, graph, error) : status;
}

static neap_status html_plan(struct text text, neap_plan **plan, neap_error *error) {
  return html_plan_read(text.bytes, text.size, &plain, plan, error);
}

static const struct reader readers[] = {
    {"csv-problem", "csv", csv_problem, NULL, NULL},
    {"csv-columns", "csv", csv_columns, NULL, NULL},
    {"csv-plan", "csv", NULL, csv_plan, NULL},
    {"ops", "ops", ops, NULL, NULL},
    {"json-problem", "json", json_problem, NULL, NULL},
    {"json-plan", "json", NULL, json_plan, NULL},
    {"json-graph", "json", NULL, NULL, json_graph},
    {"dot", "dot", NULL, NULL, dot},
    {"onnx", "onnx", NULL, NULL, onnx},
    {"tflite", "tflite", NULL, NULL, tflite},
    {"c-array", "c-array", NULL, NULL, c_array},
    {"tflite-target", "tflite", NULL, NULL, tflite_target},
    {"tflite-overlap", "tflite", NULL, NULL, tflite_overlap},
    {"tflite-shapes", "tflite", NULL, NULL, tflite_shapes},
    {"tflite-plan", "tflite", NULL, tflite_plan, NULL},
    {"tflite-split", "tflite", NULL, read_tflite_split, NULL},
    {"onnx-split", "onnx", NULL, NULL, read_onnx_split},
    {"html-plan", "html", NULL, html_plan, NULL},
};

const struct reader *reader_at(size_t index) {
  return index < sizeof readers / sizeof *readers ? &readers[index] : NULL;
}

/* ---------------------------------------------------------------- what a reader owes */

/* FNV-1a. */
static uint64_t choice_of(const char *bytes, size_t size) {
  uint64_t value = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < size; i++)
    value = (value ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
  return value ^ value >> 32;
}

/* Bad input is NEAP_ERROR_INPUT, with a message. */
static const char *check_error(neap_status status, const neap_error *error) {
  if (status == NEAP_OK) return NULL;
  if (status != NEAP_ERROR_INPUT)
    return behind_complaint("a status other than bad input", neap_status_name(status), error);
  if (error->status != status)
    return behind_complaint("a status other than that of the error", "", error);
  return check_text(error);
}

/* ---------------------------------------------------------------- reading */

struct found {
  neap_problem *problem;
  neap_plan *plan;
  neap_graph *graph;
};

static neap_status take(const struct reader *reader, struct text text, uint64_t choice,
                        struct found *found, neap_error *error) {
  if (reader->problem) return reader->problem(text, choice, &found->problem, error);
  if (reader->plan) return reader->plan(text, &found->plan, error);
  return reader->graph(text, &found->graph, error);
}

static void clear(struct found *found) {
  neap_plan_free(found->plan);
  neap_problem_free(found->problem);
  neap_graph_free(found->graph);
}

/* The copy has no spare byte, so that reading past the end is noticed. */
static struct text copy(const char *bytes, size_t size) {
  struct text text = {malloc(size + 1), size};
  if (!text.bytes) abort();
  if (size > 0) memcpy(text.bytes, bytes, size);
  text.bytes[size] = '\0';
  return text;
}

/* The plan in a model can be replaced. */
static const char *check_found(const struct reader *reader, const struct found *found,
                               const char *bytes, size_t size, uint64_t choice) {
  const char *complaint = NULL;
  if (found->problem) complaint = behind_problem(found->problem, choice);
  if (found->plan) complaint = behind_plan(found->plan);
  if (found->graph) complaint = behind_graph(found->graph, choice);
  if (!complaint && strcmp(reader->format, "tflite") == 0)
    complaint = behind_model(bytes, size, found->graph);
  return complaint;
}

const char *reader_feed(const struct reader *reader, const char *bytes, size_t size) {
  struct found found = {0};
  neap_error error = {.text = ""};
  uint64_t choice = choice_of(bytes, size);
  struct text text = copy(bytes, size);
  neap_status status = take(reader, text, choice, &found, &error);
  free(text.bytes);
  const char *complaint = check_error(status, &error);
  if (status == NEAP_OK) complaint = check_found(reader, &found, bytes, size, choice);
  clear(&found);
  return complaint;
}

const char *reader_taste(const struct reader *reader, const char *bytes, size_t size,
                         neap_error *error) {
  struct found found = {0};
  struct text text = copy(bytes, size);
  *error = (neap_error){.text = ""};
  neap_status status = take(reader, text, 1, &found, error);
  free(text.bytes);
  const char *complaint = check_error(status, error);
  if (found.graph) {
    const neap_liveness liveness = {.in_place = true};
    status = neap_graph_to_problem(found.graph, &liveness, &found.problem, error);
    complaint = check_error(status, error);
  }
  if (found.plan) complaint = behind_bound(neap_plan_problem(found.plan));
  if (found.problem) complaint = behind_bound(found.problem);
  clear(&found);
  return complaint;
}
