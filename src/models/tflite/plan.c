/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/tflite/plan.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "files/kernels.h"
#include "files/owned.h"
#include "files/target.h"
#include "model/problem.h"
#include "models/tflite/assumed.h"
#include "models/tflite/tflite.h"
#include "plan/plan.h"

/* ---------------------------------------------------------------- variables */

static size_t lost_in(const struct tflite_subgraph *subgraph, const neap_graph *graph,
                      const int32_t *offsets) {
  for (size_t i = 0; i < subgraph->tensors.count; i++)
    if (graph->tensors[subgraph->first + i].kind == NEAP_TENSOR_VARIABLE && offsets[i] >= 0 &&
        offsets[subgraph->first + i] < 0)
      return i;
  return TFLITE_NONE;
}

size_t tflite_plan_lost_variable(const struct tflite_model *model, const neap_graph *graph,
                                 const int32_t *offsets, size_t *at) {
  for (size_t s = 1; s < model->subgraph_count; s++) {
    *at = lost_in(&model->subgraphs[s], graph, offsets);
    if (*at != TFLITE_NONE) return model->subgraphs[s].first + *at;
  }
  return TFLITE_NONE;
}

static neap_status check_variables(const struct tflite_model *model, const neap_graph *graph,
                                   const int32_t *offsets, neap_error *error) {
  char variable[TEXT_EXCERPT], other[TEXT_EXCERPT];
  size_t at, lost = tflite_plan_lost_variable(model, graph, offsets, &at);
  if (lost == TFLITE_NONE) return NEAP_OK;
  const char *name = names_text(&graph->names, lost), *taken = names_text(&graph->names, at);
  return error_set(
      error, NEAP_ERROR_INPUT,
      "the model's plan has an offset for tensor %s and none for variable %s, which "
      "TensorFlow Lite Micro then never allocates",
      text_excerpt(other, taken, strlen(taken)), text_excerpt(variable, name, strlen(name)));
}

/* ---------------------------------------------------------------- the stored plan */

/* The plan in a model; without one, `offsets` is NULL and `count` is 0. */
struct stored {
  int32_t *offsets;
  size_t count;
};

/*
 * Whether a tensor has an offset; the runtime places all others.  With a plan, these include
 * scratch buffers, which follow the model's tensors in the graph; without one, they are all.
 */
static bool is_placed(const struct stored *stored, size_t tensor) {
  return tensor < stored->count && stored->offsets[tensor] >= 0;
}

/*
 * Fixes the offsets of the plan.  If all are multiples of the target's alignment, the plan was made
 * for the target, so sizes are those that the runtime reserves.
 */
static neap_status fix_offsets(neap_graph *graph, const neap_reading *target,
                               const struct stored *stored, neap_liveness *liveness,
                               neap_error *error) {
  bool is_aligned = true;
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    neap_tensor *tensor = &graph->tensors[t];
    bool is_variable = tensor->kind == NEAP_TENSOR_VARIABLE;
    bool is_online = !is_placed(stored, t);
    is_aligned = is_aligned && (is_online || stored->offsets[t] % TFLITE_ALIGNMENT == 0);
    tensor->is_runtime = is_online && is_variable;
    tensor->is_online = is_online && !is_variable;
  }
  return is_aligned ? target_apply_graph(graph, target, liveness, error) : NEAP_OK;
}

static neap_status set_offsets(const neap_graph *graph, const neap_problem *problem,
                               const struct stored *stored, tflite_place *place,
                               neap_offset **offsets, neap_error *error) {
  *offsets = memory_array(problem->count, sizeof **offsets);
  if (!*offsets) return error_memory(error);
  for (size_t i = 0; i < problem->count; i++) {
    const char *name = problem_name(problem, i);
    size_t tensor = names_find(&graph->names, name, strlen(name));
    (*offsets)[i] = is_placed(stored, tensor) ? stored->offsets[tensor] : NEAP_UNPLACED;
  }
  return place(problem, *offsets, error);
}

/* Takes ownership of the graph, also on failure. */
static neap_status adopt(neap_graph *graph, const neap_reading *target,
                         const struct stored *stored, tflite_place *place, neap_plan **plan,
                         neap_error *error) {
  neap_liveness liveness = {.list_runtime = true, .overlap = target->graph.liveness.overlap};
  neap_problem *problem = NULL;
  neap_offset *offsets = NULL;
  neap_status status = kernels_apply(graph, target, error);
  if (status == NEAP_OK) status = fix_offsets(graph, target, stored, &liveness, error);
  if (status == NEAP_OK) status = adopt_prepared(graph, &liveness, target, &problem, error);
  else neap_graph_free(graph);
  if (status == NEAP_OK) status = set_offsets(graph, problem, stored, place, &offsets, error);
  if (status == NEAP_OK) return adopt_plan(problem, offsets, plan, error);
  free(offsets);
  neap_problem_free(problem);
  return status;
}

static neap_status read_plan(struct tflite_model *model, const neap_reading *reading,
                             tflite_place *place, neap_plan **plan, neap_error *error) {
  neap_reading target = {.struct_size = sizeof(neap_reading),
                         .warn = reading->warn,
                         .warn_user = reading->warn_user,
                         .graph = {.liveness = {.overlap = reading->graph.liveness.overlap},
                                   .target = "tflm",
                                   .variables = NEAP_VARIABLES_RUNTIME,
                                   .kernels = reading->graph.kernels},
                         .model = {.scratch = reading->model.scratch,
                                   .pointer = reading->model.pointer,
                                   .resource_variables = reading->model.resource_variables}};
  neap_graph *graph = NULL;
  struct stored stored = {.offsets = NULL};
  tflite_assumed_apply((const char *)model->file.bytes, model->file.size, &target);
  neap_status status = tflite_plan_offsets(model, &stored.offsets, error);
  if (stored.offsets) {
    stored.count = model->tensor_count;
    target.graph.variables = NEAP_VARIABLES_PLAN; /* variables that have offsets */
  }
  if (status == NEAP_OK)
    status = tflite_read_model(model, &target, stored.offsets, &graph, error);
  if (status == NEAP_OK && stored.offsets)
    status = check_variables(model, graph, stored.offsets, error);
  if (status == NEAP_OK) status = adopt(graph, &target, &stored, place, plan, error);
  else neap_graph_free(graph);
  if (status == NEAP_OK && !stored.offsets) (*plan)->report.is_runtimes_own = true;
  free(stored.offsets);
  return status;
}

neap_status tflite_plan_read(char *text, size_t size, const neap_reading *reading,
                             tflite_place *place, neap_plan **plan, neap_error *error) {
  struct flat file = {(const unsigned char *)text, size};
  struct tflite_model model;
  neap_status status = tflite_check(text, size, reading, error);
  if (status != NEAP_OK) return status;
  status = tflite_model_open(&model, &file, error);
  if (status == NEAP_OK) status = read_plan(&model, reading, place, plan, error);
  tflite_model_close(&model);
  return status;
}
