/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/needs.h"

#include "core/checked.h"
#include "model/problem.h"
#include "neap/relations.h"

neap_split_point needs_point(const neap_problem *problem, neap_size peak) {
  neap_arena arena;
  neap_arena_note note;
  neap_split_point point = {.peak = peak, .arena = peak, .non_persistent = peak};
  point.is_partial = problem->missing.count > 0;
  if (!neap_problem_arena(problem, peak, &arena)) return point;
  point.tail = arena.tail;
  point.arena = arena.smallest;
  point.persistent = arena.persistent;
  point.non_persistent = arena.non_persistent;
  point.is_partial = point.is_partial || neap_problem_arena_unknown(problem, 0, &note);
  point.is_refused = neap_problem_arena_refused(problem, 0, &note);
  return point;
}

neap_size needs_arena_bound(neap_size lower_bound, neap_size tail) {
  neap_size bytes;
  if (tail == 0) return lower_bound;
  if (lower_bound <= 0 || !checked_add(lower_bound, tail, &bytes) ||
      !checked_round_up(bytes, NEAP_ARENA_STEP, &bytes))
    return 0;
  return bytes;
}

neap_size needs_capacity_bound(const neap_splitting *splitting, neap_size lower_bound,
                               neap_size tail) {
  const neap_size arena = needs_arena_bound(lower_bound, tail);
  /* Without a tail, tensors fill the second memory at best. */
  const neap_size second =
      tail > 0 ? tail : smaller_of(lower_bound, splitting->second_capacity);
  const neap_split_point point = {.arena = arena,
                                  .persistent = second,
                                  .non_persistent =
                                      tail > 0 ? lower_bound : lower_bound - second};
  return arena > 0 ? needs_capacity(splitting, &point) : 0;
}

void needs_at(const neap_split_point *point, neap_fit_place place, neap_size needs[2]) {
  needs[0] = place == NEAP_FIT_TOGETHER     ? point->arena
             : place == NEAP_FIT_HEAD_FIRST ? point->non_persistent
                                            : point->persistent;
  needs[1] = place == NEAP_FIT_TOGETHER     ? 0
             : place == NEAP_FIT_HEAD_FIRST ? point->persistent
                                            : point->non_persistent;
}

neap_size needs_missing(const neap_splitting *splitting, const neap_split_point *point,
                        neap_fit_place place) {
  neap_size needs[2];
  needs_at(point, place, needs);
  return larger_of(needs[0] - splitting->capacity, 0) +
         larger_of(needs[1] - splitting->second_capacity, 0);
}

neap_fit_place needs_place(const neap_splitting *splitting, const neap_split_point *point) {
  neap_fit_place best = NEAP_FIT_TOGETHER;
  for (neap_fit_place place = NEAP_FIT_HEAD_FIRST;
       splitting->second_capacity > 0 && place < NEAP_FIT_PLACES; place++)
    if (needs_missing(splitting, point, place) < needs_missing(splitting, point, best))
      best = place;
  return best;
}

neap_size needs_capacity(const neap_splitting *splitting, const neap_split_point *point) {
  const neap_fit_place place = needs_place(splitting, point);
  return place == NEAP_FIT_TOGETHER
             ? point->arena
             : splitting->capacity + needs_missing(splitting, point, place);
}

bool needs_pools(const neap_splitting *splitting, const neap_problem *problem,
                 const neap_report *report) {
  neap_arena arena;
  return splitting->second_capacity > 0 && report->peak > splitting->capacity &&
         report->lower_bound - splitting->capacity <= splitting->second_capacity &&
         !neap_problem_arena(problem, 0, &arena);
}

static neap_status add_pools(const neap_splitting *splitting, neap_problem *problem,
                             neap_error *error) {
  neap_pool pool = NEAP_POOL_INIT;
  pool.name = splitting->memories[0];
  pool.capacity = splitting->capacity;
  neap_status status = neap_problem_add_pool(problem, &pool, error);
  pool.name = splitting->memories[1];
  pool.capacity = splitting->second_capacity;
  return status == NEAP_OK ? neap_problem_add_pool(problem, &pool, error) : status;
}

neap_status needs_plan_pools(const neap_splitting *splitting, neap_problem *problem,
                             const neap_options *options, neap_plan **plan,
                             neap_split_point *point, neap_error *error) {
  neap_pool_report first = NEAP_INIT(neap_pool_report), second = first;
  *plan = NULL;
  neap_status status = add_pools(splitting, problem, error);
  if (status == NEAP_OK) status = neap_solve(problem, options, plan, error);
  if (status == NEAP_INFEASIBLE || status == NEAP_NO_PLAN) return NEAP_OK;
  if (status != NEAP_OK) return status;
  neap_plan_pool_at(*plan, 0, &first);
  neap_plan_pool_at(*plan, 1, &second);
  /* Both together are a layout of one arena. */
  point->peak = smaller_of(point->peak, first.peak + second.peak);
  point->non_persistent = first.peak;
  point->persistent = second.peak;
  return NEAP_OK;
}
