/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads problems, graphs and plans from files in any format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/input.h"
#include "formats/adopt.h"
#include "formats/profiles.h"
#include "formats/target.h"
#include "io/foreign.h"
#include "io/format.h"
#include "io/reading.h"
#include "model/graph.h"
#include "model/problem.h"

static const neap_reading plain;

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
  if (status == NEAP_OK) status = input_read(path, &source->text, &source->size, error);
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

/* What to read: the first that is not NULL. */
struct wanted {
  neap_plan **plan;
  neap_graph **graph;
  neap_problem **problem;
};

static neap_status read_graph(const struct source *source, const neap_reading *reading,
                              neap_graph **graph, neap_error *error) {
  const struct format *format = source->format;
  neap_status status = format->read_graph(source->content, source->size, reading, graph, error);
  if (status == NEAP_OK && (format->options & FORMAT_ALIGNMENT) && reading->alignment > 0)
    graph_align(*graph, reading->alignment);
  return status;
}

/* With everything that liveness may make use of, and as the target sizes and places its tensors. */
static neap_status read_whole_graph(const struct source *source, const neap_reading *reading,
                                    neap_graph **graph, neap_error *error) {
  neap_liveness liveness = reading->liveness;
  neap_graph *made;
  neap_status status = read_graph(source, reading, &made, error);
  if (status != NEAP_OK) return status;
  status = profiles_apply(made, reading, error);
  if (status == NEAP_OK) status = target_apply_graph(made, reading, &liveness, error);
  if (status == NEAP_OK) *graph = made;
  else neap_graph_free(made);
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
  neap_status status = reading_check(reading, format, wanted->plan || wanted->graph, error);
  if (status != NEAP_OK) return status;
  if (wanted->plan && format->read_plan)
    return format->read_plan(source->content, source->size, reading, wanted->plan, error);
  if (!wanted->plan && wanted->graph && format->read_graph)
    return read_whole_graph(source, reading, wanted->graph, error);
  if (!wanted->plan && !wanted->graph && format->reads)
    return read_problem(source, reading, wanted->problem, error);
  return error_set(error, NEAP_ERROR_INPUT, "expected a %s; %s files never hold one", what,
                   format->extensions[0]);
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

static neap_status read_any(const char *path, const neap_reading *reading,
                            const struct wanted *wanted, neap_error *error) {
  struct source source;
  if (!reading) reading = &plain;
  neap_status status = source_open(&source, path, reading, error);
  if (status != NEAP_OK) return error_in_file(error, status, source.name);
  struct warner warner = {reading, source.name};
  neap_reading named = *reading;
  named.warn = reading->warn ? warn_in_file : NULL;
  named.warn_user = &warner;
  status = read_wanted(&source, &named, wanted, error);
  free(source.text);
  return error_in_file(error, status, source.name);
}

neap_status neap_problem_read(const char *path, const neap_reading *reading,
                              neap_problem **problem, neap_error *error) {
  neap_problem *made = NULL; /* readers may set it before they fail */
  struct wanted wanted = {.problem = &made};
  neap_status status = read_any(path, reading, &wanted, error);
  if (status == NEAP_OK) *problem = made;
  return status;
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
