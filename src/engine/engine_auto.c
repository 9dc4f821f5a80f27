/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The engine `auto`: runs the cheap engines first, each from the best layout so far, until the
 * bound is reached or the budget is spent. So an easy problem takes as long as sorting, and a hard
 * one gets all the time there is for the exact search.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "engine/engine.h"

/*
 * Without a limit on time and on work, the search ends after this many ticks: a few seconds for
 * most problems, and the same result on every machine.
 */
#define USUAL_TICKS UINT64_C(5000000)

/*
 * The engines to run, one after another, with few orders and rounds, since the search closes what
 * gap they leave faster.
 */
static const struct {
  const struct engine *engine;
  int64_t max_rounds;
} stages[] = {{&engine_sort, 2}, {&engine_tune, 4}, {&engine_exact, 0}};

#define STAGE_COUNT (sizeof stages / sizeof stages[0])

struct auto_state {
  const struct task *task;
  struct neap_options options; /* of the current stage */
  struct task stage_task;
  size_t stage;
  bool stage_ended; /* the next step starts the next one */
  void *running;    /* the state of the stage's engine */
  neap_offset *best;
  neap_size best_peak; /* NEAP_UNPLACED before there is a plan */
  neap_size lower_bound;
};

static const struct engine *engine_of(const struct auto_state *chain) {
  return stages[chain->stage].engine;
}

static void auto_free(void *state) {
  struct auto_state *chain = state;
  if (!chain) return;
  if (chain->running) engine_of(chain)->free(chain->running);
  free(chain->best);
  free(chain);
}

/*
 * With more buffers than this and no constraints, the search achieves more than the tuner in the
 * same time.
 */
#define TUNED_MOST 5000

/*
 * Whether alignment can leave bytes unused. It cannot if every alignment divides every size,
 * because then all sums of sizes are aligned: scaled down by the common divisor of the sizes,
 * this is a problem without alignment. Float tensors aligned to their elements are the usual
 * case.
 */
static bool alignment_matters(const struct neap_problem *problem) {
  neap_size unit = 0;
  for (size_t i = 0; i < problem->count; i++)
    unit = common_divisor(problem->buffers[i].size, unit);
  for (size_t i = 0; i < problem->count; i++)
    if (unit % problem->buffers[i].alignment != 0) return true;
  return false;
}

static bool is_constrained(const struct neap_problem *problem) {
  return problem->fixed_count > 0 || problem->range_count > problem->count ||
         alignment_matters(problem);
}

/* The stage that follows the current one. */
static size_t next_stage(const struct auto_state *chain) {
  const struct neap_problem *problem = chain->task->problem;
  size_t next = chain->stage + 1;
  assert(next < STAGE_COUNT);
  bool skips = stages[next].engine == &engine_tune && problem->count > TUNED_MOST &&
               !is_constrained(problem);
  return skips ? next + 1 : next;
}

static neap_status start_stage(struct auto_state *chain, neap_error *error) {
  int64_t rounds = stages[chain->stage].max_rounds;
  chain->options = *chain->task->options;
  if (rounds > 0 && rounds < chain->options.value[OPTION_MAX_ROUNDS])
    chain->options.value[OPTION_MAX_ROUNDS] = rounds;
  if (chain->stage + 1 == STAGE_COUNT && chain->options.value[OPTION_TIME_LIMIT] == 0 &&
      chain->options.value[OPTION_MAX_TICKS] == 0)
    budget_limit_ticks(chain->task->budget, chain->task->budget->ticks + USUAL_TICKS);
  chain->stage_task = *chain->task;
  chain->stage_task.options = &chain->options;
  if (chain->best_peak != NEAP_UNPLACED) chain->stage_task.incumbent = chain->best;
  return engine_of(chain)->start(&chain->stage_task, &chain->running, error);
}

static neap_status auto_start(const struct task *task, void **state, neap_error *error) {
  struct auto_state *chain = memory_array(1, sizeof *chain);
  if (!chain) return error_memory(error);
  chain->task = task;
  chain->best_peak = NEAP_UNPLACED;
  chain->lower_bound = task->bound.lower_bound;
  chain->best = memory_array(task->problem->count, sizeof *chain->best);
  neap_status status = chain->best ? start_stage(chain, error) : error_memory(error);
  if (status == NEAP_OK) *state = chain;
  else auto_free(chain);
  return status;
}

/* Keeps a layout that is better than all before it, and marks the round as improved. */
static void keep_if_best(struct auto_state *chain, struct step *step) {
  step->round.improved =
      chain->best_peak == NEAP_UNPLACED || step->round.peak < chain->best_peak;
  if (!step->round.improved) return;
  chain->best_peak = step->round.peak;
  memcpy(chain->best, engine_of(chain)->best(chain->running),
         chain->task->problem->count * sizeof *chain->best);
}

static bool is_good_enough(const struct auto_state *chain, neap_stop_reason *reason) {
  neap_size capacity = chain->task->options->value[OPTION_CAPACITY];
  if (chain->best_peak <= chain->lower_bound) *reason = NEAP_STOP_BOUND;
  else if (capacity >= 0 && chain->best_peak <= capacity) *reason = NEAP_STOP_CAPACITY;
  else return false;
  return true;
}

static neap_status begin_next_stage(struct auto_state *chain, neap_error *error) {
  assert(chain->running && chain->best_peak != NEAP_UNPLACED);
  engine_of(chain)->free(chain->running);
  chain->running = NULL;
  chain->stage = next_stage(chain);
  chain->stage_ended = false;
  return start_stage(chain, error);
}

static neap_status auto_step(void *state, struct step *step, neap_error *error) {
  struct auto_state *chain = state;
  neap_status status = chain->stage_ended ? begin_next_stage(chain, error) : NEAP_OK;
  const struct engine *engine = engine_of(chain);
  if (status == NEAP_OK) status = engine->step(chain->running, step, error);
  if (status != NEAP_OK) return status;
  if (step->has_round) keep_if_best(chain, step);
  if (engine->lower_bound) chain->lower_bound = engine->lower_bound(chain->running);
  bool is_over = step->stop && chain->stage + 1 == STAGE_COUNT;
  if (is_over) return NEAP_OK;
  chain->stage_ended = step->stop; /* not yet: the caller may ask for its last layout */
  step->stop = is_good_enough(chain, &step->reason);
  return NEAP_OK;
}

static const neap_offset *auto_best(const void *state) {
  const struct auto_state *chain = state;
  return chain->best_peak == NEAP_UNPLACED ? NULL : chain->best;
}

static neap_size auto_lower_bound(const void *state) {
  const struct auto_state *chain = state;
  return chain->lower_bound;
}

static const neap_offset *auto_layout(const void *state) {
  const struct auto_state *chain = state;
  const struct engine *engine = engine_of(chain);
  return engine->layout ? engine->layout(chain->running) : engine->best(chain->running);
}

const struct engine engine_auto = {
    .info = {.name = "auto",
             .summary = "run sort, tune and exact in turn until the bound is reached"},
    .start = auto_start,
    .step = auto_step,
    .best = auto_best,
    .lower_bound = auto_lower_bound,
    .free = auto_free,
    .layout = auto_layout,
};
