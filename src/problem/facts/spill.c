/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts/spill.h"

#include <assert.h>

#include "core/checked.h"

size_t spill_choice_count(const struct neap_problem *problem, size_t buffer) {
  const struct limits *limits = problem_limits(problem, buffer);
  size_t listed = limits->pools_end - limits->pools_begin;
  return listed > 0 ? listed : problem_pool_count(problem);
}

size_t spill_choice(const struct neap_problem *problem, size_t buffer, size_t place) {
  const struct limits *limits = problem_limits(problem, buffer);
  assert(place < spill_choice_count(problem, buffer));
  if (limits->pools_begin == limits->pools_end) return place;
  return problem->relations->pool_lists[limits->pools_begin + place];
}

bool spill_cost_at(const struct neap_problem *problem, size_t buffer, size_t place,
                   neap_size *cost) {
  size_t pool = spill_choice(problem, buffer, place);
  neap_size per_byte = problem->relations->pools[pool].cost;
  return checked_mul(problem->buffers[buffer].size, per_byte >= 0 ? per_byte : (neap_size)place,
                     cost);
}

bool spill_sum(const struct neap_problem *problem, const size_t *pools, neap_size *sum) {
  neap_size total = 0, cost;
  for (size_t i = 0; i < problem->count; i++) {
    size_t places = spill_choice_count(problem, i), place = 0;
    while (place < places && spill_choice(problem, i, place) != pools[i])
      place++;
    if (place == places) continue;
    if (!spill_cost_at(problem, i, place, &cost) || !checked_add(total, cost, &total))
      return false;
  }
  *sum = total;
  return true;
}
