/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lowers the cost that a layout within a capacity pays for reuse and moves, and raises the
 * proven lower bounds of both.
 */
#ifndef COSTS_MINIMISE_H
#define COSTS_MINIMISE_H

#include "core/budget.h"
#include "costs/constraint_network.h"
#include "model/problem.h"
#include "search/verdict.h"

#define SOLVER_KINDS 2

struct solver_task {
  const struct neap_problem *problem; /* without pools */
  neap_size capacity;                 /* NEAP_MAX: none */
  neap_term
      kinds[SOLVER_KINDS]; /* NEAP_TERM_REUSE, NEAP_TERM_MOVED: the most important one first */
  size_t kind_count;
  const neap_offset *incumbent; /* a sound layout within the capacity */
  uint64_t seed;
  struct budget *budget; /* must outlive the solver, like the problem */
};

struct solver;

neap_status solver_new(struct solver **solver, const struct solver_task *task,
                       neap_error *error);
void solver_free(struct solver *solver);

/*
 * Does a piece of the work.  Sets *done when the layout is proven optimal, or nothing is left
 * to try.  NEAP_NO_PLAN when the budget is spent; results so far remain valid.
 */
neap_status solver_step(struct solver *solver, bool *done, neap_error *error);

const neap_offset *solver_offsets(const struct solver *solver);

/*
 * The costs that the layout pays, and the proven lower bounds of all layouts within the
 * capacity, by term.
 */
void solver_costs(const struct solver *solver, neap_size cost[NEAP_TERM_COUNT]);
void solver_lower_bounds(const struct solver *solver, neap_size bounds[NEAP_TERM_COUNT]);

/* Whether no layout costs less, comparing kinds in their order. */
bool solver_is_proven(const struct solver *solver);

/* The costs of any layout, and whether it is sound and within the capacity. */
neap_status solver_assess(const struct solver *solver, const neap_offset *offsets,
                          bool *is_sound, neap_size cost[NEAP_TERM_COUNT], neap_error *error);

/*
 * Decides by exact search whether a layout within a lower capacity costs as little as the best
 * one, which must be proven optimal.  VERDICT_FOUND writes the layout to `offsets`.
 * VERDICT_OPEN for large problems.
 */
enum verdict solver_decide(struct solver *solver, neap_size capacity, neap_offset *offsets);

/*
 * Makes a problem that forbids all terms of some kinds that a layout does not pay, and has no
 * other soft terms; *problem becomes NULL if the problem is too large for a network.
 */
neap_status solver_forbid(const struct solver *solver, const neap_offset *offsets,
                          const neap_term *kinds, size_t kind_count, neap_problem **problem,
                          neap_error *error);

/* ---------------------------------------------------------------- bounds */

/* Proves, without search, that some soft terms must be paid. */

/*
 * Finds a lower bound on the cost that every layout within the net's limits pays for terms of
 * one kind, not counting net.base_reuse.  NEAP_NO_PLAN when the budget is spent; *bound is
 * proven even then.
 */
neap_status bounds_find(const struct net *net, neap_term kind, neap_size capacity,
                        uint64_t seed, struct budget *budget, neap_size *bound,
                        neap_error *error);

/* ---------------------------------------------------------------- anneal */

/* Lowers the cost of a sound layout within a capacity, by simulated annealing with ejections. */

struct anneal;

/*
 * `weights` holds the weight of each term of the net (>= 0), and `positions` a sound layout
 * within the net's limits; both are copied.  `net` must outlive the annealer and keep its
 * limits.  NULL when memory is short.
 */
struct anneal *anneal_new(const struct net *net, const neap_size *weights,
                          const int64_t *positions, uint64_t seed);
void anneal_free(struct anneal *anneal);

/*
 * Runs one cycle of cooling; each takes longer than the previous one.  False when the budget
 * ends.
 */
bool anneal_cool(struct anneal *anneal, struct budget *budget);

/* Continues from a sound layout that is no heavier than the best one. */
void anneal_restart(struct anneal *anneal, const int64_t *positions);

/* The number of cycles begun. */
uint64_t anneal_cycles(const struct anneal *anneal);

/* The best layout so far. */
const int64_t *anneal_positions(const struct anneal *anneal);

#endif
