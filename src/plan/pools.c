/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which pool of the problem each buffer of a plan is in, and what that uses of each pool. */
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "plan/plan.h"

size_t neap_plan_pool(const neap_plan *plan, size_t index) {
  return plan->pools ? plan->pools[index] : 0;
}

bool neap_plan_pool_at(const neap_plan *plan, size_t index, neap_pool_report *report) {
  if (!plan->pools || index >= problem_pool_count(plan->problem)) return false;
  *report = (neap_pool_report){0};
  for (size_t i = 0; i < plan->problem->count; i++) {
    if (plan->pools[i] != index) continue;
    report->buffers++;
    if (plan_end(plan, i) > report->peak) report->peak = plan_end(plan, i);
  }
  return true;
}

neap_status neap_plan_set_pools(neap_plan *plan, const size_t *pools, neap_error *error) {
  size_t count = plan->problem->count, known = problem_pool_count(plan->problem);
  for (size_t i = 0; i < count; i++)
    if (pools[i] >= known)
      return error_set(error, NEAP_ERROR_ARGUMENT, "pool number %zu does not exist", pools[i]);
  if (!plan->pools) plan->pools = memory_array(count, sizeof *plan->pools);
  if (!plan->pools) return error_memory(error);
  if (count > 0) memcpy(plan->pools, pools, count * sizeof *pools);
  return NEAP_OK;
}
