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

/* On its own, the runtime keeps all tensors that nothing uses apart. */
static void join_unused(const struct strategy_task *task, struct records *requests) {
  struct record all = {0, NEAP_MAX, 0};
  for (size_t b = 0; b < requests->count; b++) {
    struct record *request = &requests->items[b];
    if (!operators_is_unused(task->operators, requests->count, b)) continue;
    if (request->first < all.first) all.first = request->first;
    if (request->last > all.last) all.last = request->last;
  }
  for (size_t b = 0; b < requests->count; b++)
    if (operators_is_unused(task->operators, requests->count, b))
      requests->items[b] = (struct record){requests->items[b].size, all.first, all.last};
}

static neap_status plan_greedy(const struct strategy_task *task, struct strategy_result *result,
                               neap_error *error) {
  size_t count = task->records.count;
  struct records requests = {memory_array(count, sizeof *requests.items), count};
  neap_offset *offsets = memory_array(count, sizeof *offsets);
  neap_status status = requests.items && offsets ? NEAP_OK : error_memory(error);
  for (size_t b = 0; b < count && status == NEAP_OK; b++)
    requests.items[b] = task->records.items[task->record_of[b]];
  if (status == NEAP_OK) join_unused(task, &requests);
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
