/* SPDX-License-Identifier: GPL-3.0-or-later */
/* TensorFlow Lite's GPU delegate on a problem. */
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
