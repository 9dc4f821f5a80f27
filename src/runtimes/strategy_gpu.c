/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's GPU delegate for problems. */
#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "runtimes/strategy.h"
#include "runtimes/tflite_gpu.h"

static neap_status plan_objects(const struct strategy_task *task, gpu_strategy *assign,
                                struct strategy_result *result, neap_error *error) {
  result->has_objects = true;
  return assign(&task->records, &result->objects, task->budget, error);
}

#define SHARES(name)                                                                  \
  static neap_status plan_##name(const struct strategy_task *task,                    \
                                 struct strategy_result *result, neap_error *error) { \
    return plan_objects(task, gpu_##name, result, error);                             \
  }

SHARES(naive)
SHARES(equality_hashed)
SHARES(equality_ordered)
SHARES(greedy_in_order)
SHARES(greedy_by_breadth)
SHARES(greedy_by_size)
SHARES(greedy_best)
SHARES(min_cost_flow)

static neap_status plan_offsets(const struct strategy_task *task,
                                struct strategy_result *result, neap_error *error) {
  return gpu_offset_greedy_by_size(&task->records, task->alignment, result->offsets,
                                   &result->total, task->budget, error);
}

/* ---------------------------------------------------------------- in parallel */

/*
 * Counts the edges: one from each record that an operator reads to each record that it makes.
 */
static void count_edges(const struct strategy_task *task, size_t *ends) {
  const struct operators *operators = task->operators;
  for (size_t k = 0; k < operators->count; k++) {
    size_t made = operators->outputs.ends[k] - operators_begin(&operators->outputs, k);
    for (size_t i = operators_begin(&operators->inputs, k); i < operators->inputs.ends[k]; i++)
      ends[task->record_of[operators->inputs.items[i]]] += made;
  }
}

/* On entry, `ends` holds where the edges of each record begin; on return, where they end. */
static void list_edges(const struct strategy_task *task, size_t *ends, size_t *neighbours) {
  const struct operators *operators = task->operators;
  for (size_t k = 0; k < operators->count; k++)
    for (size_t i = operators_begin(&operators->inputs, k); i < operators->inputs.ends[k];
         i++) {
      size_t *end = &ends[task->record_of[operators->inputs.items[i]]];
      for (size_t o = operators_begin(&operators->outputs, k); o < operators->outputs.ends[k];
           o++)
        neighbours[(*end)++] = task->record_of[operators->outputs.items[o]];
    }
}

static neap_status find_dependencies(const struct strategy_task *task, struct adjacency *graph,
                                     neap_error *error) {
  size_t count = task->records.count, total = 0;
  *graph = (struct adjacency){count, memory_array(count, sizeof *graph->ends), NULL};
  if (!graph->ends) return error_memory(error);
  count_edges(task, graph->ends);
  for (size_t r = 0; r < count; r++) {
    size_t degree = graph->ends[r];
    graph->ends[r] = total;
    total += degree;
  }
  graph->neighbours = memory_array(total, sizeof *graph->neighbours);
  if (!graph->neighbours) return error_memory(error);
  list_edges(task, graph->ends, graph->neighbours);
  assert(count == 0 || graph->ends[count - 1] == total);
  return NEAP_OK;
}

static neap_status plan_parallel(const struct strategy_task *task,
                                 struct strategy_result *result, neap_error *error) {
  if (!task->operators)
    return error_set(
        error, NEAP_ERROR_ARGUMENT,
        "this planner needs a graph of operators, which shows which ones may run in parallel");
  struct adjacency dependencies;
  struct reallocation graph = {{0, NULL, NULL}};
  result->has_objects = true;
  neap_status status = find_dependencies(task, &dependencies, error);
  if (status == NEAP_OK) status = reallocation_init(&graph, &dependencies, task->budget, error);
  if (status == NEAP_OK)
    status = gpu_greedy_in_order_parallel(&task->records, &graph, &result->objects,
                                          task->budget, error);
  reallocation_clear(&graph);
  free(dependencies.ends);
  free(dependencies.neighbours);
  return status;
}

const struct strategy strategies_gpu[] = {
    {.info = {.name = "tflite-gpu-naive",
              .summary = "TFLite GPU: one object per tensor",
              .is_runtime = true},
     .plan = plan_naive},
    {.info = {.name = "tflite-gpu-equality",
              .summary = "TFLite GPU: share objects between tensors of equal size, most "
                         "recently freed first",
              .is_runtime = true},
     .plan = plan_equality_hashed},
    {.info = {.name = "tflite-gpu-equality-ordered",
              .summary =
                  "TFLite GPU: share objects between tensors of equal size, oldest first",
              .is_runtime = true},
     .plan = plan_equality_ordered},
    {.info = {.name = "tflite-gpu-greedy-in-order",
              .summary = "TFLite GPU: in execution order, share the object closest in size",
              .is_runtime = true},
     .plan = plan_greedy_in_order},
    {.info = {.name = "tflite-gpu-greedy-in-order-parallel",
              .summary = "TFLite GPU: like greedy-in-order, but safe for operators that run in "
                         "parallel; needs a graph",
              .is_runtime = true},
     .plan = plan_parallel},
    {.info = {.name = "tflite-gpu-greedy-by-breadth",
              .summary = "TFLite GPU: operators that use the most bytes first",
              .is_runtime = true},
     .plan = plan_greedy_by_breadth},
    {.info = {.name = "tflite-gpu-greedy-by-size",
              .summary =
                  "TFLite GPU: largest tensors first, sharing the object closest in time",
              .is_runtime = true},
     .plan = plan_greedy_by_size},
    {.info = {.name = "tflite-gpu-greedy-best",
              .summary = "TFLite GPU: the better of by-size and by-breadth (TFLite's default)",
              .is_runtime = true},
     .plan = plan_greedy_best},
    {.info = {.name = "tflite-gpu-mincostflow",
              .summary = "TFLite GPU: minimum-cost flow; with more than 256 tensors, another "
                         "flow of the same cost",
              .is_runtime = true},
     .plan = plan_min_cost_flow},
    {.info = {.name = "tflite-gpu-offset-greedy-by-size",
              .summary = "TFLite GPU: offsets instead of objects, largest tensors first, each "
                         "in the smallest gap",
              .is_runtime = true},
     .plan = plan_offsets},
    {.info = {.name = NULL}},
};
