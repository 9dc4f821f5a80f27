/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recomputation runs operators again instead of keeping their outputs.
 *
 * The best order comes first.  If it fits the capacity, no operator runs again, which takes the
 * least time.  Otherwise, minimum cuts prove a lower bound on the time, and a local search finds
 * runs.  Without a capacity, the search sets one and lowers it step by step, as long as it finds
 * runs within the time limit.  The same cuts then prove which capacities need more time.
 *
 * A layout may exceed the bound, and so the capacity.  Both searches therefore have a goal for
 * the bound.  It begins at the capacity, and falls by the bytes by which a layout exceeds the
 * capacity.  Once a layout fits, the goal goes halfway back up to the lowest goal that missed,
 * because a higher goal takes less time.
 */
#include "recompute/recompute.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/sized.h"
#include "model/graph.h"
#include "model/unroll.h"
#include "recompute/runs.h"

#define SECONDS_DEFAULT 5
#define MILLIONTHS 1000000
#define ORDER_TRIES 4 /* orders whose layouts miss the capacity */

struct recompute {
  neap_graph *graph;
  const struct recompute_layouts *layouts;
  const neap_scheduling *scheduling;
  const neap_liveness *options;
  struct runs_model model;
  struct runs_profile profile;
  struct runs runs;
  struct budget budget;
  neap_size bound;   /* of the graph */
  neap_size goal;    /* a bound for which the layout should fit the capacity */
  neap_graph *best;  /* the graph with the best layout so far; NULL: none has been laid out */
  neap_size best_peak;
  int64_t most_time;    /* limit on the time of all runs */
  int64_t least;        /* proven lower bound on that time */
  neap_size least_peak; /* proven lower bound on the peak within most_time; 0: none */
};

/* ---------------------------------------------------------------- the order */

/* Stops the search for an order that fits, because no better order takes less time. */
static bool watch_order(const neap_order_progress *progress, void *user) {
  const struct recompute *recompute = user;
  const neap_scheduling *scheduling = recompute->scheduling;
  bool goes_on = !scheduling->progress || scheduling->progress(progress, scheduling->user);
  return goes_on && progress->bound > recompute->goal;
}

static neap_status find_bound(struct recompute *recompute, neap_error *error) {
  neap_problem *problem;
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status =
      neap_graph_to_problem(recompute->graph, recompute->options, &problem, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_bound(problem, &bound, error);
  neap_problem_free(problem);
  recompute->bound = bound.bytes;
  return status;
}

/* Takes a part of the time that is left. */
static neap_status find_order(struct recompute *recompute, uint64_t ticks, neap_error *error) {
  const neap_scheduling *given = recompute->scheduling;
  const struct budget *budget = &recompute->budget;
  double left = budget->deadline - budget->started - budget_seconds(budget);
  double seconds = left * RECOMPUTE_ORDER_SHARE;
  const neap_scheduling order = {.schedule = NEAP_SCHEDULE_OPTIMAL,
                                 .time_limit = budget->deadline > 0 ? fmax(seconds, 1e-3) : 0,
                                 .max_ticks = ticks,
                                 .memory_limit = given->memory_limit,
                                 .progress = watch_order,
                                 .user = recompute};
  neap_status status = neap_graph_reorder(recompute->graph, &order, recompute->options, error);
  return status == NEAP_OK ? find_bound(recompute, error) : status;
}

/* ---------------------------------------------------------------- the budget */

/* Shows the bound so far, with 0 as the lower bound, which runs lack; stops if told to. */
static void watch(void *user) {
  struct recompute *recompute = user;
  const neap_scheduling *scheduling = recompute->scheduling;
  struct budget *budget = &recompute->budget;
  const neap_order_progress progress = {recompute->bound, 0, budget->ticks,
                                        budget_seconds(budget), NEAP_UNPLACED};
  if (budget->end == BUDGET_LEFT && !atomic_load(&budget->cancelled) &&
      !scheduling->progress(&progress, scheduling->user))
    budget_cancel(budget);
}

/* Takes a part of the budget that is left. */
static void take_part(struct recompute *recompute, double share, struct budget *part) {
  struct budget *whole = &recompute->budget;
  uint64_t left = whole->max_ticks - whole->ticks;
  budget_init_within(part, whole,
                     whole->max_ticks > 0 ? (uint64_t)((double)left * share) + 1 : 0);
  if (whole->deadline > 0)
    part->deadline = part->started + (whole->deadline - part->started) * share;
}

/* ---------------------------------------------------------------- layouts */

static bool fits(const struct recompute *recompute) {
  return recompute->best && recompute->best_peak <= recompute->scheduling->capacity;
}

/*
 * Takes ownership of a graph and lays it out.  Keeps the graph with the best layout: the one
 * that takes the least time if any fits the capacity, otherwise the lowest.
 */
static neap_status lay_out(struct recompute *recompute, neap_graph *graph, neap_size *peak,
                           neap_error *error) {
  const struct recompute_layouts *layouts = recompute->layouts;
  neap_status status = layouts->plan(layouts->state, graph, &recompute->budget, peak, error);
  bool is_fit = *peak <= recompute->scheduling->capacity;
  bool is_better = !recompute->best ||
                   (fits(recompute) ? is_fit && graph->times.time < recompute->best->times.time
                                    : *peak < recompute->best_peak);
  if (status == NEAP_OK && is_better) {
    neap_graph *worse = recompute->best;
    recompute->best = graph;
    recompute->best_peak = *peak;
    graph = worse;
  }
  neap_graph_free(graph);
  return status;
}

/* Lowers the goal by the bytes by which a layout exceeds the capacity; false if no goal is left. */
static bool lower_goal(struct recompute *recompute, neap_size peak) {
  neap_size miss = peak - recompute->scheduling->capacity;
  if (peak == NEAP_MAX || miss >= recompute->goal) return false;
  recompute->goal -= miss;
  return true;
}

/* Looks for an order whose layout fits the capacity. */
static neap_status fit_order(struct recompute *recompute, neap_error *error) {
  uint64_t ticks = recompute->scheduling->max_ticks;
  neap_status status = find_order(recompute, ticks > 0 ? ticks / 4 + 1 : 0, error);
  for (int tries = 0; status == NEAP_OK && recompute->bound <= recompute->goal; tries++) {
    neap_size peak = NEAP_MAX;
    neap_graph *copy = neap_graph_copy(recompute->graph);
    status = copy ? lay_out(recompute, copy, &peak, error) : error_memory(error);
    if (status != NEAP_OK || fits(recompute) || tries == ORDER_TRIES ||
        !lower_goal(recompute, peak) || !budget_look(&recompute->budget))
      break;
    status = find_order(recompute, ticks > 0 ? ticks / 16 + 1 : 0, error);
  }
  return status;
}

/* ---------------------------------------------------------------- the runs */

static neap_status begin_runs(struct recompute *recompute, neap_error *error) {
  neap_status status =
      runs_model_init(&recompute->model, recompute->graph, recompute->options, error);
  if (status != NEAP_OK) return status;
  if (!runs_profile_init(&recompute->profile, &recompute->model)) return error_memory(error);
  for (size_t k = 0; k < recompute->graph->operator_count; k++)
    if (!runs_insert(&recompute->runs, k, k)) return error_memory(error);
  int64_t once = recompute->model.once;
  double factor = (double)recompute->scheduling->most_time / MILLIONTHS;
  recompute->least = once;
  recompute->most_time = INT64_MAX / 2;
  if (factor > 0 && factor * (double)once < (double)recompute->most_time)
    recompute->most_time = (int64_t)(factor * (double)once);
  return NEAP_OK;
}

static neap_status measure(struct recompute *recompute, neap_error *error) {
  enum runs_fault fault = runs_measure(&recompute->model, &recompute->runs,
                                       recompute->scheduling->capacity, &recompute->profile);
  assert(fault != RUNS_UNREADY);
  return fault == RUNS_SOUND ? NEAP_OK : error_memory(error);
}

/* Raises *extra to a time that a capacity needs; stops once *extra exceeds `enough`. */
static neap_status prove_extra(struct recompute *recompute, neap_size capacity, int64_t enough,
                               double share, int64_t *extra, neap_error *error) {
  struct budget part;
  const struct least_task task = {.model = &recompute->model,
                                  .runs = &recompute->runs,
                                  .profile = &recompute->profile,
                                  .capacity = capacity,
                                  .enough = enough};
  take_part(recompute, share, &part);
  neap_status status = least_extra(&task, &part, extra, error);
  budget_look(&part);
  return status;
}

/* Proves the time that the capacity needs, once the best order is known not to fit. */
static neap_status prove(struct recompute *recompute, neap_error *error) {
  int64_t extra = 0;
  neap_status status = measure(recompute, error);
  if (status == NEAP_OK)
    status = prove_extra(recompute, recompute->scheduling->capacity, INT64_MAX - 1,
                         RECOMPUTE_PROOF_SHARE, &extra, error);
  if (status == NEAP_OK) recompute->least += smaller_of(extra, INT64_MAX - recompute->least);
  return status;
}

static neap_status find_runs(struct recompute *recompute, neap_size capacity, int64_t enough,
                             double share, neap_error *error) {
  struct budget part;
  take_part(recompute, share, &part);
  const struct recomputer_task task = {.model = &recompute->model,
                                       .capacity = capacity,
                                       .most_time = recompute->most_time,
                                       .least_time = enough,
                                       .budget = &part};
  neap_status status = recomputer_run(&task, &recompute->runs, error);
  budget_look(&part);
  return status == NEAP_OK ? measure(recompute, error) : status;
}

#define PROOFS_MOST 12 /* proofs that a capacity needs too much time */

/* Proves a lower bound on the peak within the time, by bisection. */
static neap_status prove_peak(struct recompute *recompute, neap_error *error) {
  const int64_t allowed = recompute->most_time - recompute->model.once;
  neap_size high = recompute->bound;
  neap_status status = least_peak(&recompute->model, &recompute->least_peak, error);
  for (int i = 0; i < PROOFS_MOST && status == NEAP_OK && recompute->least_peak < high &&
                  budget_look(&recompute->budget);
       i++) {
    neap_size middle = recompute->least_peak + (high - recompute->least_peak) / 2;
    int64_t extra = 0;
    status = prove_extra(recompute, middle, allowed, RECOMPUTE_PROOF_SHARE / PROOFS_MOST,
                         &extra, error);
    if (extra > allowed) recompute->least_peak = middle + 1;
    else high = middle;
  }
  return status;
}

/* Lowers the peak step by step, and halves the step whenever no runs are found. */
static neap_status lower_peak(struct recompute *recompute, neap_error *error) {
  neap_status status = measure(recompute, error);
  if (status == NEAP_OK) status = prove_peak(recompute, error);
  neap_size step = recompute->profile.peak / 8;
  while (status == NEAP_OK && step > 0 && recompute->profile.peak > recompute->least_peak &&
         recompute->profile.peak > step && budget_look(&recompute->budget)) {
    neap_size goal = larger_of(recompute->profile.peak - step, recompute->least_peak);
    status = find_runs(recompute, goal, recompute->most_time, RECOMPUTE_STEP_SHARE, error);
    if (recompute->profile.peak > goal) step /= 2;
  }
  return status;
}

/* A copy of the graph with an operator for each run. */
static neap_status unroll(const struct recompute *recompute, neap_graph **copy,
                          neap_error *error) {
  *copy = neap_graph_copy(recompute->graph);
  if (!*copy) return error_memory(error);
  neap_status status = unroll_graph(*copy, recompute->runs.items, recompute->runs.count,
                                    recompute->bound, error);
  if (status == NEAP_OK) (*copy)->times.time = recompute->profile.time;
  else neap_graph_free(*copy);
  return status;
}

/*
 * Sets the goal between `fit`, whose layout fits or for which there are no runs, and the lowest
 * goal that missed.
 */
static void raise_goal(struct recompute *recompute, neap_size fit, neap_size missed) {
  recompute->goal = fit + (missed - fit) / 2;
}

/* Finds runs for goals until the budget ends or the least time is reached. */
static neap_status fit_runs(struct recompute *recompute, neap_error *error) {
  neap_size fit = 0, missed = recompute->scheduling->capacity + 1;
  neap_status status = NEAP_OK;
  for (size_t left = RECOMPUTE_GOALS; left > 0 && status == NEAP_OK; left--) {
    neap_size peak = NEAP_MAX;
    neap_graph *copy;
    status = find_runs(recompute, recompute->goal, recompute->least, 1 / (double)left, error);
    if (status != NEAP_OK) return status;
    if (recompute->profile.peak <= recompute->goal) {
      status = unroll(recompute, &copy, error);
      if (status == NEAP_OK) status = lay_out(recompute, copy, &peak, error);
      if (fits(recompute) && recompute->best->times.time <= recompute->least) return status;
    }
    if (peak != NEAP_MAX && peak > recompute->scheduling->capacity) {
      missed = smaller_of(missed, recompute->goal);
      if (!lower_goal(recompute, peak) || recompute->goal <= fit)
        raise_goal(recompute, fit, missed);
    } else {
      fit = larger_of(fit, recompute->goal);
      raise_goal(recompute, fit, missed);
    }
    if (!budget_look(&recompute->budget)) return status;
  }
  return status;
}

static neap_status search(struct recompute *recompute, neap_error *error) {
  if (recompute->scheduling->capacity == 0) return lower_peak(recompute, error);
  neap_status status = prove(recompute, error);
  if (status != NEAP_OK || recompute->least > recompute->most_time) return status;
  return fit_runs(recompute, error);
}

/* ---------------------------------------------------------------- the whole */

/*
 * Replaces the graph by the best one, or by the graph of the runs if no graph has been laid
 * out.
 */
static neap_status apply(struct recompute *recompute, neap_error *error) {
  neap_status status = NEAP_OK;
  if (!recompute->best) {
    status = measure(recompute, error);
    if (status == NEAP_OK) status = unroll(recompute, &recompute->best, error);
    if (status != NEAP_OK) recompute->best = NULL;
  }
  if (status != NEAP_OK) return status;
  struct neap_graph worse = *recompute->graph;
  *recompute->graph = *recompute->best;
  *recompute->best = worse;
  struct graph_times *times = &recompute->graph->times;
  times->once = recompute->model.once;
  times->time = larger_of(times->time, times->once);
  times->least = recompute->least;
  times->unit = graph_time_unit(recompute->best);
  return recompute->least_peak > 0
             ? graph_prove(recompute->graph, recompute->options, recompute->least_peak, error)
             : NEAP_OK;
}

static neap_status run(struct recompute *recompute, neap_error *error) {
  const neap_scheduling *scheduling = recompute->scheduling;
  uint64_t ticks = scheduling->max_ticks;
  bool has_limit = scheduling->time_limit > 0 || ticks > 0;
  budget_init(&recompute->budget, ticks > 0 ? ticks - ticks / 2 : 0,
              has_limit ? scheduling->time_limit : SECONDS_DEFAULT);
  if (scheduling->progress) {
    recompute->budget.watch = watch;
    recompute->budget.user = recompute;
  }
  neap_status status = fit_order(recompute, error);
  if (status == NEAP_OK) status = begin_runs(recompute, error);
  if (status == NEAP_OK && !fits(recompute)) status = search(recompute, error);
  return status == NEAP_OK ? apply(recompute, error) : status;
}

static neap_status check(const neap_scheduling *scheduling, neap_error *error) {
  if (scheduling->capacity < 0 || scheduling->most_time < 0 ||
      (scheduling->capacity == 0 && scheduling->most_time == 0))
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "neap_scheduling.recompute needs neap_scheduling.capacity or "
                     "neap_scheduling.most_time");
  return SIZED_CHECK_RESERVED(scheduling->reserved, "neap_scheduling", error);
}

neap_status recompute_graph(neap_graph *graph, const neap_scheduling *scheduling,
                            const neap_liveness *options,
                            const struct recompute_layouts *layouts, neap_error *error) {
  struct recompute recompute = {.graph = graph,
                                .layouts = layouts,
                                .scheduling = scheduling,
                                .options = options,
                                .goal = scheduling->capacity};
  neap_status status = check(scheduling, error);
  if (status != NEAP_OK) return status;
  status = run(&recompute, error);
  if (status == NEAP_OK) graph->order_seconds = budget_seconds(&recompute.budget);
  neap_graph_free(recompute.best);
  runs_model_clear(&recompute.model);
  runs_profile_clear(&recompute.profile);
  runs_clear(&recompute.runs);
  return status;
}
