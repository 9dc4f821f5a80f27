/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads problems, graphs and plans from files in any format. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "files/c_array.h"
#include "files/kernels.h"
#include "files/owned.h"
#include "files/reading.h"
#include "files/target.h"
#include "io/foreign.h"
#include "io/format.h"
#include "io/read.h"
#include "model/graph.h"
#include "model/problem.h"
#include "neap/neap-io.h"

/* ---------------------------------------------------------------- which members apply */

static const char *graph_member(const neap_reading *reading, const char *orders) {
  const neap_liveness *liveness = &reading->graph.liveness;
  return orders                     ? orders
         : liveness->in_place       ? "neap_liveness.in_place"
         : liveness->overlap        ? "neap_liveness.overlap"
         : liveness->aliases        ? "neap_liveness.aliases"
         : liveness->keep_count > 0 ? "neap_liveness.keep"
         : liveness->keep_all       ? "neap_liveness.keep_all"
         : liveness->no_inputs      ? "neap_liveness.no_inputs"
         : liveness->no_outputs     ? "neap_liveness.no_outputs"
         : reading->graph.variables ? "neap_reading.graph.variables"
                                    : NULL;
}

static bool has_graphs(const struct format *format) { return format->read_graph != NULL; }

/* Reports an input without operators if `orders` or a member of `reading` needs operators. */
static neap_status reading_check_graph(const neap_reading *reading, const char *orders,
                                       const struct format *format, neap_error *error) {
  const char *member = graph_member(reading, orders);
  char list[FORMAT_LIST];
  if (!member) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "%s needs a graph of operators (%s); this %s input has none", member,
                   format_list(has_graphs, list), format->name);
}

/* Rejects a second value for a dimension, because one of the two would be ignored. */
static neap_status check_dimensions(const neap_reading *reading, neap_error *error) {
  for (size_t i = 0; i < reading->model.dimension_count; i++) {
    const neap_dimension *dimension = &reading->model.dimensions[i];
    char excerpt[TEXT_EXCERPT];
    if (!dimension->name || dimension->value < 1)
      return error_set(
          error, NEAP_ERROR_ARGUMENT,
          "neap_reading.model.dimensions[%zu]: expected a name and a value of at least 1, "
          "found %" PRId64,
          i, dimension->value);
    for (size_t j = 0; j < i; j++)
      if (strcmp(dimension->name, reading->model.dimensions[j].name) == 0)
        return error_set(error, NEAP_ERROR_ARGUMENT,
                         "neap_reading.model.dimensions[%zu]: %s given twice", i,
                         text_excerpt(excerpt, dimension->name, strlen(dimension->name)));
  }
  return NEAP_OK;
}

static bool has_columns(const struct format *format) {
  return format->options & FORMAT_COLUMNS;
}

static bool has_ends(const struct format *format) { return format->options & FORMAT_INCLUSIVE; }

static bool has_conflicts(const struct format *format) {
  return format->options & FORMAT_CONFLICTS;
}

static bool has_dimensions(const struct format *format) {
  return format->options & FORMAT_DIMENSIONS;
}

static bool has_scratch(const struct format *format) {
  return format->options & FORMAT_SCRATCH;
}

static bool has_kernels(const struct format *format) {
  return format->options & FORMAT_KERNELS;
}

static bool has_attributes(const struct format *format) { return format->options & FORMAT_DOT; }

static neap_status check_target(const neap_reading *reading, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  if (target_find(reading->graph.target)) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT, "neap_reading.graph.target: unknown target %s",
                   text_excerpt(excerpt, reading->graph.target, strlen(reading->graph.target)));
}

static neap_status check_kernels(const neap_reading *reading, const struct format *format,
                                 neap_error *error) {
  const struct kernels *kernels = kernels_at(reading->graph.kernels);
  char list[FORMAT_LIST];
  if (reading->graph.kernels != NEAP_KERNELS_DEFAULT && !kernels)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "neap_reading.graph.kernels is %d, which is none",
                     (int)reading->graph.kernels);
  if (!kernels || !kernels->is_runtimes || has_kernels(format)) return NEAP_OK;
  return error_set(
      error, NEAP_ERROR_ARGUMENT,
      "neap_reading.graph.kernels %s needs a TensorFlow Lite model (%s); this input is %s",
      kernels->name, format_list(has_kernels, list), format->name);
}

/*
 * NEAP_ERROR_ARGUMENT names a member that does not apply to `format`, or whose value is wrong.
 */
static neap_status reading_check(const neap_reading *reading, const struct format *format,
                                 neap_error *error) {
  const struct {
    bool is_given;
    bool (*takes)(const struct format *format);
    const char *member, *needs;
  } checks[] = {
      {reading->table.column_count > 0, has_columns, "neap_reading.table.columns", "a table"},
      {reading->table.inclusive, has_ends, "neap_reading.table.inclusive",
       "a table of buffers"},
      {reading->table.conflicts, has_conflicts, "neap_reading.table.conflicts",
       "a table of buffers"},
      {reading->model.dimension_count > 0, has_dimensions, "neap_reading.model.dimensions",
       "a model or graph with free dimensions"},
      {reading->model.scratch, has_scratch, "neap_reading.model.scratch",
       "a TensorFlow Lite model"},
      {reading->dot.size, has_attributes, "neap_reading.dot.size", "a DOT graph"},
      {reading->dot.order, has_attributes, "neap_reading.dot.order", "a DOT graph"},
  };
  char list[FORMAT_LIST];
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (checks[i].is_given && !checks[i].takes(format))
      return error_set(error, NEAP_ERROR_ARGUMENT, "%s needs %s (%s); this input is %s",
                       checks[i].member, checks[i].needs, format_list(checks[i].takes, list),
                       format->name);
  neap_status status = check_dimensions(reading, error);
  if (status == NEAP_OK) status = check_target(reading, error);
  if (status == NEAP_OK) status = check_kernels(reading, format, error);
  return status;
}

/* ---------------------------------------------------------------- reading */

struct source {
  const char *name; /* for messages */
  char *text;       /* all of the file */
  char *content;    /* `text` after a byte order mark */
  size_t size;      /* of the content */
  const struct format *format;
};

static neap_status find_format(struct source *source, const char *path,
                               const neap_reading *reading, neap_error *error) {
  const char *text = source->content;
  source->format = format_by_content(text, source->size, reading, true);
  if (source->format) return NEAP_OK;
  neap_status status = foreign_check(path, text, source->size, error);
  if (status != NEAP_OK) return status;
  if (!format_is_standard(path)) source->format = format_by_ending(path, 0);
  if (source->size == 0 && source->format && source->format->is_model)
    return error_set(error, NEAP_ERROR_INPUT, "expected a model, found an empty file");
  if (!source->format || !source->format->reads)
    source->format = format_by_content(text, source->size, reading, false);
  return NEAP_OK;
}

static neap_status source_open(struct source *source, const char *path,
                               const neap_reading *reading, neap_error *error) {
  *source = (struct source){.name = format_is_standard(path) ? "standard input" : path};
  neap_status status =
      reading->format ? format_by_name(reading->format, &source->format, error) : NEAP_OK;
  if (status == NEAP_OK)
    status = c_array_read(path, reading, &source->text, &source->size, error);
  if (status != NEAP_OK) return status;
  source->content = source->text;
  if (source->size >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0) {
    source->content += 3;
    source->size -= 3;
  }
  if (!source->format) status = find_format(source, path, reading, error);
  if (status != NEAP_OK) free(source->text);
  return status;
}

/* What to read: the first of the three results that is not NULL. */
struct wanted {
  neap_plan **plan;
  neap_graph **graph;
  neap_problem **problem;
  const char *orders; /* not NULL: the problem must have operators, for this member */
};

/* Outputs can lie over inputs only if kernels are given, or the graph states how far. */
static neap_status check_overlap(const neap_reading *reading, const struct format *format,
                                 neap_error *error) {
  if (!reading->graph.liveness.overlap || format->options & FORMAT_OVERLAPS ||
      kernels_of(reading) != NEAP_KERNELS_DEFAULT)
    return NEAP_OK;
  return error_set(
      error, NEAP_ERROR_ARGUMENT,
      "neap_liveness.overlap needs neap_reading.graph.kernels, which determine how far "
      "an output may lie over an input");
}

static neap_status read_graph(const struct source *source, const neap_reading *reading,
                              neap_graph **graph, neap_error *error) {
  const struct format *format = source->format;
  neap_status status = check_overlap(reading, format, error);
  if (status != NEAP_OK) return status;
  status = format->read_graph(source->content, source->size, reading, graph, error);
  if (status == NEAP_OK && (format->options & FORMAT_ALIGNMENT) && reading->graph.alignment > 0)
    graph_align(*graph, reading->graph.alignment);
  return status;
}

static neap_status read_problem(const struct source *source, const neap_reading *reading,
                                const struct wanted *wanted, neap_error *error) {
  const struct format *format = source->format;
  neap_problem **problem = wanted->problem;
  neap_graph *graph;
  neap_status status = NEAP_OK;
  if (!format->read_graph) status = reading_check_graph(reading, wanted->orders, format, error);
  if (status != NEAP_OK) return status;
  if (format->read_problem) {
    status = format->read_problem(source->content, source->size, reading, problem, error);
    if (status != NEAP_OK || (*problem)->graph) return status;
    status = reading_check_graph(reading, wanted->orders, format, error);
    if (status == NEAP_OK) status = target_apply_problem(*problem, reading, error);
    if (status != NEAP_OK) neap_problem_free(*problem);
    return status;
  }
  status = read_graph(source, reading, &graph, error);
  return status == NEAP_OK ? adopt_graph(graph, reading, problem, error) : status;
}

static neap_status read_wanted(const struct source *source, const neap_reading *reading,
                               const struct wanted *wanted, neap_error *error) {
  const struct format *format = source->format;
  const char *what = wanted->plan ? "plan" : wanted->graph ? "graph of operators" : "problem";
  neap_status status = reading_check(reading, format, error);
  if (status != NEAP_OK) return status;
  if (wanted->plan && format->read_plan)
    return format->read_plan(source->content, source->size, reading, wanted->plan, error);
  if (!wanted->plan && wanted->graph && format->read_graph)
    return read_graph(source, reading, wanted->graph, error);
  if (!wanted->plan && !wanted->graph && format->reads)
    return read_problem(source, reading, wanted, error);
  return error_set(error, NEAP_ERROR_INPUT, "expected a %s; %s files never hold one", what,
                   format->extensions[0]);
}

/* Adds the file's name to warnings, because readers do not know it. */
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

static neap_status read_any(const char *path, const neap_reading *given,
                            const struct wanted *wanted, neap_error *error) {
  struct source source;
  neap_reading own;
  neap_status status = reading_take(given, &own, error);
  const neap_reading *reading = &own;
  if (status != NEAP_OK) return status;
  status = source_open(&source, path, reading, error);
  if (status != NEAP_OK) return error_in_file(error, status, source.name);
  struct warner warner = {reading, source.name};
  neap_reading named = *reading;
  if (source.format->apply && !wanted->plan)
    source.format->apply(source.content, source.size, &named);
  named.warn = reading->warn ? warn_in_file : NULL;
  named.warn_user = &warner;
  status = read_wanted(&source, &named, wanted, error);
  free(source.text);
  return error_in_file(error, status, source.name);
}

neap_status read_problem_with(const char *path, const neap_reading *reading, const char *orders,
                              neap_problem **problem, neap_error *error) {
  neap_problem *made = NULL; /* readers may set it before they fail */
  struct wanted wanted = {.problem = &made, .orders = orders};
  neap_status status = read_any(path, reading, &wanted, error);
  if (status == NEAP_OK) *problem = made;
  return status;
}

neap_status neap_problem_read(const char *path, const neap_reading *reading,
                              neap_problem **problem, neap_error *error) {
  return read_problem_with(path, reading, NULL, problem, error);
}

neap_status neap_plan_read(const char *path, const neap_reading *reading, neap_plan **plan,
                           neap_error *error) {
  struct wanted wanted = {.plan = plan};
  return read_any(path, reading, &wanted, error);
}

neap_status neap_graph_read(const char *path, const neap_reading *reading, neap_graph **graph,
                            neap_error *error) {
  struct wanted wanted = {.graph = graph};
  return read_any(path, reading, &wanted, error);
}
