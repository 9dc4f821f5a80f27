/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The planners of runtimes as engines: one step makes the plan. */
#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "engine/engine.h"
#include "runtimes/strategy.h"

struct runtime_state {
  const struct task *task;
  const struct strategy *strategy;
  struct strategy_result result;
  bool is_done;
};

static void runtime_free(void *state) {
  struct runtime_state *runtime = state;
  strategy_result_clear(&runtime->result);
  free(runtime);
}

static neap_status runtime_start(const struct task *task, void **state, neap_error *error) {
  struct runtime_state *runtime = memory_array(1, sizeof *runtime);
  if (!runtime) return error_memory(error);
  runtime->task = task;
  runtime->strategy = engine_strategy((size_t)task->options->value[OPTION_ENGINE]);
  assert(runtime->strategy);
  *state = runtime;
  return NEAP_OK;
}

static neap_status runtime_step(void *state, struct step *step, neap_error *error) {
  struct runtime_state *runtime = state;
  neap_status status = strategy_run(runtime->strategy, runtime->task->problem,
                                    runtime->task->budget, &runtime->result, error);
  if (status != NEAP_OK) {
    strategy_result_clear(&runtime->result);
    return status;
  }
  assert(runtime->result.total >= 0);
  runtime->is_done = true;
  step->has_round = true;
  step->round.peak = runtime->result.total;
  step->round.improved = true;
  step->stop = true;
  step->reason = runtime->result.total <= runtime->task->bound.lower_bound ? NEAP_STOP_BOUND
                                                                           : NEAP_STOP_COMPLETE;
  return NEAP_OK;
}

static const neap_offset *runtime_best(const void *state) {
  const struct runtime_state *runtime = state;
  return runtime->is_done ? runtime->result.offsets : NULL;
}

static const struct objects *runtime_objects(const void *state) {
  const struct runtime_state *runtime = state;
  return runtime->result.has_objects ? &runtime->result.objects : NULL;
}

const struct engine engine_runtime = {
    .start = runtime_start,
    .step = runtime_step,
    .best = runtime_best,
    .objects = runtime_objects,
    .free = runtime_free,
};
