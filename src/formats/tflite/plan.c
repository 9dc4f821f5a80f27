/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tflite/plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "formats/adopt.h"
#include "formats/tflite/schema.h"
#include "formats/tflite/tflite.h"
#include "plan/runtime.h"

static neap_status broken(neap_error *error) {
  return error_set(error, NEAP_ERROR_INPUT,
                   "not a sound TensorFlow Lite model: its metadata lead out of the file");
}

static bool is_plan(const struct flat_table *entry) {
  const char *name;
  size_t length;
  return flat_text(entry, TFLITE_METADATA_NAME, &name, &length) &&
         length == strlen(TFLITE_PLAN) && memcmp(name, TFLITE_PLAN, length) == 0;
}

neap_status tflite_plan_find(const struct flat_table *model, struct tflite_plan *plan,
                             neap_error *error) {
  struct flat_vector metadata;
  *plan = (struct tflite_plan){TFLITE_NONE, TFLITE_NONE};
  if (!flat_vector(model, TFLITE_MODEL_METADATA, 4, &metadata)) return broken(error);
  for (size_t m = 0; m < metadata.count; m++) {
    struct flat_table entry;
    uint64_t buffer;
    if (!flat_element(&metadata, m, &entry)) return broken(error);
    if (!is_plan(&entry)) continue;
    if (!flat_unsigned(&entry, TFLITE_METADATA_BUFFER, 4, 0, &buffer)) return broken(error);
    *plan = (struct tflite_plan){m, (size_t)buffer};
  }
  return NEAP_OK;
}

static neap_status read_numbers(const struct flat *file, size_t at, size_t bytes, size_t count,
                                int32_t **offsets, neap_error *error) {
  const struct flat_vector numbers = {file, at, bytes / 4};
  if (numbers.count < TFLITE_PLAN_HEAD || flat_int32(&numbers, 0) != TFLITE_PLAN_VERSION)
    return error_set(error, NEAP_ERROR_INPUT,
                     "the model's plan: expected version %d, found another or none",
                     TFLITE_PLAN_VERSION);
  if (flat_int32(&numbers, 1) != 0 || flat_int32(&numbers, 2) < 0 ||
      (size_t)flat_int32(&numbers, 2) != count || numbers.count < TFLITE_PLAN_HEAD + count)
    return error_set(
        error, NEAP_ERROR_INPUT,
        "the model's plan: expected the offsets of %zu tensors of subgraph 0, found "
        "%" PRId32 " of subgraph %" PRId32,
        count, flat_int32(&numbers, 2), flat_int32(&numbers, 1));
  *offsets = memory_array(count, sizeof **offsets);
  if (!*offsets) return error_memory(error);
  for (size_t t = 0; t < count; t++)
    (*offsets)[t] = flat_int32(&numbers, TFLITE_PLAN_HEAD + t);
  return NEAP_OK;
}

/* *offsets has one for every tensor, and is released with free(); NULL if there is no plan. */
static neap_status read_offsets(const char *text, size_t size, const neap_graph *graph,
                                int32_t **offsets, neap_error *error) {
  struct flat file = {(const unsigned char *)text, size};
  struct flat_table model, buffer;
  struct flat_vector buffers, data;
  struct tflite_plan plan;
  *offsets = NULL;
  if (!flat_root(&file, &model) || !flat_vector(&model, TFLITE_MODEL_BUFFERS, 4, &buffers))
    return broken(error);
  neap_status status = tflite_plan_find(&model, &plan, error);
  if (status != NEAP_OK || plan.entry == TFLITE_NONE) return status;
  if (!flat_element(&buffers, plan.buffer, &buffer) ||
      !flat_vector(&buffer, TFLITE_BUFFER_DATA, 1, &data))
    return broken(error);
  return read_numbers(&file, data.at, data.count, graph_tensor_count(graph), offsets, error);
}

/* ---------------------------------------------------------------- as a plan */

/*
 * If all offsets are multiples of 16, the plan was made with that alignment, which limits how low a
 * peak can get.  The runtime places a tensor without an offset; only variables have a known lifetime.
 */
static void fix_offsets(neap_graph *graph, const int32_t *offsets) {
  bool is_aligned = true;
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    is_aligned = is_aligned && (offsets[t] < 0 || offsets[t] % TFLITE_ALIGNMENT == 0);
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    neap_tensor *tensor = &graph->tensors[t];
    tensor->is_runtime = offsets[t] < 0 && tensor->kind != NEAP_TENSOR_VARIABLE;
    if (is_aligned && tensor->alignment < TFLITE_ALIGNMENT)
      tensor->alignment = TFLITE_ALIGNMENT;
  }
}

/* Changes the graph. */
static neap_status adopt(neap_graph *graph, const int32_t *tensor_offsets, neap_plan **plan,
                         neap_error *error) {
  const neap_liveness liveness = {.list_runtime = true};
  neap_problem *problem;
  fix_offsets(graph, tensor_offsets);
  neap_status status = neap_graph_problem(graph, &liveness, &problem, error);
  if (status != NEAP_OK) return status;
  neap_offset *offsets = memory_array(problem->count, sizeof *offsets);
  for (size_t i = 0; i < problem->count && offsets; i++) {
    const char *name = problem_name(problem, i);
    size_t tensor = names_find(&graph->names, name, strlen(name));
    offsets[i] = tensor_offsets[tensor] < 0 ? NEAP_UNPLACED : tensor_offsets[tensor];
  }
  status = offsets ? runtime_place(problem, offsets, error) : error_memory(error);
  if (status == NEAP_OK) return adopt_plan(problem, offsets, plan, error);
  free(offsets);
  neap_problem_free(problem);
  return status;
}

neap_status tflite_plan_read(char *text, size_t size, const neap_reading *reading,
                             neap_plan **plan, neap_error *error) {
  neap_graph *graph;
  int32_t *offsets;
  neap_status status = tflite_read(text, size, reading, &graph, error);
  if (status != NEAP_OK) return status;
  status = read_offsets(text, size, graph, &offsets, error);
  if (status == NEAP_OK)
    status = offsets ? adopt(graph, offsets, plan, error)
                     : error_set(error, NEAP_ERROR_INPUT, "the model holds no plan");
  free(offsets);
  neap_graph_free(graph);
  return status;
}
