/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How searches of assignments ask for a layout of one pool. */
#ifndef POOLS_POOL_PLANNER_H
#define POOLS_POOL_PLANNER_H

#include "model/problem.h"

/* The pool to plan.  The pointers must stay valid until planning ends. */
struct pool_task {
  const struct neap_problem *problem;
  size_t pool;
  const size_t *members; /* the buffers of the pool */
  size_t count;
  uint64_t max_ticks; /* 0: no limit */
  bool only_fit;      /* planning is over once the buffers fit the capacity */
  /* Called every few thousand ticks with the ticks since the last call; false ends planning. */
  bool (*go_on)(void *user, uint64_t ticks);
  void *user;
};

struct pool_outcome {
  bool has_layout; /* a layout within the capacity was found */
  neap_size peak;  /* of the layout */
  neap_size lower_bound;
  uint64_t ticks;
  neap_stop_reason reason;
  neap_error refusal; /* without a layout: infeasible or no plan, and why */
};

struct pool_planner {
  /* Plans a pool.  A layout goes to the members' elements of `offsets`, one per buffer. */
  neap_status (*plan)(const void *options, const struct pool_task *task, neap_offset *offsets,
                      struct pool_outcome *outcome, neap_error *error);
  const void *options;
  bool has_costs; /* other terms of the objective than peaks might prefer another layout */
};

#endif
