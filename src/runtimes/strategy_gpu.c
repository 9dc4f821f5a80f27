/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's GPU delegate on a problem. */
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "runtimes/strategy.h"
#include "runtimes/tflite_gpu.h"

static neap_status share(const struct strategy_task *task, gpu_strategy *assign,
                         struct strategy_result *result, neap_error *error) {
  result->has_objects = true;
  return assign(&task->records, &result->objects, task->budget, error);
}

#define SHARES(name)                                                                  \
  static neap_status plan_##name(const struct strategy_task *task,                    \
                                 struct strategy_result *result, neap_error *error) { \
    return share(task, gpu_##name, result, error);                                    \
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

/* An edge from each record that an operator reads to each that it makes. */
static void count_edges(const struct strategy_task *task, size_t *ends) {
  const struct operators *operators = task->operators;
  for (size_t k = 0; k < operators->count; k++) {
    size_t made = operators->outputs.ends[k] - operators_begin(&operators->outputs, k);
    for (size_t i = operators_begin(&operators->inputs, k); i < operators->inputs.ends[k]; i++)
      ends[task->record_of[operators->inputs.items[i]]] += made;
  }
}

/* `ends` are where the edges of each record begin, and become where they end. */
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
  return NEAP_OK;
}

static neap_status plan_parallel(const struct strategy_task *task,
                                 struct strategy_result *result, neap_error *error) {
  if (!task->operators)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "this planner needs to know which operators may run at once: expected a "
                     "graph of operators");
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
    {{"tflite-gpu-naive", "TFLite GPU: an object for each tensor", true}, plan_naive},
    {{"tflite-gpu-equality",
      "TFLite GPU: objects shared by tensors of one size, the last freed", true},
     plan_equality_hashed},
    {{"tflite-gpu-equality-ordered",
      "TFLite GPU: objects shared by tensors of one size, the first one made", true},
     plan_equality_ordered},
    {{"tflite-gpu-greedy-in-order",
      "TFLite GPU: in order of execution, the object nearest in size", true},
     plan_greedy_in_order},
    {{"tflite-gpu-greedy-in-order-parallel",
      "the same for operators that may run at once; of graphs of operators", true},
     plan_parallel},
    {{"tflite-gpu-greedy-by-breadth", "TFLite GPU: the widest operators first", true},
     plan_greedy_by_breadth},
    {{"tflite-gpu-greedy-by-size",
      "TFLite GPU: the largest tensors first, to the object nearest in time", true},
     plan_greedy_by_size},
    {{"tflite-gpu-greedy-best", "TFLite GPU: the better of by-size and by-breadth; its default",
      true},
     plan_greedy_best},
    {{"tflite-gpu-mincostflow",
      "TFLite GPU: minimum-cost flow; of more than 256 tensors one as cheap", true},
     plan_min_cost_flow},
    {{"tflite-gpu-offset-greedy-by-size",
      "TFLite GPU: offsets, the largest first, each into the smallest gap", true},
     plan_offsets},
    {{NULL, NULL, false}, NULL}};
