/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of engines: neap's own engines, the default first, then the planners of runtimes,
 * which are strategies of one engine.
 */
#include "engine/engine.h"

#include "core/knobs.h"
#include "core/sized.h"
#include "search/minimiser.h"

static const struct engine *const engines[] = {&engine_auto, &engine_sort, &engine_tune,
                                               &engine_exact};

#define ENGINE_COUNT (sizeof engines / sizeof engines[0])

const struct strategy *engine_strategy(size_t index) {
  return index < ENGINE_COUNT ? NULL : strategy_at(index - ENGINE_COUNT);
}

const struct engine *engine_at(size_t index) {
  if (index < ENGINE_COUNT) return engines[index];
  return engine_strategy(index) ? &engine_runtime : NULL;
}

const neap_engine_info *engine_info(size_t index) {
  if (index < ENGINE_COUNT) return &engines[index]->info;
  const struct strategy *strategy = engine_strategy(index);
  return strategy ? &strategy->info : NULL;
}

bool neap_engine_at(size_t index, neap_engine_info *info) {
  const neap_engine_info *found = engine_info(index);
  return found && SIZED_FILL(info, *found);
}

void task_limit_work(const struct task *task) {
  uint64_t ticks = ENGINE_TICKS_PER_BUFFER * (uint64_t)task->problem->count;
  const int64_t *options = task->options->value;
  if (ticks < ENGINE_USUAL_TICKS) ticks = ENGINE_USUAL_TICKS;
  if (options[OPTION_TIME_LIMIT] == 0 && options[OPTION_MAX_TICKS] == 0)
    budget_limit_ticks(task->budget, task->budget->ticks + ticks);
}

bool task_skips_sort(const struct task *task) {
  return !task->options->order_given &&
         minimiser_finds_first(task->problem, (uint64_t)task->options->value[OPTION_MAX_TICKS]);
}
