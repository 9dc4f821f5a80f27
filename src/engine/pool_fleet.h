/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans all pools, in turns or in threads. */
#ifndef ENGINE_POOL_FLEET_H
#define ENGINE_POOL_FLEET_H

#include "core/budget.h"
#include "engine/options.h"
#include "facts/subset.h"
#include "neap/planner.h"
#include "neap/relations.h"
#include "pools/pool_planner.h"

/* ---------------------------------------------------------------- pool run */

/*
 * Plans the buffers of one pool: first until they fit its capacity, then until the peak is
 * proven lowest.  Each phase is a run of a planner, so every engine that plans problems without
 * pools also plans pools.
 */

enum pool_phase { POOL_FIT, POOL_LOWER, POOL_OVER };

struct pool_run {
  struct pool_task task;
  struct subset subset;
  struct neap_options options;
  neap_planner *planner; /* of the present phase; NULL before its first step */
  uint64_t planner_ticks, ticks;
  enum pool_phase phase;
  neap_size capacity;      /* -1: none */
  neap_offset *offsets;    /* of the subset's buffers, within the capacity, once `has_layout` */
  bool has_layout, is_new; /* is_new: since the caller last set it to false */
  neap_size peak, lower_bound;           /* the peak once `has_layout` */
  neap_size term_bound[NEAP_TERM_COUNT]; /* lower bounds on the cost of reuse and moves */
  bool has_costs;          /* a single phase finds a layout that fits, and lowers its cost */
  neap_stop_reason reason; /* valid once over */
  neap_error refusal;      /* once over without a layout: infeasible or no plan, and why */
};

/* All that the task and the options point to must outlive the run. */
neap_status pool_run_init(struct pool_run *run, const struct pool_task *task,
                          const struct neap_options *options, neap_error *error);
void pool_run_clear(struct pool_run *run);

/* Starts from a layout that fits: one offset per buffer of the problem. */
void pool_run_adopt(struct pool_run *run, const neap_offset *offsets);

/* Makes one step of the planner, unless the run is over. */
neap_status pool_run_step(struct pool_run *run, neap_error *error);

/* The whole run in one call: the `plan` of a pool_planner; `options` are the neap_options. */
neap_status pool_run_whole(const void *options, const struct pool_task *task,
                           neap_offset *offsets, struct pool_outcome *outcome,
                           neap_error *error);

/* ---------------------------------------------------------------- pool fleet */

struct pool_fleet {
  struct pool_run *runs; /* per pool; started by the caller */
  size_t count, threads;
  struct budget *budget;
};

/* The `go_on` for the tasks of the runs; `user` is the fleet. */
bool pool_fleet_go_on(void *user, uint64_t ticks);

/*
 * With one thread, makes a step of the run that has done the least work; runs without a layout
 * come first.  With more threads, completes all runs, unless the budget ends earlier.
 */
neap_status pool_fleet_step(struct pool_fleet *fleet, neap_error *error);

/* Whether all runs are over. */
bool pool_fleet_is_over(const struct pool_fleet *fleet);

#endif
