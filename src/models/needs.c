/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/needs.h"

#include "core/checked.h"
#include "core/error.h"
#include "core/sized.h"
#include "model/problem.h"
#include "neap/relations.h"

neap_status needs_read_limits(const neap_model_limits *given, bool is_fit,
                              struct model_limits *limits, neap_error *error) {
  neap_model_limits own = NEAP_INIT(neap_model_limits);
  neap_status status = given ? SIZED_READ(neap_model_limits, own, given, error) : NEAP_OK;
  if (status != NEAP_OK) return status;
  const bool needs_capacity = is_fit || own.goal == NEAP_BANDS_WORK;
  if ((own.capacity > 0) != needs_capacity)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     needs_capacity
                         ? "neap_model_limits.capacity: expected at least 1 byte"
                         : "neap_model_limits.capacity is for fits and the goal work");
  if (own.second_capacity < 0 || own.second_capacity > own.capacity)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "neap_model_limits.second_capacity is larger than capacity, or negative");
  *limits = (struct model_limits){.capacity = needs_capacity ? own.capacity : -1,
                                  .is_arena = is_fit || own.goal == NEAP_BANDS_ARENA,
                                  .second_capacity = is_fit ? own.second_capacity : 0,
                                  .memories = {own.memories[0], own.memories[1]},
                                  .most_millionths = own.most_millionths,
                                  .keep_on_curve = own.keep_on_curve,
                                  .keep_on = own.keep_on,
                                  .user = own.user};
  return NEAP_OK;
}

neap_model_need needs_point(const neap_problem *problem, neap_size peak) {
  neap_arena arena = NEAP_INIT(neap_arena);
  neap_arena_note note = NEAP_INIT(neap_arena_note);
  neap_model_need point = {.peak = peak, .arena = peak, .non_persistent = peak};
  point.is_partial = problem->missing.count > 0;
  if (!neap_problem_arena(problem, peak, &arena)) return point;
  point.tail = arena.tail;
  point.arena = arena.smallest;
  point.persistent = arena.persistent;
  point.non_persistent = arena.non_persistent;
  point.is_partial = point.is_partial || neap_problem_arena_unknown_at(problem, 0, &note);
  point.is_refused = neap_problem_arena_refused_at(problem, 0, &note);
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

neap_size needs_capacity_bound(const struct model_limits *splitting, neap_size lower_bound,
                               neap_size tail) {
  const neap_size arena = needs_arena_bound(lower_bound, tail);
  /* Without a tail, tensors fill the second memory at best. */
  const neap_size second =
      tail > 0 ? tail : smaller_of(lower_bound, splitting->second_capacity);
  const neap_model_need point = {.arena = arena,
                                 .persistent = second,
                                 .non_persistent =
                                     tail > 0 ? lower_bound : lower_bound - second};
  return arena > 0 ? needs_capacity(splitting, &point) : 0;
}

void needs_at(const neap_model_need *point, neap_fit_place place, neap_size needs[2]) {
  needs[0] = place == NEAP_FIT_TOGETHER     ? point->arena
             : place == NEAP_FIT_HEAD_FIRST ? point->non_persistent
                                            : point->persistent;
  needs[1] = place == NEAP_FIT_TOGETHER     ? 0
             : place == NEAP_FIT_HEAD_FIRST ? point->persistent
                                            : point->non_persistent;
}

neap_size needs_missing(const struct model_limits *splitting, const neap_model_need *point,
                        neap_fit_place place) {
  neap_size needs[2];
  needs_at(point, place, needs);
  return larger_of(needs[0] - splitting->capacity, 0) +
         larger_of(needs[1] - splitting->second_capacity, 0);
}

neap_fit_place needs_place(const struct model_limits *splitting, const neap_model_need *point) {
  neap_fit_place best = NEAP_FIT_TOGETHER;
  for (neap_fit_place place = NEAP_FIT_HEAD_FIRST;
       splitting->second_capacity > 0 && place < NEAP_FIT_PLACES; place++)
    if (needs_missing(splitting, point, place) < needs_missing(splitting, point, best))
      best = place;
  return best;
}

neap_size needs_capacity(const struct model_limits *splitting, const neap_model_need *point) {
  const neap_fit_place place = needs_place(splitting, point);
  return place == NEAP_FIT_TOGETHER
             ? point->arena
             : splitting->capacity + needs_missing(splitting, point, place);
}

bool needs_pools(const struct model_limits *splitting, const neap_problem *problem,
                 const neap_report *report) {
  neap_arena arena = NEAP_INIT(neap_arena);
  return splitting->second_capacity > 0 && report->peak > splitting->capacity &&
         report->lower_bound - splitting->capacity <= splitting->second_capacity &&
         !neap_problem_arena(problem, 0, &arena);
}

static neap_status add_pools(const struct model_limits *splitting, neap_problem *problem,
                             neap_error *error) {
  neap_pool pool = NEAP_POOL_INIT;
  pool.name = splitting->memories[0];
  pool.capacity = splitting->capacity;
  neap_status status = neap_problem_add_pool(problem, &pool, error);
  pool.name = splitting->memories[1];
  pool.capacity = splitting->second_capacity;
  return status == NEAP_OK ? neap_problem_add_pool(problem, &pool, error) : status;
}

neap_status needs_plan_pools(const struct model_limits *splitting, neap_problem *problem,
                             const neap_options *options, neap_plan **plan,
                             neap_model_need *point, neap_error *error) {
  neap_pool_report first = NEAP_INIT(neap_pool_report), second = first;
  *plan = NULL;
  neap_status status = add_pools(splitting, problem, error);
  if (status == NEAP_OK) status = neap_solve(problem, options, plan, error);
  if (status == NEAP_INFEASIBLE || status == NEAP_NO_PLAN) return NEAP_OK;
  if (status != NEAP_OK) return status;
  neap_plan_pool_at(*plan, 0, &first);
  neap_plan_pool_at(*plan, 1, &second);
  /* The two parts together are a layout of one arena. */
  point->peak = smaller_of(point->peak, first.peak + second.peak);
  point->non_persistent = first.peak;
  point->persistent = second.peak;
  return NEAP_OK;
}
