/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/splittable.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/sized.h"
#include "formats/c_array.h"
#include "formats/onnx/split.h"
#include "formats/tflite/assumed.h"
#include "formats/tflite/split.h"
#include "formats/tflite/tflite.h"
#include "io/foreign.h"
#include "io/format.h"

neap_status splittable_set_ticks(neap_options *options, uint64_t ticks, neap_error *error) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, ticks);
  return neap_options_set(options, "max-ticks", text, error);
}

neap_options *splittable_options(uint64_t ticks, neap_error *error) {
  neap_options *options = neap_options_new();
  if (options && splittable_set_ticks(options, ticks, error) == NEAP_OK) return options;
  neap_options_free(options);
  return NULL;
}

static neap_status copy_reading(const neap_reading *given, neap_reading *reading,
                                neap_error *error) {
  *reading = (neap_reading)NEAP_INIT(neap_reading);
  neap_status status = given ? SIZED_READ(neap_reading, *reading, given, error) : NEAP_OK;
  reading->liveness.list_runtime = true;
  return status;
}

static neap_status find_format(struct splittable *model, const neap_reading *reading,
                               neap_error *error) {
  const bool is_onnx = onnx_split.is(model->text, model->size, reading);
  model->format = is_onnx ? &onnx_split : &tflite_split;
  if (!model->reading.target) model->reading.target = model->format->target;
  if (is_onnx || tflite_split.is(model->text, model->size, reading)) return NEAP_OK;
  neap_status status = foreign_check(model->path, model->text, model->size, error);
  return status == NEAP_OK ? tflite_check(model->text, model->size, &model->reading, error)
                           : status;
}

neap_status splittable_open(const char *path, const neap_reading *reading,
                            struct splittable *model, neap_error *error) {
  *model = (struct splittable){.path = path};
  neap_status status = copy_reading(reading, &model->reading, error);
  if (status == NEAP_OK) status = c_array_read(path, &model->text, &model->size, error);
  if (status == NEAP_OK) status = find_format(model, reading, error);
  if (status == NEAP_OK && model->format == &tflite_split)
    tflite_assumed_apply(model->text, model->size, &model->reading);
  if (status == NEAP_OK) return NEAP_OK;
  free(model->text);
  model->text = NULL;
  return error_in_file(error, status, path);
}

neap_status splittable_check_path(const struct splittable *model, const char *path,
                                  neap_error *error) {
  const struct format *other = format_by_ending(path, NEAP_CONTENT_SPLIT);
  if (!other || strcmp(other->name, model->format->name) == 0) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "the new model has the format of the given one, %s, not %s",
                   model->format->name, other->name);
}

static neap_status write_ordered(const struct splittable *model, const neap_plan *plan,
                                 FILE *stream, neap_error *error) {
  neap_reading reading = model->reading;
  neap_writing writing = NEAP_INIT(neap_writing);
  const struct format *format;
  reading.warn = NULL;
  writing.model = model->path;
  writing.reading = &reading;
  writing.replace = true;
  neap_status status = format_by_name(model->format->name, &format, error);
  return status == NEAP_OK ? format->export_plan(plan, &writing, stream, error) : status;
}

neap_status splittable_reorder(struct splittable *model, const neap_plan *plan,
                               neap_error *error) {
  char *text = NULL;
  size_t size;
  FILE *stream = open_memstream(&text, &size);
  if (!stream) return error_memory(error);
  neap_status status = write_ordered(model, plan, stream, error);
  bool is_short = ferror(stream) != 0;
  is_short |= fclose(stream) != 0 || !text;
  if (is_short && status == NEAP_OK) status = error_memory(error);
  free(status == NEAP_OK ? model->text : text);
  if (status != NEAP_OK) return status;
  model->text = text;
  model->size = size;
  return NEAP_OK;
}

/* Any plan has the order of operators. */
static neap_status reorder_for(struct splittable *model, const neap_problem *problem,
                               neap_error *error) {
  neap_plan *plan = NULL;
  neap_options *options = splittable_options(SPLIT_PIECE_TICKS, error);
  neap_status status =
      options ? neap_solve(problem, options, &plan, error) : error_memory(error);
  if (status == NEAP_OK) status = splittable_reorder(model, plan, error);
  neap_plan_free(plan);
  neap_options_free(options);
  return status;
}

neap_status splittable_schedule(struct splittable *model, const neap_scheduling *scheduling,
                                neap_error *error) {
  neap_reading reading = model->reading;
  neap_problem *problem = NULL;
  if (model->format->target) reading.target = model->format->target; /* the plan is in it */
  reading.warn = NULL;
  neap_status status = neap_problem_prepare(model->path, &reading, scheduling, &problem, error);
  if (status == NEAP_OK) status = reorder_for(model, problem, error);
  neap_problem_free(problem);
  return status;
}
