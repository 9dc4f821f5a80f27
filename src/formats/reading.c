/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/reading.h"

#include <inttypes.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

static const char *graph_option(const neap_reading *reading) {
  const neap_liveness *liveness = &reading->liveness;
  return reading->schedule != NEAP_SCHEDULE_KEEP ? "--schedule"
         : liveness->in_place                    ? "--in-place"
         : liveness->keep_count > 0              ? "--keep"
         : liveness->keep_all                    ? "--keep-all"
         : liveness->no_inputs                   ? "--no-inputs"
         : liveness->no_outputs                  ? "--no-outputs"
                                                 : NULL;
}

neap_status reading_check_graph(const neap_reading *reading, const struct format *format,
                                neap_error *error) {
  const char *option = graph_option(reading);
  if (!option) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "%s needs a graph of operators (.tflite, .onnx, .dot or .json); this %s "
                   "input has none",
                   option, format->info.name);
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

neap_status reading_check(const neap_reading *reading, const struct format *format,
                          bool any_graph, neap_error *error) {
  const struct {
    bool is_given, applies;
    const char *option, *needs;
  } checks[] = {
      {reading->column_count > 0, format->is_table, "--columns", "a table (.csv or .ops)"},
      {reading->inclusive, format->info.format == NEAP_FORMAT_CSV, "--inclusive",
       "a table of buffers (.csv)"},
      {reading->dimension_count > 0, format->has_dimensions, "--dim",
       "a model or graph with free dimensions (.onnx or .dot)"},
      {reading->dot_size, format->info.format == NEAP_FORMAT_DOT, "--dot-size", "a DOT graph"},
      {reading->dot_order, format->info.format == NEAP_FORMAT_DOT, "--dot-order",
       "a DOT graph"},
  };
  for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
    if (checks[i].is_given && !checks[i].applies)
      return error_set(error, NEAP_ERROR_ARGUMENT, "%s needs %s; this input is %s",
                       checks[i].option, checks[i].needs, format->info.name);
  neap_status status = check_dimensions(reading, error);
  if (status != NEAP_OK || any_graph || format->read_graph) return status;
  return reading_check_graph(reading, format, error);
}

neap_status reading_check_dimensions(const neap_reading *reading, const bool *used,
                                     const char *known, neap_error *error) {
  for (size_t i = 0; i < reading->dimension_count; i++) {
    const char *name = reading->dimensions[i].name;
    char excerpt[TEXT_EXCERPT];
    if (used[i]) continue;
    return error_set(
        error, NEAP_ERROR_ARGUMENT, "--dim: the input has no free dimension %s%s%s",
        text_excerpt(excerpt, name, strlen(name)), *known ? "; it has " : "", known);
  }
  return NEAP_OK;
}
