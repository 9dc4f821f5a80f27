/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runtimes/strategy.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/constraints.h"

static const struct strategy *const tables[] = {
    strategies_gpu, strategies_arena, strategies_tflm, strategies_nnvm, strategies_pplnn};

const struct strategy *strategy_at(size_t index) {
  for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
    for (const struct strategy *strategy = tables[t]; strategy->info.name; strategy++)
      if (index-- == 0) return strategy;
  return NULL;
}

/* ---------------------------------------------------------------- requirements */

static neap_status find_alignment(const struct neap_problem *problem, neap_size *alignment,
                                  neap_error *error) {
  *alignment = 1;
  for (size_t i = 0; i < problem->count; i++)
    if (problem->buffers[i].alignment > *alignment) *alignment = problem->buffers[i].alignment;
  for (size_t i = 0; i < problem->count; i++)
    if (*alignment % problem->buffers[i].alignment != 0)
      return error_set(error, NEAP_ERROR_ARGUMENT,
                       "this planner aligns all buffers alike, so all alignments must divide "
                       "the largest; found %" PRId64 " and %" PRId64,
                       problem->buffers[i].alignment, *alignment);
  return NEAP_OK;
}

static int by_first(const void *left, const void *right, void *context) {
  const struct neap_problem *problem = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  neap_time x = problem_hull(problem, a).start, y = problem_hull(problem, b).start;
  if (x != y) return x < y ? -1 : 1;
  return a < b ? -1 : a > b;
}

static bool make_records(struct strategy_task *task, const struct neap_problem *problem,
                         size_t *buffers, size_t *record_of) {
  task->records.count = problem->count;
  task->records.items = memory_array(problem->count, sizeof *task->records.items);
  if (!task->records.items) return false;
  for (size_t i = 0; i < problem->count; i++)
    buffers[i] = i;
  if (problem->count > 0)
    qsort_r(buffers, problem->count, sizeof *buffers, by_first, (void *)(uintptr_t)problem);
  for (size_t r = 0; r < problem->count; r++) {
    neap_range hull = problem_hull(problem, buffers[r]);
    assert(hull.start < hull.end);
    task->records.items[r] =
        (struct record){problem->buffers[buffers[r]].size, hull.start, hull.end - 1};
  }
  task->buffers = buffers;
  for (size_t r = 0; r < problem->count; r++)
    record_of[buffers[r]] = r;
  task->record_of = record_of;
  if (problem->operators && problem->operators->buffer_count == problem->count)
    task->operators = problem->operators;
  return true;
}

/* ---------------------------------------------------------------- running */

/* Converts the result from record order to buffer order. */
static bool map_back(const struct strategy_task *task, struct strategy_result *result) {
  size_t count = task->records.count;
  neap_offset *offsets = memory_array(count, sizeof *offsets);
  size_t *of = memory_array(count, sizeof *of);
  if (!offsets || !of) {
    free(offsets);
    free(of);
    return false;
  }
  for (size_t r = 0; r < count; r++) {
    assert(task->record_of[task->buffers[r]] == r);
    offsets[task->buffers[r]] = result->offsets[r];
    if (result->has_objects) of[task->buffers[r]] = result->objects.of[r];
  }
  free(result->offsets);
  free(result->objects.of);
  result->offsets = offsets;
  result->objects.of = of;
  return true;
}

static neap_status run_strategy(const struct strategy *strategy,
                                const struct strategy_task *task,
                                struct strategy_result *result, neap_error *error) {
  result->offsets = memory_array(task->records.count, sizeof *result->offsets);
  if (!result->offsets) return error_memory(error);
  neap_status status = strategy->plan(task, result, error);
  if (status == NEAP_OK && result->has_objects)
    status = objects_concatenate(&result->objects, task->records.count, task->alignment,
                                 result->offsets, &result->total, error);
  if (status == NEAP_OK && !map_back(task, result)) status = error_memory(error);
  return status;
}

neap_status strategy_run(const struct strategy *strategy, const struct neap_problem *problem,
                         struct budget *budget, struct strategy_result *result,
                         neap_error *error) {
  struct strategy_task task = {.budget = budget};
  neap_status status = find_alignment(problem, &task.alignment, error);
  if (status != NEAP_OK) return status;
  if (problem->fixed_count > 0)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "this planner does not support fixed offsets, found %zu",
                     problem->fixed_count);
  size_t count;
  const char *constraint = constraints_beyond_time(problem, &count);
  if (constraint)
    return error_set(error, NEAP_ERROR_ARGUMENT, "this planner does not support %s, found %zu",
                     constraint, count);
  size_t *buffers = memory_array(problem->count, sizeof *buffers);
  size_t *record_of = memory_array(problem->count, sizeof *record_of);
  if (!buffers || !record_of || !make_records(&task, problem, buffers, record_of))
    status = error_memory(error);
  if (status == NEAP_OK) status = run_strategy(strategy, &task, result, error);
  free(task.records.items);
  free(buffers);
  free(record_of);
  return status;
}

void strategy_result_clear(struct strategy_result *result) {
  free(result->offsets);
  objects_clear(&result->objects);
  *result = (struct strategy_result){0};
}
