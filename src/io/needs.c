/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "io/needs.h"

#include "core/checked.h"

neap_split_point needs_point(const neap_problem *problem, neap_size peak) {
  neap_arena arena;
  neap_split_point point = {.peak = peak, .arena = peak, .non_persistent = peak};
  if (!neap_problem_arena(problem, peak, &arena)) return point;
  point.tail = arena.tail;
  point.arena = arena.smallest;
  point.persistent = arena.persistent;
  point.non_persistent = arena.non_persistent;
  point.is_partial = neap_problem_arena_unknown(problem, 0) != NULL;
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
