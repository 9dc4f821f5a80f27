/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/reading.h"

#include <inttypes.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "formats/profiles.h"
#include "formats/target.h"

static const char *graph_option(const neap_reading *reading) {
  const neap_liveness *liveness = &reading->liveness;
  return reading->scheduling.schedule != NEAP_SCHEDULE_KEEP ? "--schedule"
         : liveness->in_place                               ? "--in-place"
         : profiles_of(reading) != profiles_find(NULL)      ? "--overlap"
         : liveness->aliases                                ? "--alias"
         : liveness->keep_count > 0                         ? "--keep"
         : liveness->keep_all                               ? "--keep-all"
         : liveness->no_inputs                              ? "--no-inputs"
         : liveness->no_outputs                             ? "--no-outputs"
         : reading->variables                               ? "--variables"
                                                            : NULL;
}

static bool has_graphs(const struct format *format) { return format->read_graph != NULL; }

neap_status reading_check_graph(const neap_reading *reading, const struct format *format,
                                neap_error *error) {
  const char *option = graph_option(reading);
  char list[FORMAT_LIST];
  if (!option) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "%s needs a graph of operators (%s); this %s input has none", option,
                   format_list(has_graphs, list), format->name);
}

/* Of values given twice one would be ignored. */
static neap_status check_dimensions(const neap_reading *reading, neap_error *error) {
  for (size_t i = 0; i < reading->dimension_count; i++) {
    const neap_dimension *dimension = &reading->dimensions[i];
    char excerpt[TEXT_EXCERPT];
    if (!dimension->name || dimension->value < 1)
      return error_set(error, NEAP_ERROR_ARGUMENT,
                       "--dim: expected a name and a value of at least 1, found %" PRId64,
                       dimension->value);
    for (size_t j = 0; j < i; j++)
      if (strcmp(dimension->name, reading->dimensions[j].name) == 0)
        return error_set(error, NEAP_ERROR_ARGUMENT, "--dim: %s given twice",
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
  if (target_find(reading->target)) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT, "--target: unknown target %s",
                   text_excerpt(excerpt, reading->target, strlen(reading->target)));
}

static neap_status check_profile(const neap_reading *reading, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  if (profiles_find(reading->overlap)) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT, "--overlap: unknown profile %s",
                   text_excerpt(excerpt, reading->overlap, strlen(reading->overlap)));
}

neap_status reading_check(const neap_reading *reading, const struct format *format,
                          bool any_graph, neap_error *error) {
  const struct {
    bool is_given;
    bool (*takes)(const struct format *format);
    const char *option, *needs;
  } checks[] = {
      {reading->column_count > 0, has_columns, "--columns", "a table"},
      {reading->inclusive, has_ends, "--inclusive", "a table of buffers"},
      {reading->conflicts, has_conflicts, "--conflicts", "a table of buffers"},
      {reading->dimension_count > 0, has_dimensions, "--dim",
       "a model or graph with free dimensions"},
      {reading->scratch, has_scratch, "--scratch", "a TensorFlow Lite model"},
      {profiles_of(reading)->reference, has_kernels, "--overlap tflite-reference",
       "a TensorFlow Lite model"},
      {reading->dot_size, has_attributes, "--dot-size", "a DOT graph"},
      {reading->dot_order, has_attributes, "--dot-order", "a DOT graph"},
  };
  char list[FORMAT_LIST];
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (checks[i].is_given && !checks[i].takes(format))
      return error_set(error, NEAP_ERROR_ARGUMENT, "%s needs %s (%s); this input is %s",
                       checks[i].option, checks[i].needs, format_list(checks[i].takes, list),
                       format->name);
  neap_status status = check_dimensions(reading, error);
  if (status == NEAP_OK) status = check_target(reading, error);
  if (status == NEAP_OK) status = check_profile(reading, error);
  if (status != NEAP_OK || any_graph || format->read_graph) return status;
  return reading_check_graph(reading, format, error);
}
