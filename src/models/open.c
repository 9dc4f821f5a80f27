/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/open.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "files/c_array.h"
#include "files/reading.h"
#include "io/foreign.h"
#include "models/onnx/onnx.h"
#include "models/tflite/assumed.h"
#include "models/tflite/tflite.h"
#include "plan/plan.h"

neap_status model_set_ticks(neap_options *options, uint64_t ticks, neap_error *error) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, ticks);
  return neap_options_set(options, "max-ticks", text, error);
}

neap_options *model_options(uint64_t ticks, neap_error *error) {
  neap_options *options = neap_options_new();
  if (options && model_set_ticks(options, ticks, error) == NEAP_OK) return options;
  neap_options_free(options);
  return NULL;
}

/* ---------------------------------------------------------------- opening */

void model_drop(const neap_model *model) {
  neap_model *own = (neap_model *)model;
  if (!own || atomic_fetch_sub(&own->holders, 1) > 1) return;
  free(own->name);
  free(own->text);
  free(own);
}

void neap_model_free(neap_model *model) { model_drop(model); }

const neap_model *model_hold(const neap_model *model) {
  atomic_fetch_add(&((neap_model *)model)->holders, 1);
  return model;
}

/* Takes the text.  NULL if memory is short. */
static neap_model *new_model(const char *name, char *text, size_t size,
                             const neap_reading *reading) {
  neap_model *model = memory_array(1, sizeof *model);
  char *copy = strdup(name);
  if (!model || !copy) {
    free(model);
    free(copy);
    free(text);
    return NULL;
  }
  atomic_init(&model->holders, 1);
  model->name = copy;
  model->text = text;
  model->size = size;
  model->reading = *reading;
  model->reading.graph.liveness.list_runtime = true;
  model->reading.content = text;
  model->reading.content_size = size;
  return model;
}

static neap_status find_format(neap_model *model, neap_error *error) {
  neap_reading *reading = &model->reading;
  const bool is_onnx = onnx_bands.is(model->text, model->size, reading);
  model->format = is_onnx ? &onnx_bands : &tflite_bands;
  if (!reading->graph.target) reading->graph.target = model->format->target;
  if (is_onnx) return NEAP_OK;
  if (tflite_bands.is(model->text, model->size, reading)) {
    tflite_assumed_apply(model->text, model->size, reading);
    return NEAP_OK;
  }
  neap_status status = foreign_check(model->name, model->text, model->size, error);
  return status == NEAP_OK ? tflite_check(model->text, model->size, reading, error) : status;
}

neap_status neap_model_open(const char *path, const neap_reading *reading, neap_model **model,
                            neap_error *error) {
  neap_reading own;
  char *text;
  size_t size;
  neap_models_register(); /* static programs need this to have the formats */
  neap_status status = reading_take(reading, &own, error);
  if (status == NEAP_OK) status = c_array_read(path, &own, &text, &size, error);
  if (status != NEAP_OK) return error_in_file(error, status, path);
  neap_model *made = new_model(path, text, size, &own);
  if (!made) return error_memory(error);
  status = find_format(made, error);
  if (status == NEAP_OK) *model = made;
  else neap_model_free(made);
  return error_in_file(error, status, path);
}

neap_status neap_model_open_bytes(const char *name, const void *bytes, size_t size,
                                  const neap_reading *reading, neap_model **model,
                                  neap_error *error) {
  neap_reading own;
  neap_status status = reading_take(reading, &own, error);
  if (status != NEAP_OK) return status;
  own.content = bytes;
  own.content_size = size;
  return neap_model_open(name, &own, model, error);
}

const char *neap_model_format(const neap_model *model) { return model->format->name; }

/* ---------------------------------------------------------------- reading and planning */

neap_status neap_model_graph(const neap_model *model, neap_graph **graph, neap_error *error) {
  return neap_graph_read(model->name, &model->reading, graph, error);
}

neap_status neap_model_problem(const neap_model *model, const neap_scheduling *scheduling,
                               neap_problem **problem, neap_error *error) {
  return neap_problem_prepare(model->name, &model->reading, scheduling, problem, error);
}

neap_status neap_model_plan(const neap_model *model, const neap_scheduling *scheduling,
                            const neap_options *options, neap_plan **plan, neap_error *error) {
  neap_problem *problem;
  neap_plan *made;
  neap_status status = neap_model_problem(model, scheduling, &problem, error);
  if (status != NEAP_OK) return status;
  status = neap_solve(problem, options, &made, error);
  if (status != NEAP_OK) {
    neap_problem_free(problem);
    return status;
  }
  made->owned = problem;
  *plan = made;
  return NEAP_OK;
}

neap_status neap_model_own_plan(const neap_model *model, neap_plan **plan, neap_error *error) {
  return neap_plan_read(model->name, &model->reading, plan, error);
}

/* ---------------------------------------------------------------- writing */

neap_status model_check_path(const neap_model *model, const char *path, neap_error *error) {
  const struct band_format *others[] = {&tflite_bands, &onnx_bands};
  const char *ending = strrchr(path, '.');
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (ending && others[i] != model->format && strcasecmp(ending + 1, others[i]->name) == 0)
      return error_set(error, NEAP_ERROR_ARGUMENT,
                       "the new model has the format of the given one, %s, not %s",
                       model->format->name, others[i]->name);
  return NEAP_OK;
}

static neap_writing writing_of(const neap_model *model) {
  neap_writing writing = NEAP_INIT(neap_writing);
  writing.format = model->format->name;
  writing.model = model->name;
  writing.reading = &model->reading;
  writing.replace = true;
  return writing;
}

neap_status neap_model_write(const neap_model *model, const neap_plan *plan, const char *path,
                             neap_error *error) {
  const neap_writing writing = writing_of(model);
  neap_status status = model_check_path(model, path, error);
  return status == NEAP_OK ? neap_plan_write(plan, path, &writing, error) : status;
}

static neap_status write_text(const neap_model *model, const neap_plan *plan, char **text,
                              size_t *size, neap_error *error) {
  neap_writing writing = writing_of(model);
  neap_reading silent = model->reading;
  silent.warn = NULL;
  writing.reading = &silent;
  *text = NULL;
  FILE *stream = open_memstream(text, size);
  if (!stream) return error_memory(error);
  neap_status status = model->format->export(plan, &writing, stream, error);
  bool is_short = ferror(stream) != 0;
  is_short |= fclose(stream) != 0 || !*text;
  if (is_short && status == NEAP_OK) status = error_memory(error);
  if (status != NEAP_OK) free(*text);
  return status;
}

neap_status model_reorder(const neap_model *model, const neap_plan *plan,
                          const neap_model **ordered, neap_error *error) {
  char *text;
  size_t size;
  neap_status status = write_text(model, plan, &text, &size, error);
  if (status != NEAP_OK) return status;
  neap_model *made = new_model(model->name, text, size, &model->reading);
  if (!made) return error_memory(error);
  made->format = model->format;
  made->reading.warn = NULL;
  *ordered = made;
  return NEAP_OK;
}

neap_status model_schedule(const neap_model *model, const neap_scheduling *scheduling,
                           const neap_model **ordered, neap_error *error) {
  neap_reading reading = model->reading;
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  neap_options *options = model_options(SPLIT_PIECE_TICKS, error);
  if (!options) return error_memory(error);
  if (model->format->target)
    reading.graph.target = model->format->target; /* for the plan in the model */
  reading.warn = NULL;
  neap_status status = neap_problem_prepare(model->name, &reading, scheduling, &problem, error);
  /* Any plan has the order of operators. */
  if (status == NEAP_OK) status = neap_solve(problem, options, &plan, error);
  if (status == NEAP_OK) status = model_reorder(model, plan, ordered, error);
  neap_plan_free(plan);
  neap_problem_free(problem);
  neap_options_free(options);
  return status;
}
