/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TensorFlow Lite Micro's planner for problems. The runtime requests tensors in the order of the
 * model, which is the problem's order.
 */
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "runtimes/strategy.h"
#include "runtimes/tflm_greedy.h"

static neap_status plan_greedy(const struct strategy_task *task, struct strategy_result *result,
                               neap_error *error) {
  size_t count = task->records.count;
  struct records requests = {memory_array(count, sizeof *requests.items), count};
  neap_offset *offsets = memory_array(count, sizeof *offsets);
  neap_status status = requests.items && offsets ? NEAP_OK : error_memory(error);
  for (size_t b = 0; b < count && status == NEAP_OK; b++)
    requests.items[b] = task->records.items[task->record_of[b]];
  if (status == NEAP_OK)
    status =
        tflm_greedy(&requests, task->alignment, offsets, &result->total, task->budget, error);
  for (size_t b = 0; b < count && status == NEAP_OK; b++)
    result->offsets[task->record_of[b]] = offsets[b];
  free(requests.items);
  free(offsets);
  return status;
}

const struct strategy strategies_tflm[] = {
    {.info = {.name = "tflm-greedy",
              .summary = "TensorFlow Lite Micro: largest tensors first, each in the lowest gap "
                         "that fits",
              .is_runtime = true},
     .plan = plan_greedy},
    {.info = {.name = NULL}},
};
