/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer that plans problems with reuse penalties or earlier offsets.  The engine that the
 * options name respects the hard constraints; the solver (costs/minimise) then lowers the cost of
 * the layout within a capacity.  The order of the terms in the objective determines the capacity:
 *
 *     peak first:  engine: lowest peak ─► solver: within that peak
 *     peak last:   engine: any layout within the capacity ─► solver: within the capacity
 *                  ─► engine: lowest peak, with unpaid costs made hard
 *
 * Engine and solver take turns, by the ticks that each has used.  A lower peak or a lower cost
 * found by one restarts the other.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "costs/minimise.h"
#include "engine/engine.h"

/*
 * An engine of the table that plans the problem, or the problem with additional hard constraints.
 */
struct worker {
  const struct engine *engine;
  struct neap_options options;
  struct task task;
  struct budget budget;
  void *state; /* NULL: not started */
  bool is_over;
  neap_stop_reason reason; /* once over */
};

struct soft_state {
  const struct task *task;
  neap_term before[SOLVER_KINDS], after[SOLVER_KINDS]; /* terms before and after the peak */
  size_t before_count, after_count;
  struct worker hard;
  struct solver *solver;
  bool solver_over;
  struct budget solver_budget;
  /* With terms before the peak: the problem that forbids every cost that the best layout avoids. */
  neap_problem *apart;
  struct worker lower;
  bool is_lowered;     /* `lower` has run since the cost last changed */
  bool is_decided;     /* exact search cannot lower the peak any further */
  struct solver *rest; /* for the terms after the peak: limited to this peak and the least cost */
  bool rest_over;
  bool has_best;
  neap_offset *best;
  neap_size peak;
  neap_size cost[NEAP_TERM_COUNT]; /* of soft terms */
  neap_size proven;                /* a lower bound on the peak */
  const neap_offset *layout;       /* of the last round */
};

/* ---------------------------------------------------------------- workers */

/*
 * Prepares a worker.  It stops at any layout within `capacity`; -1: it looks for the lowest
 * layout.
 */
static void worker_init(struct worker *worker, const struct task *task,
                        const struct neap_problem *problem, neap_size capacity,
                        const neap_offset *incumbent, uint64_t max_ticks) {
  *worker = (struct worker){.engine = engine_at((size_t)task->options->value[OPTION_ENGINE]),
                            .options = *task->options,
                            .task = *task};
  worker->options.value[OPTION_CAPACITY] = capacity;
  worker->options.value[OPTION_UNTIL_FITS] = capacity >= 0;
  worker->options.value[OPTION_KEEP_LAYOUTS] = 0;
  worker->task.problem = problem;
  worker->task.incumbent = incumbent;
  budget_init_within(&worker->budget, task->budget, max_ticks);
}

static void worker_clear(struct worker *worker) {
  if (worker->state) worker->engine->free(worker->state);
  *worker = (struct worker){.is_over = true};
}

/* Makes a step; *went is false if its budget, or that of the whole run, is spent. */
static neap_status worker_step(struct worker *worker, struct step *step, bool *went,
                               neap_error *error) {
  neap_status status = NEAP_OK;
  worker->task.options = &worker->options;
  worker->task.budget = &worker->budget;
  *went = false;
  if (!worker->state) status = worker->engine->start(&worker->task, &worker->state, error);
  if (status == NEAP_OK)
    status = budget_look(&worker->budget) ? worker->engine->step(worker->state, step, error)
                                          : NEAP_NO_PLAN;
  budget_look(&worker->budget);
  *went = status == NEAP_OK;
  if (!*went)
    step->has_round = false; /* the budget ended before the engine had kept its layout */
  worker->is_over = !*went || step->stop;
  worker->reason = *went ? step->reason : NEAP_STOP_TICK_LIMIT;
  step->stop = false;
  return status == NEAP_NO_PLAN ? NEAP_OK : status;
}

/* ---------------------------------------------------------------- starting and ending */

static void soft_free(void *state) {
  struct soft_state *soft = state;
  if (!soft) return;
  worker_clear(&soft->hard);
  worker_clear(&soft->lower);
  solver_free(soft->solver);
  solver_free(soft->rest);
  neap_problem_free(soft->apart);
  free(soft->best);
  free(soft);
}

static bool is_soft(const struct neap_problem *problem, neap_term term) {
  if (term == NEAP_TERM_REUSE) return problem_has(problem, RELATION_PRICED);
  return term == NEAP_TERM_MOVED && problem->relations->near_count > 0;
}

static void sort_terms(struct soft_state *soft) {
  neap_term order[NEAP_TERM_COUNT];
  bool is_after = false;
  neap_problem_objective(soft->task->problem, order);
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++) {
    is_after |= order[i] == NEAP_TERM_PEAK;
    if (!is_soft(soft->task->problem, order[i])) continue;
    if (is_after) soft->after[soft->after_count++] = order[i];
    else soft->before[soft->before_count++] = order[i];
  }
}

/* Half of the ticks that the options allow; 0 if they set no limit. */
static uint64_t share_of(const struct task *task) {
  return ((uint64_t)task->options->value[OPTION_MAX_TICKS] + 1) / 2;
}

static neap_status soft_start(const struct task *task, void **state, neap_error *error) {
  struct soft_state *soft = memory_array(1, sizeof *soft);
  if (!soft) return error_memory(error);
  soft->task = task;
  soft->best = memory_array(task->problem->count, sizeof *soft->best);
  neap_status status = soft->best ? NEAP_OK : error_memory(error);
  soft->proven = task->bound.lower_bound;
  sort_terms(soft);
  soft->lower.is_over = true;
  bool any_fits = soft->before_count > 0 || task->options->value[OPTION_UNTIL_FITS];
  worker_init(&soft->hard, task, task->problem,
              any_fits ? task->options->value[OPTION_CAPACITY] : -1, task->incumbent,
              share_of(task));
  soft->hard.task.options = &soft->hard.options;
  soft->hard.task.budget = &soft->hard.budget;
  if (status == NEAP_OK)
    status = soft->hard.engine->start(&soft->hard.task, &soft->hard.state, error);
  if (status == NEAP_OK) *state = soft;
  else soft_free(soft);
  return status;
}

/* ---------------------------------------------------------------- the best layout */

static void take_layout(struct soft_state *soft, const neap_offset *offsets,
                        struct step *step) {
  const struct neap_problem *problem = soft->task->problem;
  if (problem->count > 0) memcpy(soft->best, offsets, problem->count * sizeof *offsets);
  soft->peak = problem_peak(problem, offsets);
  soft->has_best = true;
  soft->layout = soft->best;
  step->has_round = step->round.improved = true;
  step->round.peak = soft->peak;
}

/* Compares costs with those of the best layout: -1 lower, 0 equal, 1 higher. */
static int compare_costs(const struct soft_state *soft, const neap_term *terms, size_t count,
                         const neap_size *cost) {
  for (size_t i = 0; i < count; i++)
    if (cost[terms[i]] != soft->cost[terms[i]])
      return cost[terms[i]] < soft->cost[terms[i]] ? -1 : 1;
  return 0;
}

/* Whether a layout is better by the objective. */
static bool is_better(const struct soft_state *soft, neap_size peak, const neap_size *cost) {
  int order = compare_costs(soft, soft->before, soft->before_count, cost);
  if (order == 0 && peak != soft->peak) order = peak < soft->peak ? -1 : 1;
  if (order == 0) order = compare_costs(soft, soft->after, soft->after_count, cost);
  return order < 0;
}

/* Adopts a layout and its costs, if it is better. */
static bool take_if_better(struct soft_state *soft, const neap_offset *offsets,
                           const neap_size *cost, struct step *step) {
  if (!is_better(soft, problem_peak(soft->task->problem, offsets), cost)) return false;
  memcpy(soft->cost, cost, sizeof soft->cost);
  take_layout(soft, offsets, step);
  return true;
}

/* ---------------------------------------------------------------- the solver */

static bool is_limited(const struct task *task) {
  const int64_t *options = task->options->value;
  return options[OPTION_TIME_LIMIT] > 0 || options[OPTION_MAX_TICKS] > 0;
}

/*
 * Starts a solver for the terms before the peak (if `before`) and for those after it (if
 * `after`).
 */
static neap_status start_solver(struct soft_state *soft, neap_size capacity, bool before,
                                bool after, struct solver **solver, neap_error *error) {
  struct solver_task task = {.problem = soft->task->problem,
                             .capacity = capacity,
                             .incumbent = soft->best,
                             .seed = (uint64_t)soft->task->options->value[OPTION_SEED],
                             .budget = &soft->solver_budget};
  for (size_t i = 0; before && i < soft->before_count; i++)
    task.kinds[task.kind_count++] = soft->before[i];
  for (size_t i = 0; after && i < soft->after_count; i++)
    task.kinds[task.kind_count++] = soft->after[i];
  budget_init_within(&soft->solver_budget, soft->task->budget,
                     is_limited(soft->task) ? 0 : SOFT_USUAL_TICKS);
  neap_status status = solver_new(solver, &task, error);
  if (status == NEAP_OK) solver_costs(*solver, soft->cost);
  return status;
}

static neap_status step_solver(struct soft_state *soft, struct solver *solver, bool *is_over,
                               struct step *step, neap_error *error) {
  bool done = false;
  neap_status status = solver_step(solver, &done, error);
  budget_look(&soft->solver_budget);
  if (status != NEAP_OK && status != NEAP_NO_PLAN) return status;
  *is_over = done || status == NEAP_NO_PLAN;
  neap_size cost[NEAP_TERM_COUNT];
  solver_costs(solver, cost);
  bool is_cheaper = compare_costs(soft, soft->before, soft->before_count, cost) < 0;
  take_if_better(soft, solver_offsets(solver), cost, step);
  if (is_cheaper) soft->is_lowered = false;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- peak first */

static neap_status step_hard(struct soft_state *soft, struct step *step, neap_error *error) {
  bool went;
  neap_status status = worker_step(&soft->hard, step, &went, error);
  const struct worker *hard = &soft->hard;
  neap_size proven =
      hard->engine->lower_bound && hard->state ? hard->engine->lower_bound(hard->state) : 0;
  if (proven > soft->proven) soft->proven = proven;
  if (status != NEAP_OK || !step->has_round) return status;
  soft->layout = hard->engine->layout ? hard->engine->layout(hard->state)
                                      : hard->engine->best(hard->state);
  bool lower = step->round.improved && (!soft->has_best || step->round.peak < soft->peak);
  step->round.improved = lower;
  if (lower) take_layout(soft, hard->engine->best(hard->state), step);
  /* Results within a higher peak no longer count. */
  if (lower && soft->solver) solver_free(soft->solver);
  if (lower) soft->solver = NULL;
  return NEAP_OK;
}

static bool fits_capacity(const struct soft_state *soft) {
  neap_size capacity = soft->task->options->value[OPTION_CAPACITY];
  return soft->has_best && (capacity < 0 || soft->peak <= capacity);
}

/*
 * Whether it is the engine's turn: it has a head start, and then gets as many ticks as the
 * solver.
 */
static bool is_turn_of_hard(const struct soft_state *soft) {
  if (soft->hard.is_over) return false;
  if (!fits_capacity(soft) || soft->hard.budget.ticks < SOFT_HEAD_START) return true;
  return soft->solver && (soft->solver_over || soft->hard.budget.ticks - SOFT_HEAD_START <
                                                   soft->solver_budget.ticks);
}

static neap_status step_peak_first(struct soft_state *soft, struct step *step,
                                   neap_error *error) {
  neap_status status = NEAP_OK;
  if (is_turn_of_hard(soft)) return step_hard(soft, step, error);
  if (!fits_capacity(soft)) {
    step->stop = true;
    step->reason = soft->hard.reason;
    return NEAP_OK;
  }
  if (!soft->solver) {
    soft->solver_over = false;
    status = start_solver(soft, soft->peak, true, true, &soft->solver, error);
  } else if (!soft->solver_over)
    status = step_solver(soft, soft->solver, &soft->solver_over, step, error);
  step->stop = soft->hard.is_over && soft->solver && soft->solver_over;
  step->reason = soft->hard.reason;
  if (step->stop && !solver_is_proven(soft->solver)) step->reason = NEAP_STOP_TICK_LIMIT;
  return status;
}

/* ---------------------------------------------------------------- peak last */

/*
 * If the best layout pays nothing, then `apart` forbids all costs.  So its lower bound on the
 * peak holds for all layouts of least cost.
 */
static void note_lower_bound(struct soft_state *soft) {
  const struct worker *lower = &soft->lower;
  if (!lower->state || !lower->engine->lower_bound) return;
  for (size_t i = 0; i < soft->before_count; i++)
    if (soft->cost[soft->before[i]] > 0) return;
  neap_size proven = lower->engine->lower_bound(lower->state);
  if (proven > soft->proven) soft->proven = proven;
}

/* Bisects the range of the least peak at the least cost. */
static neap_status step_decision(struct soft_state *soft, struct step *step,
                                 neap_error *error) {
  neap_size middle = soft->proven + (soft->peak - soft->proven) / 2;
  neap_size cost[NEAP_TERM_COUNT];
  neap_offset *offsets = memory_array(soft->task->problem->count, sizeof *offsets);
  if (!offsets) return error_memory(error);
  switch (solver_decide(soft->solver, middle, offsets)) {
  case VERDICT_FOUND:
    memcpy(cost, soft->cost, sizeof cost);
    soft->is_decided = !take_if_better(soft, offsets, cost, step);
    break;
  case VERDICT_REFUTED:
    soft->proven = middle + 1;
    break;
  default:
    soft->is_decided = true;
    break;
  }
  free(offsets);
  return NEAP_OK;
}

static neap_status step_lower(struct soft_state *soft, struct step *step, neap_error *error) {
  bool went;
  neap_size cost[NEAP_TERM_COUNT];
  struct step inner = {.has_round = false};
  neap_status status = worker_step(&soft->lower, &inner, &went, error);
  note_lower_bound(soft);
  if (status != NEAP_OK || !inner.has_round || !inner.round.improved) return status;
  const neap_offset *offsets = soft->lower.engine->best(soft->lower.state);
  bool is_sound;
  status = solver_assess(soft->solver, offsets, &is_sound, cost, error);
  if (status == NEAP_OK && is_sound) take_if_better(soft, offsets, cost, step);
  return status;
}

static neap_status start_lower(struct soft_state *soft, neap_error *error) {
  worker_clear(&soft->lower);
  neap_problem_free(soft->apart);
  soft->apart = NULL;
  soft->is_lowered = true;
  neap_status status = solver_forbid(soft->solver, soft->best, soft->before, soft->before_count,
                                     &soft->apart, error);
  if (status != NEAP_OK || !soft->apart) return status;
  worker_init(&soft->lower, soft->task, soft->apart, -1, soft->best,
              is_limited(soft->task) ? 0 : SOFT_USUAL_LOWER_TICKS);
  soft->lower.task.bound = (neap_bound)NEAP_INIT(neap_bound);
  return neap_problem_bound(soft->apart, &soft->lower.task.bound, error);
}

static neap_stop_reason reason_at_end(const struct soft_state *soft) {
  if (soft->peak <= soft->task->bound.bytes) return NEAP_STOP_BOUND;
  return soft->peak <= soft->proven ? NEAP_STOP_PROVEN : soft->lower.reason;
}

static bool is_turn_of_solver(const struct soft_state *soft) {
  if (soft->solver_over) return false;
  return soft->lower.is_over || soft->solver_budget.ticks < SOFT_HEAD_START ||
         soft->solver_budget.ticks - SOFT_HEAD_START <= soft->lower.budget.ticks;
}

static neap_status end_run(const struct soft_state *soft, struct step *step) {
  bool is_proven =
      solver_is_proven(soft->solver) && (!soft->rest || solver_is_proven(soft->rest));
  step->stop = true;
  step->reason = is_proven ? reason_at_end(soft) : NEAP_STOP_TICK_LIMIT;
  return NEAP_OK;
}

/* Lowers the terms after the peak, without raising the peak. */
static neap_status step_rest(struct soft_state *soft, struct step *step, neap_error *error) {
  if (soft->rest) return step_solver(soft, soft->rest, &soft->rest_over, step, error);
  return start_solver(soft, soft->peak, true, true, &soft->rest, error);
}

static neap_status step_peak_last(struct soft_state *soft, struct step *step,
                                  neap_error *error) {
  neap_size capacity = soft->task->options->value[OPTION_CAPACITY];
  if (!fits_capacity(soft) && !soft->hard.is_over) return step_hard(soft, step, error);
  if (!fits_capacity(soft)) {
    step->stop = true;
    step->reason = soft->hard.reason;
    return NEAP_OK;
  }
  if (!soft->solver)
    return start_solver(soft, capacity < 0 ? NEAP_MAX : capacity, true, false, &soft->solver,
                        error);
  if (is_turn_of_solver(soft))
    return step_solver(soft, soft->solver, &soft->solver_over, step, error);
  if (soft->peak > soft->proven) {
    if (!soft->is_decided && solver_is_proven(soft->solver))
      return step_decision(soft, step, error);
    if (!soft->is_lowered) return start_lower(soft, error);
    if (!soft->lower.is_over) return step_lower(soft, step, error);
  }
  return soft->after_count > 0 && !soft->rest_over ? step_rest(soft, step, error)
                                                   : end_run(soft, step);
}

static neap_status soft_step(void *state, struct step *step, neap_error *error) {
  struct soft_state *soft = state;
  if (!budget_look(soft->task->budget)) return NEAP_NO_PLAN;
  return soft->before_count > 0 ? step_peak_last(soft, step, error)
                                : step_peak_first(soft, step, error);
}

/* ---------------------------------------------------------------- results */

static const neap_offset *soft_best(const void *state) {
  const struct soft_state *soft = state;
  return soft->has_best ? soft->best : NULL;
}

static neap_size soft_lower_bound(const void *state) {
  const struct soft_state *soft = state;
  return soft->proven;
}

/*
 * The solver whose limits every better layout respects, or NULL.  `rest` is limited to the peak
 * of the best layout, and a layout that pays less for terms before the peak can be higher.
 */
static const struct solver *solver_of(const struct soft_state *soft, neap_term term) {
  const bool is_rest = soft->before_count == 1 && soft->before[0] != term;
  if (!is_rest) return soft->solver;
  return soft->solver && solver_is_proven(soft->solver) ? soft->rest : NULL;
}

/*
 * The cost of a term is a bound only if all terms before it in the objective are proven least: a
 * layout of a lower peak may pay more for reuse, and less for moves.
 */
static neap_size soft_term_bound(const void *state, neap_term term) {
  const struct soft_state *soft = state;
  const struct solver *solver = solver_of(soft, term);
  neap_size numbers[NEAP_TERM_COUNT] = {0};
  if (!solver) return 0;
  if (solver_is_proven(solver) && (soft->before_count > 0 || soft->peak <= soft->proven))
    solver_costs(solver, numbers);
  else solver_lower_bounds(solver, numbers);
  return numbers[term];
}

static const neap_offset *soft_layout(const void *state) {
  const struct soft_state *soft = state;
  return soft->layout;
}

const struct engine engine_soft = {
    .info = {.name = "soft", .summary = "plan, then lower what is paid for reuse and moves"},
    .start = soft_start,
    .step = soft_step,
    .best = soft_best,
    .lower_bound = soft_lower_bound,
    .free = soft_free,
    .layout = soft_layout,
    .term_bound = soft_term_bound,
};
