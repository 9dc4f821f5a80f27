/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of engine auto for large problems with few relations: plans a problem without relations whose
 * layouts keep them (model/simplified).  The fast searches know no relations, but they can take
 * this one.  Its bound may be higher, so this proves nothing; and it ends after some work per buffer.
 */
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "engine/engine.h"
#include "model/simplified.h"

/* The most work, in ticks: at least this much, and per buffer. */
#define TICKS 100000
#define TICKS_PER_BUFFER 16

struct simplified_state {
  struct task task; /* to plan the simplified problem */
  struct simplified simplified;
  void *inner; /* the state of engine auto */
  uint64_t last_tick;
  neap_offset *best, *layout; /* of the original */
  neap_size best_peak;        /* NEAP_UNPLACED before there is a layout */
};

static void simplified_free(void *state) {
  struct simplified_state *made = state;
  if (!made) return;
  if (made->inner) engine_auto.free(made->inner);
  simplified_clear(&made->simplified);
  free(made->best);
  free(made->layout);
  free(made);
}

static neap_status init_parts(struct simplified_state *made, const struct task *task,
                              neap_error *error) {
  size_t count = task->problem->count;
  made->best = memory_array(count, sizeof *made->best);
  made->layout = memory_array(count, sizeof *made->layout);
  if (!made->best || !made->layout) return error_memory(error);
  neap_status status = simplified_init(&made->simplified, task->problem, error);
  if (status != NEAP_OK) return status;
  made->task.problem = made->simplified.problem;
  status = neap_problem_bound(made->task.problem, &made->task.bound, error);
  return status == NEAP_OK ? engine_auto.start(&made->task, &made->inner, error) : status;
}

/* NEAP_ERROR_INPUT: the problem cannot be simplified. */
static neap_status simplified_start(const struct task *task, void **state, neap_error *error) {
  struct simplified_state *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  made->task = *task;
  made->task.incumbent = NULL;
  made->best_peak = NEAP_UNPLACED;
  made->last_tick = task->budget->ticks + TICKS + TICKS_PER_BUFFER * task->problem->count;
  neap_status status = init_parts(made, task, error);
  if (status == NEAP_OK) *state = made;
  else simplified_free(made);
  return status;
}

/* Translates the layout of a round. */
static void take_layout(struct simplified_state *made, struct step *step) {
  const struct neap_problem *original = made->simplified.original;
  simplified_expand(&made->simplified, engine_auto.layout(made->inner), made->layout);
  simplified_expand(&made->simplified, engine_auto.best(made->inner), made->best);
  neap_size peak = problem_peak(original, made->best);
  step->round.peak = problem_peak(original, made->layout);
  step->round.improved = made->best_peak == NEAP_UNPLACED || peak < made->best_peak;
  if (step->round.improved) made->best_peak = peak;
  step->round.moves = NULL; /* they name the buffers of the simplified problem */
  step->round.move_count = 0;
}

static neap_status simplified_step(void *state, struct step *step, neap_error *error) {
  struct simplified_state *made = state;
  neap_status status = engine_auto.step(made->inner, step, error);
  if (status != NEAP_OK) return status;
  if (step->has_round) take_layout(made, step);
  if (!step->stop && made->task.budget->ticks > made->last_tick) {
    step->stop = true;
    step->reason = NEAP_STOP_COMPLETE;
  }
  return NEAP_OK;
}

static const neap_offset *simplified_best(const void *state) {
  const struct simplified_state *made = state;
  return made->best_peak == NEAP_UNPLACED ? NULL : made->best;
}

static const neap_offset *simplified_layout(const void *state) {
  const struct simplified_state *made = state;
  return made->layout;
}

const struct engine engine_simplified = {
    .start = simplified_start,
    .step = simplified_step,
    .best = simplified_best,
    .free = simplified_free,
    .layout = simplified_layout,
};
