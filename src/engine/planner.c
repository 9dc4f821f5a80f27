/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The planner: runs an engine step by step within a budget, and verifies the plans it found.
 */
#include "engine/planner.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "engine/engine.h"
#include "engine/options.h"
#include "facts/bound.h"
#include "facts/columns.h"
#include "facts/excess.h"
#include "model/moves.h"
#include "plan/plan.h"
#include "runtimes/online.h"

/* ---------------------------------------------------------------- the timeline of a run */

/* The timeline of a run: the moments at which its peak, excess area or lower bound improved. */

/* Initialise the struct with zeroes. */
struct timeline {
  neap_moment *moments;
  size_t count, capacity;
};

/*
 * Adds a moment if it is the first or the last, or better than the previous one.  False if
 * memory runs out.
 */
static bool timeline_add(struct timeline *timeline, const neap_moment *now, bool is_last) {
  const neap_moment *before =
      timeline->count > 0 ? &timeline->moments[timeline->count - 1] : NULL;
  assert(!before || (now->ticks >= before->ticks && now->rounds >= before->rounds));
  assert(!before || now->lower_bound >= before->lower_bound);
  if (before && !is_last && now->peak == before->peak &&
      now->excess_area == before->excess_area && now->lower_bound == before->lower_bound)
    return true;
  if (!memory_reserve(&timeline->moments, &timeline->capacity, timeline->count + 1,
                      sizeof *timeline->moments))
    return false;
  timeline->moments[timeline->count++] = *now;
  return true;
}

static void timeline_clear(struct timeline *timeline) {
  free(timeline->moments);
  *timeline = (struct timeline){0};
}

/* ---------------------------------------------------------------- the planner */

struct neap_planner {
  struct neap_options options;
  struct task task;
  struct sections sections; /* shared by the engines, if few enough */
  struct budget budget;
  uint64_t earlier_ticks; /* of the search for an order, if that is a part of the run */
  double earlier_seconds; /* and its time */
  const struct engine *engine;
  void *state;
  neap_round *rounds; /* each owns its offsets and moves, if any */
  size_t round_count, round_capacity;
  struct timeline timeline;
  neap_size best_peak; /* NEAP_UNPLACED before the first round */
  struct excess least; /* of all rounds; its peak is NEAP_UNPLACED before the first */
  bool done;
  bool has_failed;         /* a step has failed */
  neap_error *failure;     /* the error of that step; NULL: memory is short */
  neap_stop_reason reason; /* valid once done */
  double seconds;          /* valid once done */
  neap_offset
      *settled; /* once done: the layout with the runtime's own placements; NULL: none */
  uint64_t next_progress;
  neap_round_function *on_round;
  void *round_user;
  neap_progress_function *on_progress;
  void *progress_user;
};

static neap_size proven_lower_bound(const neap_planner *planner) {
  neap_size known = planner->task.bound.lower_bound;
  if (!planner->engine->lower_bound || !planner->state) return known;
  neap_size proven = planner->engine->lower_bound(planner->state);
  return proven > known ? proven : known;
}

/* ---------------------------------------------------------------- making */

/* Whether all engines can share the sections, which then take little memory. */
static bool can_share_sections(const neap_problem *problem) {
  if (problem->relations || problem->count > PLANNER_SHARED_MOST) return false;
  for (size_t i = 0; i < problem->count; i++)
    if (problem->buffers[i].size == 0) return false;
  return true;
}

static neap_status find_bound(neap_planner *planner, const neap_problem *problem,
                              neap_error *error) {
  struct task *task = &planner->task;
  task->bound = (neap_bound)NEAP_INIT(neap_bound);
  if (!can_share_sections(problem))
    return bound_within(problem, &planner->budget, &task->bound, error);
  neap_status status = columns_init(&planner->sections, problem, SECTIONS_ALL, error);
  if (status != NEAP_OK) return status;
  task->sections = &planner->sections;
  return bound_by_sections(problem, task->sections, &task->bound, error);
}

/*
 * Whether there is something to fit: a capacity, or pools, whose capacities every plan
 * respects.
 */
static bool knows_capacity(const neap_planner *planner) {
  return planner->options.value[OPTION_CAPACITY] >= 0 || planner->engine->pooling;
}

static neap_status check_options(const neap_planner *planner, neap_error *error) {
  if (!planner->options.value[OPTION_UNTIL_FITS] || knows_capacity(planner)) return NEAP_OK;
  return error_set(error, NEAP_ERROR_ARGUMENT,
                   "option until-fits needs a size to fit; add option capacity BYTES");
}

/* Whether it is proven that no plan fits the capacity. */
static bool is_refuted(const neap_planner *planner) {
  neap_size capacity = planner->options.value[OPTION_CAPACITY];
  return capacity >= 0 && proven_lower_bound(planner) > capacity;
}

/* Whether the engine's offsets are those of the plan, but for buffers that the runtime places. */
static bool is_settled_later(const neap_planner *planner) {
  return !planner->engine->objects && !planner->engine->pooling;
}

/* Whether a plan fits and the options ask for no more. */
static bool is_enough(const neap_planner *planner) {
  neap_size capacity = planner->options.value[OPTION_CAPACITY];
  return planner->options.value[OPTION_UNTIL_FITS] && planner->best_peak != NEAP_UNPLACED &&
         (capacity < 0 || planner->best_peak <= capacity);
}

/* Whether the best plan is optimal even if the engine has not reported that yet. */
static bool is_lowest(const neap_planner *planner) {
  return planner->best_peak <= proven_lower_bound(planner) && !planner->engine->pooling &&
         !planner->engine->term_bound;
}

/*
 * Earlier work counts toward the limits.  Even if it has used them up, as on a busy machine,
 * some work is left for a plan.
 */
static void init_budget(neap_planner *planner) {
  double limit = (double)planner->options.value[OPTION_TIME_LIMIT] / OPTION_MILLIONTHS;
  uint64_t ticks = (uint64_t)planner->options.value[OPTION_MAX_TICKS];
  if (ticks > 0) ticks = ticks > planner->earlier_ticks ? ticks - planner->earlier_ticks : 1;
  double left = limit - planner->earlier_seconds, least = limit * PLANNER_TIME_SHARE;
  budget_init(&planner->budget, ticks, left > least ? left : least);
  planner->budget.started -= planner->earlier_seconds;
}

static neap_status init_planner(neap_planner *planner, const neap_problem *problem,
                                neap_error *error) {
  init_budget(planner);
  neap_status status = neap_problem_check(problem, error);
  if (status == NEAP_OK) status = find_bound(planner, problem, error);
  if (status != NEAP_OK) return status;
  planner->task.problem = problem;
  planner->task.options = &planner->options;
  planner->task.budget = &planner->budget;
  planner->engine = engine_for(problem, &planner->options);
  /* Padding and fixed offsets count in each pool separately. */
  if (planner->engine->pooling) planner->task.bound.lower_bound = planner->task.bound.bytes;
  assert(planner->engine && planner->task.bound.lower_bound >= planner->task.bound.bytes);
  planner->best_peak = planner->least.peak = NEAP_UNPLACED;
  status = check_options(planner, error);
  if (status != NEAP_OK) return status;
  planner->done = is_refuted(planner);
  planner->reason = NEAP_STOP_PROVEN;
  return planner->engine->start(&planner->task, &planner->state, error);
}

/* The search for `order` is a part of the run; NULL: none. */
static neap_status planner_new(const neap_problem *problem, const neap_options *options,
                               const neap_operator_order *order, neap_planner **planner,
                               neap_error *error) {
  neap_planner *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  if (order) made->earlier_ticks = order->ticks;
  if (order) made->earlier_seconds = order->seconds;
  if (options) made->options = *options;
  else option_table_set_defaults(&made->options);
  trace_planner(made, problem, &made->options);
  neap_status status = init_planner(made, problem, error);
  if (status == NEAP_OK) *planner = made;
  else neap_planner_free(made);
  return status;
}

neap_status neap_planner_new(const neap_problem *problem, const neap_options *options,
                             neap_planner **planner, neap_error *error) {
  return planner_new(problem, options, NULL, planner, error);
}

neap_status neap_planner_new_ordered(const neap_problem *problem, const neap_options *options,
                                     neap_planner **planner, neap_error *error) {
  return planner_new(problem, options, &problem->order, planner, error);
}

void neap_planner_free(neap_planner *planner) {
  if (!planner) return;
  trace_free(planner);
  if (planner->state) planner->engine->free(planner->state);
  for (size_t i = 0; i < planner->round_count; i++) {
    free((neap_offset *)planner->rounds[i].offsets);
    free((neap_move *)planner->rounds[i].moves);
  }
  free(planner->rounds);
  free(planner->failure);
  free(planner->settled);
  timeline_clear(&planner->timeline);
  sections_clear(&planner->sections);
  free(planner);
}

/* ---------------------------------------------------------------- watching */

static void report_progress(void *user) {
  neap_planner *planner = user;
  if (planner->budget.ticks < planner->next_progress) return;
  planner->next_progress = planner->budget.ticks + PLANNER_PROGRESS_EVERY;
  neap_progress progress = {.ticks = planner_ticks(planner),
                            .rounds = planner->round_count,
                            .restarts = planner->budget.restarts,
                            .bound = planner->task.bound.bytes,
                            .lower_bound = proven_lower_bound(planner),
                            .peak = planner->best_peak,
                            .seconds = budget_seconds(&planner->budget)};
  planner->on_progress(&progress, planner->progress_user);
}

void neap_planner_on_round(neap_planner *planner, neap_round_function *function, void *user) {
  planner->on_round = function;
  planner->round_user = user;
}

void neap_planner_on_progress(neap_planner *planner, neap_progress_function *function,
                              void *user) {
  planner->on_progress = function;
  planner->progress_user = user;
  planner->budget.watch = function ? report_progress : NULL;
  planner->budget.user = planner;
}

void neap_planner_cancel(neap_planner *planner) { budget_cancel(&planner->budget); }

/* ---------------------------------------------------------------- running */

static neap_stop_reason reason_of(enum budget_end end) {
  switch (end) {
  case BUDGET_TICKS:
    return NEAP_STOP_TICK_LIMIT;
  case BUDGET_TIME:
    return NEAP_STOP_TIME_LIMIT;
  case BUDGET_CANCELLED:
  case BUDGET_LEFT:
    break;
  }
  return NEAP_STOP_CANCELLED;
}

static void finish_run(neap_planner *planner, neap_stop_reason reason) {
  /* Engines stop at the lower bound, which may be above the bound. */
  if (reason == NEAP_STOP_BOUND && planner->best_peak > planner->task.bound.bytes)
    reason = NEAP_STOP_PROVEN;
  assert(!planner->done);
  planner->done = true;
  planner->reason = reason;
  planner->seconds = budget_seconds(&planner->budget);
}

static void measure_layout(neap_planner *planner, const neap_offset *offsets,
                           neap_round *round) {
  struct excess excess = {.peak = round->peak};
  if (!planner->engine->pooling)
    excess = excess_measure(planner->task.problem, offsets, planner->task.bound.lower_bound);
  if (planner->least.peak == NEAP_UNPLACED || excess_is_less(&excess, &planner->least))
    planner->least = excess;
  round->excess_area = excess.area;
  round->excess_count = excess.count;
}

/* With option keep-layouts, stores the layout and its moves in the round. */
static bool keep_layout(const neap_planner *planner, const neap_offset *from,
                        neap_round *round) {
  size_t count = planner->task.problem->count;
  neap_move *moves = NULL;
  /* Rounds do not record pools. */
  bool keeps = planner->options.value[OPTION_KEEP_LAYOUTS] && !planner->engine->pooling;
  round->offsets = NULL;
  if (keeps && !moves_copy(round->moves, round->move_count, &moves)) return false;
  round->moves = moves;
  if (!keeps) round->move_count = 0;
  if (!keeps) return true;
  neap_offset *kept = memory_array(count, sizeof *kept);
  if (!kept) free(moves);
  if (kept && count > 0) memcpy(kept, from, count * sizeof *kept);
  round->offsets = kept;
  return kept != NULL;
}

static neap_status record_round(neap_planner *planner, struct step *step, neap_error *error) {
  const struct engine *engine = planner->engine;
  const neap_offset *layout =
      engine->layout ? engine->layout(planner->state) : engine->best(planner->state);
  assert(layout);
  if (!memory_reserve(&planner->rounds, &planner->round_capacity, planner->round_count + 1,
                      sizeof *planner->rounds) ||
      !keep_layout(planner, layout, &step->round))
    return error_memory(error);
  measure_layout(planner, layout, &step->round);
  step->round.round = planner->round_count + 1;
  planner->rounds[planner->round_count] = step->round;
  planner->rounds[planner->round_count++].struct_size = sizeof(neap_round);
  if (planner->on_round) planner->on_round(&step->round, planner->round_user);
  return NEAP_OK;
}

/* Adds the present moment to the timeline if something has improved. */
static neap_status note_moment(neap_planner *planner, neap_error *error) {
  neap_moment now = {.struct_size = sizeof(neap_moment),
                     .seconds =
                         planner->done ? planner->seconds : budget_seconds(&planner->budget),
                     .ticks = planner_ticks(planner),
                     .rounds = planner->round_count,
                     .peak = planner->best_peak,
                     .excess_area = planner->least.area,
                     .lower_bound = proven_lower_bound(planner)};
  return timeline_add(&planner->timeline, &now, planner->done) ? NEAP_OK : error_memory(error);
}

static neap_status step_engine(neap_planner *planner, neap_error *error) {
  struct step step = {.stop = false};
  neap_status status = budget_look(&planner->budget)
                           ? planner->engine->step(planner->state, &step, error)
                           : NEAP_NO_PLAN;
  if (status == NEAP_NO_PLAN) finish_run(planner, reason_of(planner->budget.end));
  if (status != NEAP_OK) return status == NEAP_NO_PLAN ? NEAP_OK : status;
  /* The engine has finished its step, even if there is no memory to record the round. */
  if (step.has_round && step.round.improved) planner->best_peak = step.round.peak;
  if (step.has_round) status = record_round(planner, &step, error);
  if (step.stop) finish_run(planner, step.reason);
  else if (is_refuted(planner)) finish_run(planner, NEAP_STOP_PROVEN);
  else if (is_enough(planner))
    finish_run(planner, is_lowest(planner) ? NEAP_STOP_BOUND : NEAP_STOP_CAPACITY);
  return status;
}

/* NULL if memory runs out. */
static neap_offset *copy_best(const neap_planner *planner) {
  size_t count = planner->task.problem->count;
  const neap_offset *best = planner->settled ? planner->settled : planner_best(planner);
  neap_offset *offsets = memory_array(count, sizeof *offsets);
  if (offsets && count > 0) memcpy(offsets, best, count * sizeof *offsets);
  return offsets;
}

static neap_status pack_within(const neap_problem *problem, const neap_options *options,
                               struct budget *budget, neap_offset *offsets, neap_error *error) {
  return planner_pack(problem, &(struct packing){options, budget}, offsets, NULL, error);
}

/* Whether a lower peak may raise costs that the objective puts before the peak. */
static bool puts_costs_first(const neap_planner *planner) {
  neap_term order[NEAP_TERM_COUNT];
  neap_problem_objective(planner->task.problem, order);
  for (size_t i = 0; i < NEAP_TERM_COUNT && order[i] != NEAP_TERM_PEAK; i++)
    if (order[i] == NEAP_TERM_REUSE || order[i] == NEAP_TERM_MOVED)
      return planner->engine->term_bound != NULL;
  return false;
}

/*
 * If the runtime places some buffers itself, spends the rest of the budget on layouts around
 * these.
 */
static neap_status surround_best(neap_planner *planner, neap_error *error) {
  const struct task *task = &planner->task;
  if (task->problem->runtime.names.count == 0 || !planner_best(planner)) return NEAP_OK;
  if (!is_settled_later(planner)) return NEAP_OK;
  if (puts_costs_first(planner)) return NEAP_OK;
  neap_offset *offsets = copy_best(planner);
  if (!offsets) return error_memory(error);
  struct surrounding surrounding = {.problem = task->problem,
                                    .options = &planner->options,
                                    .budget = &planner->budget,
                                    .pack = pack_within,
                                    .goal = proven_lower_bound(planner)};
  neap_status status = surround(&surrounding, offsets, error);
  bool is_cut = planner->budget.end != BUDGET_LEFT &&
                (status != NEAP_OK || problem_peak(task->problem, offsets) > surrounding.goal);
  if (is_cut) planner->reason = reason_of(planner->budget.end);
  if (status == NEAP_OK) planner->settled = offsets;
  else free(offsets);
  planner->seconds = budget_seconds(&planner->budget);
  return status;
}

static neap_status step_and_note(neap_planner *planner, neap_error *error) {
  neap_status status = planner->timeline.count == 0 ? note_moment(planner, error) : NEAP_OK;
  if (status == NEAP_OK) status = step_engine(planner, error);
  if (status == NEAP_OK && planner->done && budget_look(&planner->budget))
    status = surround_best(planner, error);
  return status == NEAP_OK ? note_moment(planner, error) : status;
}

static void keep_failure(neap_planner *planner, const neap_error *failure) {
  planner->has_failed = true;
  planner->failure = memory_array(1, sizeof *failure);
  if (planner->failure) *planner->failure = *failure;
}

/*
 * After a failed step, further steps return the same error, and only the best plan can be used.
 */
neap_status neap_planner_step(neap_planner *planner, bool *done, neap_error *error) {
  if (!planner->has_failed && !planner->done) {
    neap_error failure;
    failure.status = NEAP_OK;
    trace_step_begin(planner);
    neap_status status = step_and_note(planner, &failure);
    trace_step_end();
    assert(failure.status == status || status == NEAP_OK);
    if (status != NEAP_OK) keep_failure(planner, &failure);
  }
  *done = planner->done;
  if (!planner->has_failed) return NEAP_OK;
  return planner->failure ? error_copy(error, planner->failure) : error_memory(error);
}

/* ---------------------------------------------------------------- results */

/* Describes what ended the run too early, and how to avoid it. */
static const char *early_end(const neap_planner *planner) {
  switch (planner->done ? planner->reason : NEAP_STOP_CANCELLED) {
  case NEAP_STOP_TICK_LIMIT:
    return budget_end_text(BUDGET_TICKS);
  case NEAP_STOP_TIME_LIMIT:
    return budget_end_text(BUDGET_TIME);
  case NEAP_STOP_FIXED_POINT:
  case NEAP_STOP_ITERATION_CAP:
  case NEAP_STOP_COMPLETE:
    return "no sorted order has room for all buffers within their limits; try option engine "
           "exact";
  default:
    return budget_end_text(BUDGET_CANCELLED);
  }
}

static neap_status check_capacity(const neap_planner *planner, neap_error *error) {
  neap_size capacity = planner->options.value[OPTION_CAPACITY];
  neap_size lower_bound = proven_lower_bound(planner);
  if (lower_bound == NEAP_MAX && !planner->engine->best(planner->state))
    return error_set(error, NEAP_INFEASIBLE,
                     "no plan keeps all relations, windows and reserved bytes");
  if (is_refuted(planner))
    return error_set(error, NEAP_INFEASIBLE,
                     "no plan can fit the capacity of %" PRId64 " bytes: at least %" PRId64
                     " are needed",
                     capacity, lower_bound);
  if (!planner->engine->best(planner->state) && planner->engine->refusal &&
      planner->engine->refusal(planner->state)->status != NEAP_OK)
    return error_copy(error, planner->engine->refusal(planner->state));
  if (!planner->engine->best(planner->state))
    return error_set(error, NEAP_NO_PLAN, "%s", early_end(planner));
  if (capacity >= 0 && planner->best_peak > capacity)
    return error_set(error, NEAP_NO_PLAN,
                     "no plan within the capacity of %" PRId64
                     " bytes was found: the best needs %" PRId64 ", and at least %" PRId64
                     " are needed%s",
                     capacity, planner->best_peak, lower_bound,
                     planner->options.value[OPTION_UNTIL_FITS]
                         ? ""
                         : "; option until-fits searches for any plan that fits");
  return NEAP_OK;
}

const neap_offset *planner_best(const neap_planner *planner) {
  return planner->engine->best(planner->state);
}

neap_size planner_lower_bound(const neap_planner *planner) {
  return proven_lower_bound(planner);
}

neap_size planner_term_bound(const neap_planner *planner, neap_term term) {
  bool knows = planner->engine->term_bound && planner->state;
  return knows ? planner->engine->term_bound(planner->state, term) : 0;
}

uint64_t planner_ticks(const neap_planner *planner) {
  return planner->earlier_ticks + planner->budget.ticks;
}

neap_stop_reason planner_reason(const neap_planner *planner) {
  return planner->done ? planner->reason : NEAP_STOP_CANCELLED;
}

neap_status planner_verdict(const neap_planner *planner, neap_error *error) {
  return check_capacity(planner, error);
}

static neap_status complete_plan(const neap_planner *planner, neap_plan *plan,
                                 neap_error *error) {
  neap_size proven = proven_lower_bound(planner);
  /* The engine's bound does not hold if the runtime pays costs that come before the peak. */
  bool is_below = is_settled_later(planner) && plan->report.peak < proven;
  neap_history history = {
      .struct_size = sizeof(neap_history),
      .engine = engine_info((size_t)planner->options.value[OPTION_ENGINE])->name,
      .lower_bound = is_below ? planner->task.bound.lower_bound : proven,
      .reuse_cost_lower_bound = planner_term_bound(planner, NEAP_TERM_REUSE),
      .moved_lower_bound = planner_term_bound(planner, NEAP_TERM_MOVED),
      .stop_reason = planner->done ? planner->reason : NEAP_STOP_CANCELLED,
      .rounds = planner->round_count,
      .seed = (uint64_t)planner->options.value[OPTION_SEED],
      .seconds = planner->done ? planner->seconds : budget_seconds(&planner->budget),
      .round_list = planner->rounds,
      .round_count = planner->round_count,
      .moments = planner->timeline.moments,
      .moment_count = planner->timeline.count,
  };
  const struct engine *engine = planner->engine;
  bool has_bound =
      history.stop_reason == NEAP_STOP_BOUND || history.stop_reason == NEAP_STOP_PROVEN;
  /* The runtime places a buffer elsewhere than the engine did. */
  if (has_bound && (is_below || plan->report.peak > planner->best_peak))
    history.stop_reason = NEAP_STOP_RUNTIME;
  if (has_bound && planner->task.problem->missing.count > 0)
    history.stop_reason = NEAP_STOP_INCOMPLETE;
  const struct objects *objects = engine->objects ? engine->objects(planner->state) : NULL;
  neap_status status = neap_plan_set_history(plan, &history, error);
  if (status == NEAP_OK && objects)
    status = neap_plan_set_objects(plan, objects->of, objects->sizes, objects->count, error);
  const struct pooling *pooling = engine->pooling ? engine->pooling(planner->state) : NULL;
  if (status == NEAP_OK && pooling) status = plan_set_pooling(plan, pooling, error);
  neap_size capacity = planner->options.value[OPTION_CAPACITY];
  if (status == NEAP_OK) status = neap_plan_set_capacity(plan, capacity, error);
  return status == NEAP_OK ? neap_plan_verify(plan, capacity, error) : status;
}

/* Places the buffers that the runtime places itself, which may then end higher than planned. */
static neap_status settle(const neap_planner *planner, neap_offset *offsets, bool *is_own,
                          neap_error *error) {
  const struct neap_problem *problem = planner->task.problem;
  neap_size capacity = planner->options.value[OPTION_CAPACITY];
  size_t count;
  *is_own = false;
  if (!is_settled_later(planner)) return NEAP_OK;
  neap_status status = online_settle(problem, offsets, &count, error);
  if (status == NEAP_OK && problem->target)
    status = online_compare(problem, offsets, is_own, error);
  if (status != NEAP_OK || count == 0 || capacity < 0) return status;
  neap_size peak = problem_peak(problem, offsets);
  if (peak <= capacity) return NEAP_OK;
  return error_set(error, NEAP_NO_PLAN,
                   "no plan within the capacity of %" PRId64
                   " bytes was found: with the buffers that the runtime places itself, the "
                   "best needs "
                   "%" PRId64,
                   capacity, peak);
}

/* Copies the best offsets, settled, to new memory; *offsets is NULL on failure. */
static neap_status settled_offsets(const neap_planner *planner, neap_offset **offsets,
                                   bool *is_own, neap_error *error) {
  neap_status status = check_capacity(planner, error);
  if (status != NEAP_OK) return status;
  neap_offset *made = copy_best(planner);
  if (!made) return error_memory(error);
  status = settle(planner, made, is_own, error);
  if (status == NEAP_OK) *offsets = made;
  else free(made);
  return status;
}

/* Reports whether the layout is the runtime's own, and the planned peak if it is lower. */
static void note_runtimes(const neap_planner *planner, neap_plan *plan, bool is_own) {
  neap_report *report = &plan->report;
  report->is_runtimes_own = is_own;
  if (plan->problem->runtime.names.count > 0 && planner->best_peak >= 0 &&
      planner->best_peak < report->peak)
    report->free_peak = planner->best_peak;
}

neap_status neap_planner_plan(const neap_planner *planner, neap_plan **plan,
                              neap_error *error) {
  neap_plan *made = NULL;
  neap_offset *offsets = NULL;
  bool is_own;
  trace_plan(planner);
  neap_status status = settled_offsets(planner, &offsets, &is_own, error);
  if (status != NEAP_OK) return status;
  status = neap_plan_new(planner->task.problem, offsets, &made, error);
  free(offsets);
  if (status == NEAP_OK) note_runtimes(planner, made, is_own);
  if (status == NEAP_OK) status = complete_plan(planner, made, error);
  if (status == NEAP_OK) *plan = made;
  else neap_plan_free(made);
  return status;
}

/*
 * Runs a new planner to its end, within a budget or without one (NULL).  The caller frees the
 * planner even on failure.
 */
static neap_status run_planner(const neap_problem *problem, const neap_options *options,
                               struct budget *whole, neap_planner **planner,
                               neap_error *error) {
  *planner = NULL;
  neap_status status = neap_planner_new(problem, options, planner, error);
  if (status == NEAP_OK && whole)
    budget_init_within(&(*planner)->budget, whole, (*planner)->budget.max_ticks);
  for (bool done = false; status == NEAP_OK && !done;)
    status = neap_planner_step(*planner, &done, error);
  return status;
}

neap_status neap_solve(const neap_problem *problem, const neap_options *options,
                       neap_plan **plan, neap_error *error) {
  neap_planner *planner;
  neap_status status = run_planner(problem, options, NULL, &planner, error);
  if (status == NEAP_OK) status = neap_planner_plan(planner, plan, error);
  neap_planner_free(planner);
  return status;
}

/* Makes a verified plan of the best offsets, without a report. */
static neap_status verified_outline(const neap_planner *planner, neap_plan **plan,
                                    neap_error *error) {
  neap_offset *offsets = NULL;
  bool is_own;
  trace_plan(planner);
  neap_status status = settled_offsets(planner, &offsets, &is_own, error);
  if (status != NEAP_OK) return status;
  status = plan_outline(planner->task.problem, offsets, plan, error);
  free(offsets);
  return status == NEAP_OK
             ? neap_plan_verify(*plan, planner->options.value[OPTION_CAPACITY], error)
             : status;
}

neap_status planner_pack(const neap_problem *problem, const struct packing *packing,
                         neap_offset *offsets, neap_size *peak, neap_error *error) {
  neap_planner *planner;
  neap_plan *plan = NULL;
  neap_status status = run_planner(problem, packing->options, packing->budget, &planner, error);
  assert(status != NEAP_OK || (!planner->engine->objects && !planner->engine->pooling));
  if (status == NEAP_OK) status = verified_outline(planner, &plan, error);
  neap_planner_free(planner);
  if (status == NEAP_OK && problem->count > 0)
    memcpy(offsets, plan->offsets, problem->count * sizeof *offsets);
  if (status == NEAP_OK && peak) *peak = plan->report.peak;
  neap_plan_free(plan);
  return status;
}
