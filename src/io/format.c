/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
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
#include "formats/table.h"
#include "formats/tflite/plan.h"
#include "formats/tflite/tflite.h"

/* Contents are recognised from the last row to the first, which accepts everything else. */
static const struct format formats[] = {
    {.info = {NEAP_FORMAT_CSV, "csv", ".csv",
              "a table with one buffer per row, in a plan with its offset", true, true, true},
     .options = FORMAT_COLUMNS | FORMAT_INCLUSIVE,
     .is = csv_problem_is,
     .read_problem = csv_problem_read,
     .read_plan = csv_plan_read,
     .write_problem = csv_problem_write,
     .write_plan = csv_plan_write},
    {.info = {NEAP_FORMAT_OPS, "ops", ".ops",
              "a table of allocations and frees in execution order", true, true, false},
     .options = FORMAT_COLUMNS,
     .is = ops_is,
     .read_problem = ops_read,
     .write_problem = ops_write},
    {.info = {NEAP_FORMAT_JSON, "json", ".json",
              "a problem, a graph of operators, or a plan with its report", true, true, true},
     .is = json_is,
     .read_problem = json_problem_read,
     .read_graph = json_graph_read,
     .read_plan = json_plan_read,
     .write_problem = json_problem_write,
     .write_plan = json_plan_write},
    {.info = {NEAP_FORMAT_DOT, "dot", ".dot",
              "Graphviz: reads a graph of operators, writes a conflict graph", true, true,
              true},
     .other_extension = ".gv",
     .options = FORMAT_DIMENSIONS | FORMAT_DOT | FORMAT_ALIGNMENT,
     .is = dot_graph_is,
     .read_graph = dot_graph_read,
     .write_problem = dot_conflicts_write_problem,
     .write_plan = dot_conflicts_write_plan},
    {.info = {NEAP_FORMAT_TFLITE, "tflite", ".tflite",
              "a TensorFlow Lite model; 'neap plan --tflite' writes one with a plan", true,
              false, false},
     .options = FORMAT_ALIGNMENT,
     .is_model = true,
     .is = tflite_is,
     .read_graph = tflite_read,
     .read_plan = tflite_plan_read},
    {.info = {NEAP_FORMAT_ONNX, "onnx", ".onnx", "an ONNX model", true, false, false},
     .options = FORMAT_DIMENSIONS | FORMAT_ALIGNMENT,
     .is_model = true,
     .is = onnx_is,
     .read_graph = onnx_read},
    {.info = {NEAP_FORMAT_HTML, "html", ".html",
              "an interactive page with a plan; 'neap plan --html' writes one", true, false,
              false},
     .is = html_is,
     .read_problem = html_problem_read,
     .read_plan = html_plan_read},
    {.info = {NEAP_FORMAT_TABLE, "table", ".txt", "a plan as an aligned table for reading",
              false, false, true},
     .write_plan = table_plan_write},
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

const struct format *format_at(size_t index) {
  return index < FORMAT_COUNT ? &formats[index] : NULL;
}

bool neap_format_at(size_t index, neap_format_info *info) {
  if (index >= FORMAT_COUNT) return false;
  *info = formats[index].info;
  return true;
}

/* ---------------------------------------------------------------- finding one */

const struct format *format_by_code(neap_format code) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (formats[i].info.format == code) return &formats[i];
  return NULL;
}

static bool ends_in(const char *path, const char *ending) {
  size_t length = strlen(path), end = ending ? strlen(ending) : 0;
  return ending && length > end && strcasecmp(path + length - end, ending) == 0;
}

const struct format *format_by_ending(const char *path) {
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    if (ends_in(path, formats[i].info.extension) || ends_in(path, formats[i].other_extension))
      return &formats[i];
  return NULL;
}

const struct format *format_by_content(const char *text, size_t size,
                                       const neap_reading *reading, bool models) {
  for (size_t i = FORMAT_COUNT; i-- > 0;)
    if (formats[i].is && formats[i].is_model == models && formats[i].is(text, size, reading))
      return &formats[i];
  return NULL;
}

/* ---------------------------------------------------------------- messages */

neap_status format_unknown(neap_format code, neap_error *error) {
  return error_set(error, NEAP_ERROR_ARGUMENT, "%d is not a format", (int)code);
}

const char *format_list(bool (*takes)(const struct format *format), char text[FORMAT_LIST]) {
  size_t length = 0, left = 0;
  for (size_t i = 0; i < FORMAT_COUNT; i++)
    left += takes(&formats[i]);
  for (size_t i = 0; i < FORMAT_COUNT && length < FORMAT_LIST; i++)
    if (takes(&formats[i])) {
      const char *before = length == 0 ? "" : left > 1 ? ", " : " or ";
      length += (size_t)snprintf(text + length, FORMAT_LIST - length, "%s%s", before,
                                 formats[i].info.extension);
      left--;
    }
  return text;
}
