/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/format.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/sized.h"
#include "core/text.h"
#include "files/c_source.h"
#include "files/csv/ops.h"
#include "files/csv/plan.h"
#include "files/csv/problem.h"
#include "files/dot/conflicts.h"
#include "files/dot/graph.h"
#include "files/examples.h"
#include "files/html_plan.h"
#include "files/json/graph.h"
#include "files/json/plan.h"
#include "files/json/problem.h"
#include "files/plan_text.h"
#include "viz/html.h"
#include "viz/layout/picture.h"

#define PROBLEM NEAP_CONTENT_PROBLEM
#define GRAPH NEAP_CONTENT_GRAPH
#define PLAN NEAP_CONTENT_PLAN

/* Contents are recognised from the last row to the first, which accepts everything else. */
static const struct format formats[] = {
    {.name = "csv",
     .summary = "a table with one buffer per row, in a plan with its offset",
     .extensions = {".csv"},
     .examples = {{"buffers.csv", EXAMPLE_CSV}},
     .reads = PROBLEM | PLAN,
     .writes = PROBLEM | PLAN,
     .options = FORMAT_COLUMNS | FORMAT_INCLUSIVE | FORMAT_CONFLICTS,
     .is = csv_problem_is,
     .read_problem = csv_problem_read,
     .read_plan = csv_plan_read,
     .write_problem = csv_problem_write,
     .write_plan = csv_plan_write},
    {.name = "ops",
     .summary = "a table of allocations and frees in execution order",
     .extensions = {".ops"},
     .examples = {{"operations.ops", EXAMPLE_OPS}},
     .reads = PROBLEM,
     .writes = PROBLEM,
     .options = FORMAT_COLUMNS,
     .is = ops_is,
     .read_problem = ops_read,
     .write_problem = ops_write},
    {.name = "json",
     .summary = "a problem, a graph of operators, or a plan with its report",
     .extensions = {".json"},
     .examples = {{"problem.json", EXAMPLE_JSON_PROBLEM},
                  {"graph.json", EXAMPLE_JSON_GRAPH},
                  {"plan.json", EXAMPLE_JSON_PLAN}},
     .options = FORMAT_OVERLAPS,
     .reads = PROBLEM | GRAPH | PLAN,
     .writes = PROBLEM | GRAPH | PLAN,
     .is = json_is,
     .read_problem = json_problem_read,
     .read_graph = json_graph_read,
     .read_plan = json_plan_read,
     .write_problem = json_problem_write,
     .write_graph = json_graph_write,
     .write_plan = json_plan_write},
    {.name = "dot",
     .summary = "Graphviz: reads a graph of operators, writes a conflict graph",
     .extensions = {".dot", ".gv"},
     .examples = {{"graph.dot", EXAMPLE_DOT}},
     .reads = GRAPH,
     .writes = PROBLEM | PLAN,
     .options = FORMAT_DIMENSIONS | FORMAT_DOT | FORMAT_ALIGNMENT,
     .is = dot_graph_is,
     .read_graph = dot_graph_read,
     .write_problem = dot_conflicts_write_problem,
     .write_plan = dot_conflicts_write_plan},
    {.name = "html",
     .summary = "an interactive page with a plan",
     .extensions = {".html"},
     .reads = PLAN,
     .writes = NEAP_CONTENT_PAGE,
     .is = html_is,
     .read_problem = html_problem_read,
     .read_plan = html_plan_read,
     .export_plan = html_write},
    {.name = "table",
     .summary = "a plan as an aligned table for reading",
     .extensions = {".txt"},
     .writes = PLAN,
     .write_plan = table_plan_write},
    {.name = "svg",
     .summary = "a picture that scales, for browsers and documents",
     .extensions = {".svg"},
     .writes = NEAP_CONTENT_PICTURE,
     .picture = RENDER_SVG,
     .export_plan = picture_write_svg},
    {.name = "png",
     .summary = "a picture in pixels",
     .extensions = {".png"},
     .writes = NEAP_CONTENT_PICTURE,
     .picture = RENDER_PNG,
     .check = render_check,
     .export_plan = picture_write_png},
    {.name = "pdf",
     .summary = "a picture to print",
     .extensions = {".pdf"},
     .writes = NEAP_CONTENT_PICTURE,
     .picture = RENDER_PDF,
     .check = render_check,
     .export_plan = picture_write_pdf},
    {.name = "header",
     .summary = "a header for C and C++ with the offsets and sizes of a plan",
     .extensions = {".h", ".hh", ".hpp", ".hxx", ".inc"},
     .writes = NEAP_CONTENT_HEADER,
     .export_plan = c_source_write_header},
    {.name = "source",
     .summary = "the C or C++ source that goes with a header: the arena and its buffers",
     .extensions = {".c", ".cc", ".cpp", ".cxx"},
     .writes = NEAP_CONTENT_SOURCE,
     .export_plan = c_source_write},
    {.name = "certificate",
     .summary = "why no plan is lower, for a program that checks it",
     .extensions = {".cert"},
     .writes = NEAP_CONTENT_CERTIFICATE},
};

enum { FORMAT_COUNT = sizeof formats / sizeof formats[0] };

/* What libneap-models has registered, once and for all, when it was loaded; NULL: nothing. */
static _Atomic(const struct neap_format_family *) format_family;

void neap_formats_register(const struct neap_format_family *family) {
  atomic_store(&format_family, family);
}

const struct format *format_at(size_t index) {
  const struct neap_format_family *family = atomic_load(&format_family);
  if (index < FORMAT_COUNT) return &formats[index];
  return family && index - FORMAT_COUNT < family->count ? &family->rows[index - FORMAT_COUNT]
                                                        : NULL;
}

bool neap_format_at(size_t index, neap_format_info *info) {
  const struct format *format = format_at(index);
  if (!format) return false;
  const neap_format_info own = {.struct_size = sizeof(neap_format_info),
                                .name = format->name,
                                .summary = format->summary,
                                .extensions = format->extensions,
                                .examples = format->examples,
                                .reads = format->reads,
                                .writes = format->writes};
  return SIZED_FILL(info, own);
}

/* ---------------------------------------------------------------- finding one */

neap_status format_by_name(const char *name, const struct format **format, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  for (size_t i = 0; (*format = format_at(i)); i++)
    if (strcmp((*format)->name, name) == 0) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT, "unknown format %s",
                   text_excerpt(excerpt, name, strlen(name)));
}

static bool has_ending(const struct format *format, const char *path) {
  size_t length = strlen(path);
  for (const char *const *ending = format->extensions; *ending; ending++) {
    size_t end = strlen(*ending);
    if (length > end && strcasecmp(path + length - end, *ending) == 0) return true;
  }
  return false;
}

const struct format *format_by_ending(const char *path, unsigned contents) {
  const struct format *format;
  for (size_t i = 0; (format = format_at(i)); i++)
    if (has_ending(format, path) && (contents == 0 || (format->writes & contents)))
      return format;
  return NULL;
}

static size_t format_count(void) {
  const struct neap_format_family *family = atomic_load(&format_family);
  return FORMAT_COUNT + (family ? family->count : 0);
}

const struct format *format_by_content(const char *text, size_t size,
                                       const neap_reading *reading, bool models) {
  for (size_t i = format_count(); i-- > 0;) {
    const struct format *format = format_at(i);
    if (format->is && format->is_model == models && format->is(text, size, reading))
      return format;
  }
  return NULL;
}

bool format_is_standard(const char *path) { return strcmp(path, "-") == 0; }

/* ---------------------------------------------------------------- messages */

neap_status format_check(const struct format *format, neap_error *error) {
  return format->check ? format->check(error) : NEAP_OK;
}

neap_status neap_format_check(const char *name, neap_error *error) {
  const struct format *format;
  neap_status status = format_by_name(name, &format, error);
  return status == NEAP_OK ? format_check(format, error) : status;
}

/* Whether the format in row `index` is the first that `takes` accepts with its usual extension. */
static bool is_listed(size_t index, bool (*takes)(const struct format *format)) {
  const struct format *format = format_at(index);
  if (!takes(format)) return false;
  for (size_t i = 0; i < index; i++)
    if (takes(format_at(i)) && strcmp(format_at(i)->extensions[0], format->extensions[0]) == 0)
      return false;
  return true;
}

const char *format_list(bool (*takes)(const struct format *format), char text[FORMAT_LIST]) {
  const size_t count = format_count();
  size_t length = 0, left = 0;
  text[0] = '\0';
  for (size_t i = 0; i < count; i++)
    left += is_listed(i, takes);
  for (size_t i = 0; i < count && length < FORMAT_LIST; i++)
    if (is_listed(i, takes)) {
      const char *before = length == 0 ? "" : left > 1 ? ", " : " or ";
      length += (size_t)snprintf(text + length, FORMAT_LIST - length, "%s%s", before,
                                 format_at(i)->extensions[0]);
      left--;
    }
  return text;
}
