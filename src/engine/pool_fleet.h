/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans all pools, in turns or in threads. */
#ifndef ENGINE_POOL_FLEET_H
#define ENGINE_POOL_FLEET_H

#include "core/budget.h"
#include "engine/pool_run.h"

struct pool_fleet {
  struct pool_run *runs; /* per pool; the caller starts them */
  size_t count, threads;
  struct budget *budget;
};

/* What the tasks of the runs need for `go_on`; `user` is the fleet. */
bool pool_fleet_go_on(void *user, uint64_t ticks);

/*
 * With one thread, makes a step of the run that has worked least, those without a layout first.
 * With more, runs all to their ends, or to that of the budget.
 */
neap_status pool_fleet_step(struct pool_fleet *fleet, neap_error *error);

/* Whether all runs are over. */
bool pool_fleet_is_over(const struct pool_fleet *fleet);

#endif
