/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arena that models share, each with a plan (neap/arena.h). */
#include <string.h>

#include "core/sized.h"
#include "model/problem.h"
#include "model/runtime_arena.h"
#include "plan/plan.h"

static const struct runtime_arena *arena_of(const neap_plan *plan) {
  return problem_arena(plan->problem);
}

static bool goes_with(const struct runtime_arena *own, const struct runtime_arena *first) {
  return own && first && own->totals.pointer == first->totals.pointer &&
         strcmp(own->totals.kernels, first->totals.kernels) == 0;
}

bool neap_plans_arena(const neap_plan *const *plans, size_t count, neap_arena *arena) {
  neap_arena total = {.struct_size = 0};
  struct arena_sum sum = {.totals = &total};
  for (size_t i = 0; i < count; i++) {
    if (!goes_with(arena_of(plans[i]), arena_of(plans[0]))) return false;
    runtime_arena_share(&sum, arena_of(plans[i]), plans[i]->report.peak);
  }
  return count > 0 && runtime_arena_share_total(&sum) && SIZED_FILL(arena, total);
}
