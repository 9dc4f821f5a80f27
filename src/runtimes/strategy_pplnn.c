/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PPL.NN's buffer managers for problems: they get requests and releases in order of time. For a
 * graph, requests come in the order of its operators; PPL.NN itself would choose the order.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/heap.h"
#include "core/memory.h"
#include "runtimes/pplnn.h"
#include "runtimes/strategy.h"

struct replay {
  const struct strategy_task *task;
  struct pplnn_manager *manager;
  struct pplnn_handle *handles; /* per record */
  struct heap in_use;
};

static neap_status release_before(struct replay *replay, neap_time now, neap_error *error) {
  size_t record;
  while (heap_pop_below(&replay->in_use, now, &record)) {
    neap_status status = pplnn_free(replay->manager, &replay->handles[record], error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

static neap_status request_buffer(struct replay *replay, size_t r,
                                  struct strategy_result *result, neap_error *error) {
  const struct record *record = &replay->task->records.items[r];
  struct pplnn_handle *handle = &replay->handles[r];
  neap_status status = pplnn_realloc(replay->manager, record->size, handle, error);
  if (status == NEAP_NO_PLAN)
    return error_set(error, NEAP_ERROR_INPUT, "offsets exceed 2^63 - 1");
  if (status != NEAP_OK) return status;
  if (!heap_push_id(&replay->in_use, record->last, r)) return error_memory(error);
  if (result->has_objects) result->objects.of[r] = handle->slot;
  else result->offsets[r] = handle->has_buffer ? handle->address : 0;
  neap_offset end = result->offsets[r] + record->size;
  if (!result->has_objects && end > result->total) result->total = end;
  return NEAP_OK;
}

/* Slots count with their final size. Records of 0 bytes have no slot and get the first one. */
static neap_status keep_slots(struct replay *replay, struct strategy_result *result,
                              neap_error *error) {
  size_t count = replay->manager->figures.slot_count;
  size_t made = count > 0 ? count : 1;
  result->objects.sizes = memory_array(made, sizeof *result->objects.sizes);
  if (!result->objects.sizes) return error_memory(error);
  result->objects.count = replay->task->records.count > 0 ? made : 0;
  for (size_t s = 0; s < count; s++)
    result->objects.sizes[s] = replay->manager->slots[s].size;
  for (size_t r = 0; r < replay->task->records.count; r++)
    if (replay->task->records.items[r].size == 0) result->objects.of[r] = 0;
  return NEAP_OK;
}

static neap_status replay_records(struct replay *replay, struct strategy_result *result,
                                  neap_error *error) {
  const struct records *records = &replay->task->records;
  neap_status status = NEAP_OK;
  for (size_t r = 0; r < records->count && status == NEAP_OK; r++) {
    if (!budget_tick(replay->task->budget)) return NEAP_NO_PLAN;
    status = release_before(replay, records->items[r].first, error);
    if (status == NEAP_OK) status = request_buffer(replay, r, result, error);
  }
  return status;
}

/* ---------------------------------------------------------------- operators */

static neap_status request_list(struct replay *replay, const struct operator_lists *lists,
                                size_t k, struct strategy_result *result, neap_error *error) {
  const struct operators *operators = replay->task->operators;
  neap_status status = NEAP_OK;
  for (size_t i = operators_begin(lists, k); i < lists->ends[k] && status == NEAP_OK; i++)
    if (!(operators->roles[lists->items[i]] & (OPERATORS_INPUT | OPERATORS_VARIABLE)))
      status = request_buffer(replay, replay->task->record_of[lists->items[i]], result, error);
  return status;
}

/*
 * Releases the items of a list that are used here for the last time and not needed at the end.
 */
static neap_status release_list(struct replay *replay, const struct operator_lists *lists,
                                size_t k, neap_error *error) {
  const struct strategy_task *task = replay->task;
  neap_status status = NEAP_OK;
  for (size_t i = operators_begin(lists, k); i < lists->ends[k] && status == NEAP_OK; i++) {
    size_t record = task->record_of[lists->items[i]];
    if (task->records.items[record].last == (neap_time)k &&
        !(task->operators->roles[lists->items[i]] & OPERATORS_STAYS))
      status = pplnn_free(replay->manager, &replay->handles[record], error);
  }
  return status;
}

static neap_status replay_operator(struct replay *replay, size_t k,
                                   struct strategy_result *result, neap_error *error) {
  const struct operators *operators = replay->task->operators;
  neap_status status = request_list(replay, &operators->outputs, k, result, error);
  if (status == NEAP_OK)
    status = request_list(replay, &operators->temporaries, k, result, error);
  if (status == NEAP_OK) status = release_list(replay, &operators->temporaries, k, error);
  if (status == NEAP_OK) status = release_list(replay, &operators->inputs, k, error);
  return status == NEAP_OK ? release_list(replay, &operators->outputs, k, error) : status;
}

static neap_status replay_operators(struct replay *replay, struct strategy_result *result,
                                    neap_error *error) {
  const struct operators *operators = replay->task->operators;
  neap_status status = NEAP_OK;
  for (size_t b = 0; b < operators->buffer_count && status == NEAP_OK; b++)
    if (operators->roles[b] & (OPERATORS_INPUT | OPERATORS_VARIABLE))
      status = request_buffer(replay, replay->task->record_of[b], result, error);
  for (size_t k = 0; k < operators->count && status == NEAP_OK; k++) {
    if (!budget_tick(replay->task->budget)) return NEAP_NO_PLAN;
    status = replay_operator(replay, k, result, error);
  }
  return status;
}

/* ---------------------------------------------------------------- both */

static neap_status replay_all(struct replay *replay, struct strategy_result *result,
                              neap_error *error) {
  static const struct pplnn_handle none = PPLNN_NO_BUFFER;
  for (size_t r = 0; r < replay->task->records.count; r++)
    replay->handles[r] = none;
  neap_status status = replay->task->operators ? replay_operators(replay, result, error)
                                               : replay_records(replay, result, error);
  return status == NEAP_OK && result->has_objects ? keep_slots(replay, result, error) : status;
}

static neap_status plan_with(const struct strategy_task *task, enum pplnn_policy policy,
                             struct strategy_result *result, neap_error *error) {
  struct pplnn_options options = PPLNN_DEFAULTS;
  options.policy = policy;
  options.alignment = task->alignment;
  if ((task->alignment & (task->alignment - 1)) != 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "PPL.NN aligns to powers of two, found %" PRId64, task->alignment);
  struct replay replay = {.task = task};
  replay.handles = memory_array(task->records.count, sizeof *replay.handles);
  result->has_objects = policy == PPLNN_MRU || policy == PPLNN_BEST_FIT;
  neap_status status = replay.handles ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK && result->has_objects &&
      !objects_init(&result->objects, task->records.count))
    status = error_memory(error);
  if (status == NEAP_OK) status = pplnn_manager_new(&replay.manager, &options, error);
  if (status == NEAP_OK) status = replay_all(&replay, result, error);
  pplnn_manager_free(replay.manager);
  heap_clear(&replay.in_use);
  free(replay.handles);
  return status;
}

#define PLANS(name, policy)                                                           \
  static neap_status plan_##name(const struct strategy_task *task,                    \
                                 struct strategy_result *result, neap_error *error) { \
    return plan_with(task, policy, result, error);                                    \
  }

PLANS(plain, PPLNN_PLAIN)
PLANS(mru, PPLNN_MRU)
PLANS(best_fit, PPLNN_BEST_FIT)
PLANS(compact, PPLNN_COMPACT)

const struct strategy strategies_pplnn[] = {
    {.info = {.name = "pplnn-plain",
              .summary = "PPL.NN: no reuse of its own, placed as a first-fit heap would",
              .is_runtime = true},
     .plan = plan_plain},
    {.info = {.name = "pplnn-mru",
              .summary = "PPL.NN: reuse the most recently freed buffer",
              .is_runtime = true},
     .plan = plan_mru},
    {.info = {.name = "pplnn-bestfit",
              .summary = "PPL.NN: reuse the free buffer closest in size",
              .is_runtime = true},
     .plan = plan_best_fit},
    {.info = {.name = "pplnn-compact",
              .summary = "PPL.NN: best fit in one growing range (PPL.NN's default)",
              .is_runtime = true},
     .plan = plan_compact},
    {.info = {.name = NULL}},
};
