/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recomputation: operators that run again, so that the bytes of what they make are free in between.
 *
 * The best order comes first.  If it fits the capacity, no operator runs again, which is proven to be the least
 * time.  Otherwise, least cuts prove how much time is needed at least, and a local search finds runs.  Without a
 * capacity, the search lowers it step by step, as long as it finds runs within the time.
 */
#include <assert.h>
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/sized.h"
#include "model/graph.h"
#include "recompute/least.h"
#include "recompute/recomputer.h"
#include "recompute/runs.h"
#include "recompute/unroll.h"

#define SECONDS_DEFAULT 5
#define MILLIONTHS 1000000

struct recompute {
  neap_graph *graph;
  const neap_scheduling *scheduling;
  const neap_liveness *options;
  struct runs_model model;
  struct runs_profile profile;
  struct runs runs;
  struct budget budget;
  neap_size bound;   /* of the graph */
  int64_t most_time; /* for all runs */
  int64_t least;     /* proven: for all runs */
};

/* ---------------------------------------------------------------- the order */

/* Stops the search for an order that fits, because no better order takes less time. */
static bool watch_order(const neap_order_progress *progress, void *user) {
  const neap_scheduling *scheduling = user;
  bool goes_on = !scheduling->progress || scheduling->progress(progress, scheduling->user);
  return goes_on && !(scheduling->capacity > 0 && progress->bound <= scheduling->capacity);
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

/* Takes a part of the time and of the ticks. */
static neap_status find_order(struct recompute *recompute, neap_error *error) {
  const neap_scheduling *given = recompute->scheduling;
  bool has_limit = given->time_limit > 0 || given->max_ticks > 0;
  double seconds = has_limit ? given->time_limit : SECONDS_DEFAULT;
  const neap_scheduling order = {.schedule = NEAP_SCHEDULE_OPTIMAL,
                                 .time_limit = seconds * RECOMPUTE_ORDER_SHARE,
                                 .max_ticks = given->max_ticks / 2,
                                 .memory_limit = given->memory_limit,
                                 .progress = watch_order,
                                 .user = (void *)given};
  budget_init(&recompute->budget, given->max_ticks - order.max_ticks, seconds);
  neap_status status = neap_graph_reorder(recompute->graph, &order, recompute->options, error);
  return status == NEAP_OK ? find_bound(recompute, error) : status;
}

/* ---------------------------------------------------------------- the budget */

/* Shows the bound so far; there is no lower bound for runs. */
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

/* A part of what is left of the budget. */
static void take_part(struct recompute *recompute, double share, struct budget *part) {
  struct budget *whole = &recompute->budget;
  uint64_t left = whole->max_ticks - whole->ticks;
  budget_init_within(part, whole,
                     whole->max_ticks > 0 ? (uint64_t)((double)left * share) + 1 : 0);
  if (whole->deadline > 0)
    part->deadline = part->started + (whole->deadline - part->started) * share;
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

/* Proves how much time is needed within the capacity; not before the order has been found not to fit. */
static neap_status prove(struct recompute *recompute, neap_error *error) {
  struct budget part;
  int64_t extra = 0;
  take_part(recompute, RECOMPUTE_PROOF_SHARE, &part);
  neap_status status = measure(recompute, error);
  if (status == NEAP_OK)
    status = least_extra(&recompute->model, recompute->scheduling->capacity, &recompute->runs,
                         &recompute->profile, &part, &extra, error);
  budget_look(&part);
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

/* Lowers the peak step by step, and the step whenever no runs are found. */
static neap_status lower_peak(struct recompute *recompute, neap_error *error) {
  neap_status status = measure(recompute, error);
  neap_size step = recompute->profile.peak / 8;
  while (status == NEAP_OK && step > 0 && recompute->profile.peak > step &&
         budget_look(&recompute->budget)) {
    neap_size goal = recompute->profile.peak - step;
    status = find_runs(recompute, goal, recompute->most_time, RECOMPUTE_STEP_SHARE, error);
    if (recompute->profile.peak > goal) step /= 2;
  }
  return status;
}

static neap_status search(struct recompute *recompute, neap_error *error) {
  if (recompute->scheduling->capacity == 0) return lower_peak(recompute, error);
  neap_status status = prove(recompute, error);
  if (status != NEAP_OK || recompute->least > recompute->most_time) return status;
  return find_runs(recompute, recompute->scheduling->capacity, recompute->least, 1, error);
}

/* ---------------------------------------------------------------- the whole */

static void note_times(const struct recompute *recompute, int64_t time) {
  recompute->graph->times = (struct graph_times){time, recompute->model.once, recompute->least};
}

/* Makes the runs the graph's operators, unless they are just those of the order. */
static neap_status apply(struct recompute *recompute, neap_error *error) {
  neap_status status = measure(recompute, error);
  int64_t time = recompute->profile.time;
  if (status == NEAP_OK)
    status = unroll_graph(recompute->graph, &recompute->runs, recompute->bound, error);
  if (status == NEAP_OK) note_times(recompute, time);
  return status;
}

static neap_status run(struct recompute *recompute, neap_error *error) {
  neap_size capacity = recompute->scheduling->capacity;
  neap_status status = find_order(recompute, error);
  if (status == NEAP_OK) status = begin_runs(recompute, error);
  if (status != NEAP_OK) return status;
  if (capacity > 0 && recompute->bound <= capacity) {
    note_times(recompute, recompute->model.once);
    return NEAP_OK;
  }
  if (recompute->scheduling->progress) {
    recompute->budget.watch = watch;
    recompute->budget.user = recompute;
  }
  status = search(recompute, error);
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

neap_status neap_graph_recompute(neap_graph *graph, const neap_scheduling *scheduling,
                                 const neap_liveness *options, neap_error *error) {
  static const neap_liveness defaults = {0};
  struct recompute recompute = {
      .graph = graph, .scheduling = scheduling, .options = options ? options : &defaults};
  neap_status status = check(scheduling, error);
  if (status != NEAP_OK) return status;
  status = run(&recompute, error);
  if (status == NEAP_OK) graph->order_seconds = budget_seconds(&recompute.budget);
  runs_model_clear(&recompute.model);
  runs_profile_clear(&recompute.profile);
  runs_clear(&recompute.runs);
  return status;
}
