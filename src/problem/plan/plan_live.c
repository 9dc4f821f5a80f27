/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "facts/subset.h"
#include "plan/plan.h"

neap_status plan_live_init(struct live *live, const neap_plan *plan, size_t pool,
                           neap_error *error) {
  if (!plan->pools) return live_init(live, plan->problem, error);
  size_t *members = memory_array(plan->problem->count, sizeof *members);
  if (!members) return error_memory(error);
  struct subset_choice choice = {members, 0, pool, false};
  struct subset subset;
  for (size_t i = 0; i < plan->problem->count; i++)
    if (plan->pools[i] == pool) members[choice.count++] = i;
  neap_status status = subset_init(&subset, plan->problem, &choice, error);
  free(members);
  if (status != NEAP_OK) return status;
  status = live_init(live, subset.problem, error);
  subset_clear(&subset);
  return status;
}
