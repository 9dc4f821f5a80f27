/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer that plans problems with pools: it assigns each buffer to a pool, and then plans
 * each pool as a problem of its own, with the engine that the options name.
 *
 *     units ─► a pool for each (assigner) ─► every pool fits its capacity ─► lower peaks
 *                                                                              └─► other pools
 *
 * Pools share no bytes, so once every buffer has a pool, the pools are independent.  If buffers
 * have a choice of pools, the assigner also ensures that each pool fits its capacity.
 *
 * The cost of the pools is minimised before the peaks, even if the objective puts the peak
 * first.  The result is optimal if, in addition, no other assignment allows a lower sum of
 * peaks (pool_peaks): at the same cost, or at any cost if the peak comes first.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/text.h"
#include "engine/engine.h"
#include "engine/pool_fleet.h"
#include "facts/spill.h"
#include "pools/assigner.h"
#include "pools/pool_peaks.h"
#include "pools/units.h"

struct pooled {
  const struct task *task;
  struct pool_planner planner;
  size_t pool_count;
  struct units units;
  /* The assignment that the runs use. */
  size_t *pools;   /* per buffer */
  size_t *members; /* the buffers of each pool, ascending, pool after pool */
  struct pool_fleet fleet;
  struct assigner_task assigner_task;
  struct assigner *assigner; /* NULL if no unit has a choice */
  bool assigner_over;
  bool is_planning;          /* the runs have been started */
  bool has_looked;           /* other assignments with a lower sum of peaks were searched for */
  bool is_proven_lowest;     /* no assignment that the objective allows has a lower sum of peaks */
  /* The best plan, once `has_best`. */
  bool has_best;
  neap_offset *best;
  neap_size best_peak; /* the sum over the pools */
  neap_size cost;
  neap_size *lower_bounds, *peaks; /* per pool */
  struct pooling pooling;
  neap_error refusal; /* why there is no plan */
};

/* ---------------------------------------------------------------- starting and ending */

static void pooled_free(void *state) {
  struct pooled *pooled = state;
  if (!pooled) return;
  for (size_t p = 0; pooled->fleet.runs && p < pooled->fleet.count; p++)
    pool_run_clear(&pooled->fleet.runs[p]);
  free(pooled->fleet.runs);
  assigner_free(pooled->assigner);
  units_clear(&pooled->units);
  free(pooled->pools);
  free(pooled->members);
  free(pooled->best);
  free(pooled->lower_bounds);
  free(pooled->peaks);
  free(pooled);
}

static neap_status check_options(const struct task *task, neap_error *error) {
  if (task->options->value[OPTION_CAPACITY] < 0) return NEAP_OK;
  return error_set(
      error, NEAP_ERROR_ARGUMENT,
      "option capacity is for one arena, but the problem has pools; use neap_pool.capacity");
}

static neap_status allocate(struct pooled *pooled, neap_error *error) {
  size_t count = pooled->task->problem->count;
  pooled->pools = memory_array(count, sizeof *pooled->pools);
  pooled->members = memory_array(count, sizeof *pooled->members);
  pooled->best = memory_array(count, sizeof *pooled->best);
  pooled->lower_bounds = memory_array(pooled->pool_count, sizeof *pooled->lower_bounds);
  pooled->peaks = memory_array(pooled->pool_count, sizeof *pooled->peaks);
  pooled->fleet.runs = memory_array(pooled->pool_count, sizeof *pooled->fleet.runs);
  bool ready = pooled->pools && pooled->members && pooled->best && pooled->lower_bounds &&
               pooled->peaks && pooled->fleet.runs;
  return ready ? NEAP_OK : error_memory(error);
}

static neap_status begin_assigner(struct pooled *pooled, neap_error *error) {
  const struct task *task = pooled->task;
  pooled->assigner_task = (struct assigner_task){.problem = task->problem,
                                                 .planner = &pooled->planner,
                                                 .units = &pooled->units,
                                                 .budget = task->budget};
  return assigner_new(&pooled->assigner, &pooled->assigner_task, error);
}

static neap_status pooled_start(const struct task *task, void **state, neap_error *error) {
  neap_status status = check_options(task, error);
  if (status != NEAP_OK) return status;
  struct pooled *pooled = memory_array(1, sizeof *pooled);
  if (!pooled) return error_memory(error);
  pooled->task = task;
  pooled->planner =
      (struct pool_planner){.plan = pool_run_whole,
                            .options = task->options,
                            .has_costs = engine_has_costs(task->problem, task->options)};
  pooled->pool_count = problem_pool_count(task->problem);
  pooled->fleet.threads = options_threads(task->options);
  pooled->fleet.budget = task->budget;
  status = allocate(pooled, error);
  if (status == NEAP_OK) status = units_init(&pooled->units, task->problem, error);
  if (status == NEAP_OK && !units_are_forced(&pooled->units))
    status = begin_assigner(pooled, error);
  if (status == NEAP_OK) *state = pooled;
  else pooled_free(pooled);
  return status;
}

/* ---------------------------------------------------------------- the assignment */

/* Refuses the problem because no pool can hold a unit, and names the unit. */
static void refuse_unit(struct pooled *pooled, size_t unit) {
  const struct neap_problem *problem = pooled->task->problem;
  size_t member = pooled->units.members[units_members_begin(&pooled->units, unit)];
  const char *name = problem_name(problem, member);
  char excerpt[TEXT_EXCERPT];
  error_set(&pooled->refusal, NEAP_INFEASIBLE, "%s fits into none of its pools",
            text_excerpt(excerpt, name, strlen(name)));
}

/* Gives each unit its first choice; false if a unit has none. */
static bool take_first_choices(struct pooled *pooled) {
  const struct units *units = &pooled->units;
  for (size_t u = 0; u < units->count; u++) {
    size_t begin = units_choices_begin(units, u);
    if (begin == units->choices_end[u]) {
      refuse_unit(pooled, u);
      return false;
    }
    for (size_t m = units_members_begin(units, u); m < units->members_end[u]; m++)
      pooled->pools[units->members[m]] = units->choices[begin].pool;
  }
  return true;
}

/* Whether finding the assignment has used up its share of the work. */
static bool has_had_share(const struct pooled *pooled) {
  const struct budget *budget = pooled->task->budget;
  const int64_t *options = pooled->task->options->value;
  if (budget->max_ticks > 0)
    return (double)budget->ticks >= POOLED_ASSIGNMENT_SHARE * (double)budget->max_ticks;
  if (budget->deadline > 0)
    return budget_seconds(budget) >=
           POOLED_ASSIGNMENT_SHARE * (budget->deadline - budget->started);
  return engine_at((size_t)options[OPTION_ENGINE]) != &engine_exact &&
         budget->ticks >= POOLED_ASSIGNMENT_TICKS;
}

/* Sums the peaks of all pools; false if the sum exceeds NEAP_MAX. */
static bool sum_peaks(struct pooled *pooled, neap_size *sum) {
  const struct neap_problem *problem = pooled->task->problem;
  neap_size total = 0;
  memset(pooled->peaks, 0, pooled->pool_count * sizeof *pooled->peaks);
  for (size_t i = 0; i < problem->count; i++) {
    neap_size end = pooled->best[i] + problem->buffers[i].size, *peak;
    peak = &pooled->peaks[pooled->pools[i]];
    if (end > *peak) *peak = end;
  }
  for (size_t p = 0; p < pooled->pool_count; p++)
    if (!checked_add(total, pooled->peaks[p], &total)) return false;
  *sum = total;
  return true;
}

/* Adopts the best plan of the assigner, if it is new. */
static bool take_assignment(struct pooled *pooled, struct step *step) {
  const struct assigner *assigner = pooled->assigner;
  size_t count = pooled->task->problem->count;
  neap_size cost = assigner_cost(assigner);
  if (cost < 0 || (pooled->has_best && cost >= pooled->cost)) return false;
  memcpy(pooled->pools, assigner_pools(assigner), count * sizeof *pooled->pools);
  memcpy(pooled->best, assigner_offsets(assigner), count * sizeof *pooled->best);
  pooled->cost = cost;
  if (!sum_peaks(pooled, &pooled->best_peak)) return false;
  pooled->has_best = step->has_round = step->round.improved = true;
  step->round.peak = pooled->best_peak;
  return true;
}

/* Records that no assignment was found, and whether infeasibility is proven. */
static void refuse_assignment(struct pooled *pooled) {
  if (assigner_lower_bound(pooled->assigner) == NEAP_MAX)
    error_set(&pooled->refusal, NEAP_INFEASIBLE,
              "no plan can fit the capacities of the pools, whichever buffers are in which");
  else
    error_set(&pooled->refusal, NEAP_NO_PLAN,
              "no assignment of the buffers to pools was found within the limits");
}

static neap_status stop(struct step *step, neap_stop_reason reason) {
  step->stop = true;
  step->reason = reason;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the pools */

static neap_status begin_run(struct pooled *pooled, size_t pool, const size_t *members,
                             size_t count, neap_error *error) {
  const struct pool_task task = {.problem = pooled->task->problem,
                                 .pool = pool,
                                 .members = members,
                                 .count = count,
                                 .go_on = pool_fleet_go_on,
                                 .user = &pooled->fleet};
  return pool_run_init(&pooled->fleet.runs[pool], &task, pooled->task->options, error);
}

/* Starts the run of every pool with its buffers. */
static neap_status begin_runs(struct pooled *pooled, neap_error *error) {
  size_t count = pooled->task->problem->count, listed = 0;
  neap_status status = NEAP_OK;
  pooled->fleet.count = pooled->pool_count;
  for (size_t p = 0; p < pooled->pool_count && status == NEAP_OK; p++) {
    size_t begin = listed;
    for (size_t i = 0; i < count; i++)
      if (pooled->pools[i] == p) pooled->members[listed++] = i;
    status = begin_run(pooled, p, pooled->members + begin, listed - begin, error);
    if (status == NEAP_OK && pooled->has_best)
      pool_run_adopt(&pooled->fleet.runs[p], pooled->best);
  }
  pooled->is_planning = true;
  return status;
}

/* Combines the layouts of the pools into a plan, if any of them is new. */
static bool compose(struct pooled *pooled, struct step *step) {
  neap_size peak = 0;
  bool is_new = false;
  for (size_t p = 0; p < pooled->pool_count; p++) {
    struct pool_run *run = &pooled->fleet.runs[p];
    pooled->lower_bounds[p] = run->lower_bound;
    if (!run->has_layout || !checked_add(peak, run->peak, &peak)) return false;
    is_new = is_new || run->is_new;
  }
  if (!is_new) return false;
  for (size_t p = 0; p < pooled->pool_count; p++) {
    struct pool_run *run = &pooled->fleet.runs[p];
    run->is_new = false;
    for (size_t i = 0; i < run->task.count; i++)
      pooled->best[run->task.members[i]] = run->offsets[i];
  }
  step->has_round = true;
  /* With costs, a run keeps only layouts that are better by the objective. */
  step->round.improved = !pooled->has_best || peak < pooled->best_peak ||
                         engine_has_costs(pooled->task->problem, pooled->task->options);
  step->round.peak = pooled->best_peak = peak;
  pooled->has_best = true;
  return true;
}

/* Finds out whether some pool cannot hold its buffers; keeps the strongest reason. */
static bool find_refusal(struct pooled *pooled) {
  for (size_t p = 0; p < pooled->pool_count; p++) {
    const struct pool_run *run = &pooled->fleet.runs[p];
    if (run->phase != POOL_OVER || run->has_layout) continue;
    if (pooled->refusal.status != NEAP_INFEASIBLE) pooled->refusal = run->refusal;
  }
  return pooled->refusal.status != NEAP_OK;
}

/* Whether another assignment might be better by the objective, at no higher cost. */
static bool is_open(const struct pooled *pooled) {
  return pooled->assigner && !pooled->is_proven_lowest &&
         pooled->best_peak > pooled->task->bound.bytes;
}

static bool is_proof(neap_stop_reason reason) {
  return reason == NEAP_STOP_BOUND || reason == NEAP_STOP_PROVEN;
}

/* The reason why the runs stopped: NEAP_STOP_BOUND if no better plan of the pools exists. */
static neap_stop_reason reason_of_runs(const struct pooled *pooled) {
  neap_stop_reason reason = NEAP_STOP_BOUND;
  for (size_t p = 0; p < pooled->pool_count; p++) {
    const struct pool_run *run = &pooled->fleet.runs[p];
    bool is_lowest = run->has_layout && run->peak <= run->lower_bound;
    if (!is_lowest || (run->has_costs && !is_proof(run->reason))) reason = run->reason;
  }
  return reason;
}

static bool is_spill_proven(const struct pooled *pooled) {
  return !pooled->assigner || pooled->cost <= assigner_lower_bound(pooled->assigner);
}

static neap_stop_reason reason_to_stop(const struct pooled *pooled) {
  neap_stop_reason reason = reason_of_runs(pooled);
  if (reason != NEAP_STOP_BOUND) return reason;
  if (is_spill_proven(pooled)) return is_open(pooled) ? NEAP_STOP_COMPLETE : reason;
  if (pooled->assigner_over) return NEAP_STOP_COMPLETE;
  bool is_timed = pooled->task->budget->max_ticks == 0 && pooled->task->budget->deadline > 0;
  return is_timed ? NEAP_STOP_TIME_LIMIT : NEAP_STOP_TICK_LIMIT;
}

/* ---------------------------------------------------------------- the proof */

/* The limit on the cost of other assignments: the present cost, unless the peak matters more. */
static neap_size cost_limit(const struct pooled *pooled) {
  const neap_term *terms = pooled->task->problem->relations->objective;
  for (size_t t = 0; t < NEAP_TERM_COUNT && terms[t] != NEAP_TERM_SPILL; t++)
    if (terms[t] == NEAP_TERM_PEAK) return NEAP_MAX;
  return pooled->cost;
}

static bool wants_other_pools(const struct pooled *pooled) {
  return pooled->has_best && !pooled->has_looked && is_open(pooled) &&
         is_spill_proven(pooled) && reason_of_runs(pooled) == NEAP_STOP_BOUND;
}

static neap_size cost_of_best(const struct pooled *pooled) {
  const struct units *units = &pooled->units;
  neap_size cost = 0; /* fits: units */
  for (size_t u = 0; u < units->count; u++) {
    size_t pool = pooled->pools[units->members[units_members_begin(units, u)]];
    size_t c = units_choices_begin(units, u);
    while (units->choices[c].pool != pool)
      c++;
    cost += units->choices[c].cost;
  }
  return cost;
}

/*
 * Searches for other assignments with a lower sum of peaks.  Either finds some or, if possible,
 * proves that none exist.
 */
static neap_status lower_by_pools(struct pooled *pooled, struct step *step, neap_error *error) {
  const struct task *task = pooled->task;
  struct pool_layout layout = {pooled->pools, pooled->best, pooled->lower_bounds,
                               pooled->best_peak};
  struct pool_peaks_task search = {task->problem, &pooled->planner, &pooled->units,
                                   cost_limit(pooled), task->budget};
  neap_status status = pool_peaks_lower(&search, &layout, &pooled->is_proven_lowest, error);
  bool is_lower = layout.peak < pooled->best_peak;
  if (is_lower) {
    step->has_round = step->round.improved = true;
    step->round.peak = pooled->best_peak = layout.peak;
    pooled->cost = cost_of_best(pooled);
  }
  pooled->has_looked = true;
  if (status != NEAP_OK && !(status == NEAP_NO_PLAN && is_lower)) return status;
  return status == NEAP_OK ? stop(step, reason_to_stop(pooled)) : NEAP_OK;
}

/* ---------------------------------------------------------------- one step */

static neap_status begin_planning(struct pooled *pooled, struct step *step, neap_error *error) {
  if (pooled->has_best || take_first_choices(pooled)) return begin_runs(pooled, error);
  return stop(step, NEAP_STOP_PROVEN);
}

/* Searches for an assignment; afterwards, begins to lower the peaks. */
static neap_status choose_pools(struct pooled *pooled, struct step *step, neap_error *error) {
  neap_status status = assigner_step(pooled->assigner, &pooled->assigner_over, error);
  bool is_over = pooled->assigner_over;
  bool is_new = take_assignment(pooled, step);
  if (status == NEAP_NO_PLAN && !pooled->has_best) refuse_assignment(pooled);
  if (status != NEAP_OK && !(status == NEAP_NO_PLAN && is_new)) return status;
  if (is_over && !pooled->has_best) {
    refuse_assignment(pooled);
    return stop(step, pooled->refusal.status == NEAP_INFEASIBLE ? NEAP_STOP_PROVEN
                                                                : NEAP_STOP_COMPLETE);
  }
  if (pooled->has_best && (is_over || has_had_share(pooled))) return begin_runs(pooled, error);
  return NEAP_OK;
}

static neap_status pooled_step(void *state, struct step *step, neap_error *error) {
  struct pooled *pooled = state;
  if (!pooled->is_planning)
    return pooled->assigner ? choose_pools(pooled, step, error)
                            : begin_planning(pooled, step, error);
  bool is_over = pool_fleet_is_over(&pooled->fleet);
  if (is_over && wants_other_pools(pooled)) return lower_by_pools(pooled, step, error);
  neap_status status = pool_fleet_step(&pooled->fleet, error);
  if (status != NEAP_OK) return status;
  bool is_new = compose(pooled, step);
  if (!is_new && pooled->task->budget->end != BUDGET_LEFT) return NEAP_NO_PLAN;
  step->stop = find_refusal(pooled) ||
               (pool_fleet_is_over(&pooled->fleet) && !wants_other_pools(pooled));
  if (step->stop) step->reason = reason_to_stop(pooled);
  return NEAP_OK;
}

/* ---------------------------------------------------------------- results */

static const neap_offset *pooled_best(const void *state) {
  const struct pooled *pooled = state;
  return pooled->has_best ? pooled->best : NULL;
}

static const struct pooling *pooled_pooling(const void *state) {
  struct pooled *pooled = (struct pooled *)(uintptr_t)state;
  neap_size spilled = 0;
  if (pooled->assigner) spilled = assigner_lower_bound(pooled->assigner);
  else spill_sum(pooled->task->problem, pooled->pools, &spilled);
  pooled->pooling = (struct pooling){.pools = pooled->pools,
                                     .lower_bounds = pooled->lower_bounds,
                                     .spilled_lower_bound = spilled,
                                     .is_open = is_open(pooled)};
  return &pooled->pooling;
}

static const neap_error *pooled_refusal(const void *state) {
  const struct pooled *pooled = state;
  return &pooled->refusal;
}

/*
 * In other pools, buffers might cost less, so bounds of single pools prove nothing if units
 * have choices.
 */
static neap_size pooled_term_bound(const void *state, neap_term term) {
  const struct pooled *pooled = state;
  const struct neap_problem *problem = pooled->task->problem;
  neap_size sum = 0;
  for (size_t i = 0; i < problem->count; i++)
    if (spill_choice_count(problem, i) > 1) return 0;
  for (size_t p = 0; pooled->is_planning && p < pooled->fleet.count; p++)
    if (!checked_add(sum, pooled->fleet.runs[p].term_bound[term], &sum)) return 0;
  return sum;
}

const struct engine engine_pooled = {
    .info = {.name = "pools", .summary = "choose pools, and plan each"},
    .start = pooled_start,
    .step = pooled_step,
    .best = pooled_best,
    .free = pooled_free,
    .pooling = pooled_pooling,
    .refusal = pooled_refusal,
    .term_bound = pooled_term_bound,
};
