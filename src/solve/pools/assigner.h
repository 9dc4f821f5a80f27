/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches for the cheapest assignment of buffers to pools that has a layout. */
#ifndef POOLS_ASSIGNER_H
#define POOLS_ASSIGNER_H

#include <stdbool.h>
#include <stddef.h>

#include "core/budget.h"
#include "pools/pool_columns.h"
#include "pools/pool_planner.h"
#include "pools/units.h"

/* The task's pointers must stay valid as long as the assigner. */
struct assigner_task {
  const struct neap_problem *problem;
  const struct pool_planner *planner;
  const struct units *units;
  struct budget *budget;
};

struct assigner;

neap_status assigner_new(struct assigner **assigner, const struct assigner_task *task,
                         neap_error *error);
void assigner_free(struct assigner *assigner);

/*
 * Continues the search for a while; *is_over is set once every assignment was examined.
 * NEAP_NO_PLAN: the budget ended.
 */
neap_status assigner_step(struct assigner *assigner, bool *is_over, neap_error *error);

/*
 * The cheapest assignment so far (a pool per buffer) and its layout; NULL if there is none yet.
 */
const size_t *assigner_pools(const struct assigner *assigner);
const neap_offset *assigner_offsets(const struct assigner *assigner);

/*
 * The cost of this assignment, and a proven lower bound.  A bound of NEAP_MAX means: proven
 * infeasible.
 */
neap_size assigner_cost(const struct assigner *assigner);
neap_size assigner_lower_bound(const struct assigner *assigner);

/* ---------------------------------------------------------------- pool cover */

/*
 * A lower bound on the cost of any assignment: the cost of the units that single columns must
 * give up.
 */

/* Sets *bound, to 0 if computing it would be too much work.  False if memory runs out. */
bool pool_cover_bound(const struct units *units, const struct pool_columns *columns,
                      neap_size *bound);

/* ---------------------------------------------------------------- no goods */

/*
 * No-goods: sets of units that do not fit into a pool together.  Tracks units that enter and
 * leave pools.
 */

struct no_good {
  size_t pool;
  size_t *units;
  size_t count;
  size_t present; /* the number of its units in the pool now */
  bool is_proven; /* otherwise, the search only found no layout within its limits */
};

struct no_goods {
  struct no_good *items;
  size_t count, capacity;
  /* A list, per unit, of the sets that contain it: links[first[unit]], then by `next`. */
  struct no_good_link {
    size_t item, next;
  } * links;
  size_t link_count, link_capacity;
  size_t *first; /* NO_GOODS_END: none */
};

#define NO_GOODS_END ((size_t)-1)

bool no_goods_init(struct no_goods *no_goods, size_t units);
void no_goods_clear(struct no_goods *no_goods);

/* Adds a set whose units are all in the pool now; false if memory runs out. */
bool no_goods_add(struct no_goods *no_goods, size_t pool, const size_t *units, size_t count,
                  bool is_proven);

/* Forgets the sets that are not proven. */
void no_goods_forget_open(struct no_goods *no_goods, size_t units);

/* Records that a unit enters or leaves a pool. */
void no_goods_enter(struct no_goods *no_goods, size_t unit, size_t pool);
void no_goods_leave(struct no_goods *no_goods, size_t unit, size_t pool);

/*
 * Whether the unit would complete a no-good if it entered the pool; *is_proven tells whether
 * one of these is proven.
 */
bool no_goods_forbid(const struct no_goods *no_goods, size_t unit, size_t pool,
                     bool *is_proven);

#endif
