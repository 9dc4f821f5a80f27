/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/target.h"

#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "model/graph.h"
#include "model/problem.h"

static const struct target targets[] = {
    {.name = "none",
     .summary = "no runtime in particular: sizes and alignments as in the input",
     .alignment = 1,
     .unit = 1},
    {.name = "tflm",
     .summary = "TensorFlow Lite Micro: offsets and sizes are multiples of 16, and the runtime "
                "allocates variables itself",
     .alignment = 16,
     .unit = 16,
     .has_byte_elements = true,
     .places_ends = true,
     .allocates_variables = true,
     .starts_with_inputs = true,
     .allocates_unused = true,
     .makes_copies = true,
     .is_predicted = true,
     .scratch_suffix = ".scratch.csv"},
};

const struct target *target_at(size_t index) {
  return index < sizeof targets / sizeof *targets ? &targets[index] : NULL;
}

const struct target *target_find(const char *name) {
  if (!name) return &targets[0];
  for (size_t i = 0; target_at(i); i++)
    if (strcmp(targets[i].name, name) == 0) return &targets[i];
  return NULL;
}

const struct target *target_of(const neap_reading *reading) {
  const struct target *target = target_find(reading->graph.target);
  return target ? target : &targets[0];
}

static neap_status fit_tensor(const struct target *target, const char *name,
                              neap_tensor *tensor, neap_error *error) {
  neap_size step = target->alignment / common_divisor(tensor->alignment, target->alignment);
  char excerpt[TEXT_EXCERPT];
  if (checked_round_up(tensor->bytes, target->unit, &tensor->bytes) &&
      checked_mul(tensor->alignment, step, &tensor->alignment))
    return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT, "tensor %s is too large for target %s",
                   text_excerpt(excerpt, name, strlen(name)), target->name);
}

bool target_leaves_variables(const neap_reading *reading) {
  return reading->graph.variables == NEAP_VARIABLES_DEFAULT
             ? target_of(reading)->allocates_variables
             : reading->graph.variables == NEAP_VARIABLES_RUNTIME;
}

/*
 * Finds inputs that no operator reads: they are no longer alive when the first operator runs.
 * Finds tensors that nothing uses, to which the runtime gives memory nevertheless.
 */
static neap_status find_unread(const struct target *target, neap_graph *graph,
                               neap_error *error) {
  enum { READ = 1, USED = 2 };
  size_t count = graph_tensor_count(graph);
  unsigned char *uses = memory_array(count, sizeof *uses);
  if (!uses) return error_memory(error);
  for (size_t i = 0; i < graph->link_count; i++)
    uses[graph->links[i]] = USED;
  for (size_t k = 0; k < graph->operator_count; k++)
    for (size_t i = graph->operators[k].inputs.begin; i < graph->operators[k].inputs.end; i++)
      uses[graph->links[i]] |= READ;
  for (size_t t = 0; t < count; t++) {
    neap_tensor *tensor = &graph->tensors[t];
    if (tensor->is_input && !(uses[t] & READ) && target->starts_with_inputs)
      graph->leads_in = true;
    tensor->is_unused = target->allocates_unused && uses[t] == 0 && tensor->bytes > 0 &&
                        tensor->kind == NEAP_TENSOR_ACTIVATION && !tensor->is_input &&
                        !tensor->is_output;
  }
  free(uses);
  return NEAP_OK;
}

/* The runtime places the inputs and outputs that are not to be planned. */
static void place_ends(neap_graph *graph, neap_liveness *liveness) {
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    neap_tensor *tensor = &graph->tensors[t];
    if (tensor->kind == NEAP_TENSOR_ACTIVATION && ((tensor->is_input && liveness->no_inputs) ||
                                                   (tensor->is_output && liveness->no_outputs)))
      tensor->is_online = true;
  }
  liveness->no_inputs = liveness->no_outputs = false;
}

neap_status target_apply_graph(neap_graph *graph, const neap_reading *reading,
                               neap_liveness *liveness, neap_error *error) {
  const struct target *target = target_of(reading);
  bool leaves_variables = target_leaves_variables(reading);
  neap_status status = NEAP_OK;
  if (target->makes_copies && liveness->aliases)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "neap_liveness.aliases cannot be combined with target %s, which makes "
                     "these copies",
                     target->name);
  for (size_t t = 0; t < graph_tensor_count(graph) && status == NEAP_OK; t++) {
    neap_tensor *tensor = &graph->tensors[t];
    if (tensor->kind == NEAP_TENSOR_VARIABLE && leaves_variables) tensor->is_runtime = true;
    if (tensor->kind == NEAP_TENSOR_ACTIVATION ||
        (tensor->kind == NEAP_TENSOR_VARIABLE && !tensor->is_runtime))
      status = fit_tensor(target, names_text(&graph->names, t), tensor, error);
  }
  if (target->places_ends) place_ends(graph, liveness);
  for (size_t t = 0; reading->graph.place_all && t < graph_tensor_count(graph); t++)
    graph->tensors[t].is_online = false;
  if (status == NEAP_OK) status = find_unread(target, graph, error);
  return status;
}

void target_note(neap_problem *problem, const neap_reading *reading) {
  const struct target *target = target_of(reading);
  problem->target = target == &targets[0] ? NULL : target->name;
}

neap_status target_apply_problem(neap_problem *problem, const neap_reading *reading,
                                 neap_error *error) {
  const struct target *target = target_of(reading);
  target_note(problem, reading);
  return neap_problem_align(problem, target->alignment, target->unit, error);
}
