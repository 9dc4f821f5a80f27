/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run plans the buffers of one pool in up to two phases, each with a planner of its own:
 * POOL_FIT searches for a layout within the capacity, POOL_LOWER lowers the peak.  With costs,
 * a single phase does both.  The run keeps the best layout that fits; ticks are charged to the
 * caller through `go_on`, which can also cancel the planner.
 */
#include "engine/pool_fleet.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "engine/engine.h"
#include "engine/planner.h"

/* ---------------------------------------------------------------- making */

/* Records why there is no plan, with the name of the pool. */
static void refuse(struct pool_run *run, const neap_error *why) {
  char name[256];
  neap_pool pool = NEAP_INIT(neap_pool);
  neap_problem_pool_at(run->task.problem, run->task.pool, &pool);
  snprintf(name, sizeof name, "%.200s", pool.name);
  error_set(&run->refusal, why->status, "pool '%s': %.600s", name, why->text);
}

static void give_up(struct pool_run *run, const neap_error *why, neap_stop_reason reason) {
  if (!run->has_layout) refuse(run, why);
  run->phase = POOL_OVER;
  run->reason = reason;
}

/* Ends the run because no plan has these buffers in this pool. */
static void rule_out(struct pool_run *run, neap_error *why) {
  why->status = NEAP_INFEASIBLE;
  give_up(run, why, NEAP_STOP_PROVEN);
}

/* Checks the subset: buffers that contradict each other in one pool may be apart in two. */
static neap_status check_subset(struct pool_run *run, neap_error *error) {
  neap_error why;
  neap_status status = neap_problem_check(run->subset.problem, &why);
  if (status == NEAP_ERROR_INPUT) rule_out(run, &why);
  else if (status != NEAP_OK) return error_copy(error, &why);
  return NEAP_OK;
}

/* Makes the subset.  The alignment of the pool may leave no offset in a window or bank. */
static neap_status init_subset(struct pool_run *run, neap_error *error) {
  const struct pool_task *task = &run->task;
  struct subset_choice choice = {task->members, task->count, task->pool, true};
  neap_error why;
  neap_status status = subset_init(&run->subset, task->problem, &choice, &why);
  if (status == NEAP_OK) return check_subset(run, error);
  if (status != NEAP_ERROR_INPUT) return error_copy(error, &why);
  rule_out(run, &why);
  choice.aligns = false;
  return subset_init(&run->subset, task->problem, &choice, error);
}

neap_status pool_run_init(struct pool_run *run, const struct pool_task *task,
                          const struct neap_options *options, neap_error *error) {
  *run = (struct pool_run){.task = *task, .options = *options};
  run->capacity = task->problem->relations->pools[task->pool].capacity;
  run->phase = run->capacity >= 0 || task->only_fit ? POOL_FIT : POOL_LOWER;
  run->reason = NEAP_STOP_COMPLETE;
  run->options.value[OPTION_KEEP_LAYOUTS] = 0;
  neap_status status = init_subset(run, error);
  if (status != NEAP_OK) return status;
  subset_forget_places(&run->subset);
  run->has_costs = engine_has_costs(run->subset.problem, options) && !task->only_fit;
  run->offsets = memory_array(task->count, sizeof *run->offsets);
  return run->offsets ? NEAP_OK : error_memory(error);
}

static void drop_planner(struct pool_run *run) {
  neap_planner_free(run->planner);
  run->planner = NULL;
  run->planner_ticks = 0;
}

void pool_run_clear(struct pool_run *run) {
  drop_planner(run);
  subset_clear(&run->subset);
  free(run->offsets);
  *run = (struct pool_run){.phase = POOL_OVER};
}

/* Keeps a layout that fits and is lower than the last one. */
static void keep_layout(struct pool_run *run, const neap_offset *offsets) {
  neap_size peak = problem_peak(run->subset.problem, offsets);
  if (run->capacity >= 0 && peak > run->capacity) return;
  if (run->has_layout && !run->has_costs && peak >= run->peak) return;
  /* With costs, the planner decides which layout is better. */
  if (run->has_layout && run->has_costs &&
      memcmp(run->offsets, offsets, run->task.count * sizeof *offsets) == 0)
    return;
  if (run->task.count > 0)
    memcpy(run->offsets, offsets, run->task.count * sizeof *run->offsets);
  run->peak = peak;
  run->has_layout = run->is_new = true;
}

void pool_run_adopt(struct pool_run *run, const neap_offset *offsets) {
  assert(!run->planner && !run->has_layout);
  for (size_t i = 0; i < run->task.count; i++)
    run->offsets[i] = offsets[run->subset.originals[i]];
  run->peak = problem_peak(run->subset.problem, run->offsets);
  run->has_layout = run->is_new = true;
  run->phase = run->task.only_fit ? POOL_OVER : POOL_LOWER;
}

/* ---------------------------------------------------------------- running */

static void on_progress(const neap_progress *progress, void *user) {
  struct pool_run *run = user;
  uint64_t ticks = progress->ticks - run->planner_ticks;
  run->planner_ticks = progress->ticks;
  run->ticks += ticks;
  if (!run->task.go_on(run->task.user, ticks)) neap_planner_cancel(run->planner);
}

/* A limit of 0 ticks would mean none, so the planner gets at least one tick. */
static neap_status start_planner(struct pool_run *run, neap_error *error) {
  uint64_t most = run->task.max_ticks;
  bool any_fits = run->phase == POOL_FIT && run->capacity >= 0 && !run->has_costs;
  run->options.value[OPTION_CAPACITY] = any_fits || run->has_costs ? run->capacity : -1;
  run->options.value[OPTION_UNTIL_FITS] = any_fits;
  if (most > 0)
    run->options.value[OPTION_MAX_TICKS] = (int64_t)(run->ticks < most ? most - run->ticks : 1);
  neap_status status =
      neap_planner_new(run->subset.problem, &run->options, &run->planner, error);
  if (status == NEAP_OK && run->task.go_on)
    neap_planner_on_progress(run->planner, on_progress, run);
  return status;
}

/* Counts the ticks since the last call of on_progress. */
static void count_ticks(struct pool_run *run) {
  uint64_t ticks = planner_ticks(run->planner) - run->planner_ticks;
  run->planner_ticks += ticks;
  run->ticks += ticks;
  if (run->task.go_on && !run->task.go_on(run->task.user, ticks))
    neap_planner_cancel(run->planner);
}

static bool is_spent(const struct pool_run *run) {
  return run->task.max_ticks > 0 && run->ticks >= run->task.max_ticks;
}

/* Ends a phase, whose planner has ended, and chooses the next one. */
static void end_phase(struct pool_run *run) {
  neap_error why = {.status = NEAP_OK};
  if (!run->has_layout) {
    neap_status verdict = planner_verdict(run->planner, &why);
    if (verdict == NEAP_OK) error_set(&why, NEAP_NO_PLAN, "no plan was found");
    refuse(run, &why);
  }
  run->reason = planner_reason(run->planner);
  bool is_lowest = run->has_layout && !run->has_costs && run->peak <= run->lower_bound;
  bool goes_on = run->phase == POOL_FIT && run->has_layout && !run->task.only_fit &&
                 !run->has_costs && !is_lowest && !is_spent(run) &&
                 run->reason != NEAP_STOP_CANCELLED;
  drop_planner(run);
  run->phase = goes_on ? POOL_LOWER : POOL_OVER;
  if (is_lowest) run->reason = NEAP_STOP_PROVEN;
}

neap_status pool_run_step(struct pool_run *run, neap_error *error) {
  if (run->phase == POOL_OVER) return NEAP_OK;
  bool done = false;
  neap_error why;
  neap_status status = run->planner ? NEAP_OK : start_planner(run, &why);
  if (status == NEAP_NO_PLAN) { /* starting the planner took all the time */
    give_up(run, &why, NEAP_STOP_TIME_LIMIT);
    return NEAP_OK;
  }
  if (status != NEAP_OK) return error_copy(error, &why);
  status = neap_planner_step(run->planner, &done, error);
  if (status != NEAP_OK) return status;
  count_ticks(run);
  neap_size lower_bound = planner_lower_bound(run->planner);
  if (lower_bound > run->lower_bound) run->lower_bound = lower_bound;
  const neap_offset *offsets = planner_best(run->planner);
  if (offsets) keep_layout(run, offsets);
  run->term_bound[NEAP_TERM_REUSE] = planner_term_bound(run->planner, NEAP_TERM_REUSE);
  run->term_bound[NEAP_TERM_MOVED] = planner_term_bound(run->planner, NEAP_TERM_MOVED);
  bool is_lowest = run->has_layout && !run->has_costs && run->peak <= run->lower_bound;
  if (done || is_lowest || (run->has_layout && run->task.only_fit)) end_phase(run);
  return NEAP_OK;
}

neap_status pool_run_whole(const void *options, const struct pool_task *task,
                           neap_offset *offsets, struct pool_outcome *outcome,
                           neap_error *error) {
  struct pool_run run;
  neap_status status = pool_run_init(&run, task, options, error);
  while (status == NEAP_OK && run.phase != POOL_OVER)
    status = pool_run_step(&run, error);
  *outcome = (struct pool_outcome){.has_layout = run.has_layout,
                                   .peak = run.peak,
                                   .lower_bound = run.lower_bound,
                                   .ticks = run.ticks,
                                   .reason = run.reason,
                                   .refusal = run.refusal};
  for (size_t i = 0; run.has_layout && i < task->count; i++)
    offsets[task->members[i]] = run.offsets[i];
  pool_run_clear(&run);
  return status;
}
