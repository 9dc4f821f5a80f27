/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans all pools, in turns or in threads. */
#ifndef ENGINE_POOL_FLEET_H
#define ENGINE_POOL_FLEET_H

#include "core/budget.h"
#include "engine/pool_run.h"

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
