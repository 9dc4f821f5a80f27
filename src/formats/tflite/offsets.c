/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/tflite/offsets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "formats/tflite/plan.h"
#include "formats/tflite/tflite.h"
#include "plan/plan.h"

struct placing {
  const neap_plan *plan;
  const neap_graph *graph;
};

static neap_status check_tensor(const struct placing *placing, size_t tensor, size_t buffer,
                                neap_error *error) {
  const neap_plan *plan = placing->plan;
  const char *name = names_text(&placing->graph->names, tensor);
  neap_size bytes = placing->graph->tensors[tensor].bytes;
  neap_size size = plan->problem->buffers[buffer].size;
  char excerpt[TEXT_EXCERPT];
  text_excerpt(excerpt, name, strlen(name));
  if (size != bytes && size != round_up(bytes, TFLITE_ALIGNMENT))
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "tensor %s takes %" PRId64 " bytes in TensorFlow Lite Micro, in the plan "
                     "%" PRId64 "; plan the model with --target tflm",
                     excerpt, bytes, size);
  if (plan->offsets[buffer] % TFLITE_ALIGNMENT != 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "tensor %s lies at offset %" PRId64
                     ", which is not a multiple of %d; plan "
                     "the model with --target tflm",
                     excerpt, plan->offsets[buffer], TFLITE_ALIGNMENT);
  if (plan_end(plan, buffer) > INT32_MAX)
    return error_set(error, NEAP_ERROR_FORMAT,
                     "tensor %s ends above %d, which the model cannot store", excerpt,
                     INT32_MAX);
  return NEAP_OK;
}

static bool is_listed(const neap_problem *problem, const char *name) {
  return names_find(&problem->runtime.names, name, strlen(name)) != NAMES_NONE;
}

/* A pinned tensor keeps its offset, which the plan must not have changed. */
static neap_status find_pinned(const struct placing *placing, size_t tensor, int32_t *offset,
                               neap_error *error) {
  const neap_plan *plan = placing->plan;
  neap_offset pinned = placing->graph->pins[tensor].offset;
  const char *name = names_text(&placing->graph->names, tensor);
  char excerpt[TEXT_EXCERPT];
  size_t buffer;
  *offset = (int32_t)pinned;
  if (!neap_problem_find(plan->problem, name, &buffer) || plan->offsets[buffer] == pinned)
    return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "tensor %s is compiled for offset %" PRId64
                   ", but the plan has it at %" PRId64,
                   text_excerpt(excerpt, name, strlen(name)), pinned, plan->offsets[buffer]);
}

static neap_status find_offset(const struct placing *placing, size_t tensor, int32_t *offset,
                               neap_error *error) {
  const struct neap_problem *problem = placing->plan->problem;
  const char *name = names_text(&placing->graph->names, tensor);
  neap_tensor_kind kind = placing->graph->tensors[tensor].kind;
  size_t buffer;
  const struct graph_pin *pins = placing->graph->pins;
  if (pins && pins[tensor].offset != NEAP_UNPLACED)
    return find_pinned(placing, tensor, offset, error);
  *offset = -1;
  if ((kind != NEAP_TENSOR_ACTIVATION && kind != NEAP_TENSOR_VARIABLE) ||
      is_listed(problem, name) || !neap_problem_find(problem, name, &buffer) ||
      placing->plan->report.is_runtimes_own)
    return NEAP_OK;
  neap_status status = check_tensor(placing, tensor, buffer, error);
  if (status == NEAP_OK) *offset = (int32_t)placing->plan->offsets[buffer];
  return status;
}

static neap_status check_variables(const struct tflite_model *model, const neap_graph *graph,
                                   const int32_t *offsets, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  size_t at, lost = tflite_plan_lost_variable(model, graph, offsets, &at);
  if (lost == TFLITE_NONE) return NEAP_OK;
  const char *name = names_text(&graph->names, lost);
  return error_set(error, NEAP_ERROR_FORMAT,
                   "TensorFlow Lite Micro would not allocate variable %s, which belongs to a "
                   "called subgraph; plan the model with --target tflm",
                   text_excerpt(excerpt, name, strlen(name)));
}

static neap_status find_offsets(const neap_plan *plan, const struct tflite_model *model,
                                const neap_graph *graph, int32_t *offsets, neap_error *error) {
  const struct placing placing = {plan, graph};
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < graph_tensor_count(graph) && status == NEAP_OK; t++)
    status = find_offset(&placing, t, &offsets[t], error);
  return status == NEAP_OK ? check_variables(model, graph, offsets, error) : status;
}

neap_status tflite_offsets(const neap_plan *plan, const struct tflite_model *model,
                           const char *text, int32_t **offsets, neap_error *error) {
  static const neap_reading target = {.struct_size = sizeof(neap_reading), .target = "tflm"};
  neap_graph *graph;
  neap_status status = tflite_read(text, model->file.size, &target, &graph, error);
  if (status != NEAP_OK) return status;
  int32_t *found = memory_array(graph_tensor_count(graph), sizeof *found);
  status = found ? find_offsets(plan, model, graph, found, error) : error_memory(error);
  neap_graph_free(graph);
  if (status == NEAP_OK) *offsets = found;
  else free(found);
  return status;
}
