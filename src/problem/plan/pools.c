/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pool of each buffer of a plan, and the bytes used in each pool.  Bounds and risks are those
 * of each pool alone, as if it were the arena of its buffers.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "facts/columns.h"
#include "facts/risk.h"
#include "facts/spill.h"
#include "facts/subset.h"
#include "plan/plan.h"

size_t neap_plan_pool(const neap_plan *plan, size_t index) {
  return plan->pools ? plan->pools[index] : 0;
}

bool neap_plan_pool_at(const neap_plan *plan, size_t index, neap_pool_report *report) {
  if (!plan->pools || index >= problem_pool_count(plan->problem)) return false;
  return SIZED_FILL(report, plan->pool_reports[index]);
}

/* ---------------------------------------------------------------- one pool */

/* Bounds and risks, of a pool's buffers as a problem. */
static neap_status assess_subset(neap_plan *plan, const struct subset *subset,
                                 neap_pool_report *report, neap_error *error) {
  const neap_problem *problem = subset->problem;
  size_t risk_counts[NEAP_RISK_COUNT];
  neap_bound bound = NEAP_INIT(neap_bound);
  struct sections sections;
  neap_status status = neap_problem_bound(problem, &bound, error);
  if (status != NEAP_OK) return status;
  report->bound = bound.bytes;
  report->lower_bound = bound.lower_bound;
  neap_offset *offsets = memory_array(problem->count, sizeof *offsets);
  unsigned char *risks = memory_array(problem->count, 1);
  status = offsets && risks ? columns_init(&sections, problem, SECTIONS_ALL, error)
                            : error_memory(error);
  if (status == NEAP_OK) {
    for (size_t i = 0; i < problem->count; i++)
      offsets[i] = plan->offsets[subset->originals[i]];
    status = risk_classify(problem, &sections, offsets, bound.lower_bound, risks, risk_counts,
                           error);
    sections_clear(&sections);
    for (size_t i = 0; status == NEAP_OK && i < problem->count; i++)
      plan->risks[subset->originals[i]] = risks[i];
  }
  free(offsets);
  free(risks);
  return status;
}

/* `members` lists the pool's buffers. */
static neap_status assess_pool(neap_plan *plan, size_t pool, const size_t *members,
                               size_t count, neap_pool_report *report, neap_error *error) {
  *report = (neap_pool_report){.struct_size = sizeof(neap_pool_report), .buffers = count};
  for (size_t i = 0; i < count; i++)
    if (plan_end(plan, members[i]) > report->peak) report->peak = plan_end(plan, members[i]);
  struct subset subset;
  const struct subset_choice choice = {members, count, pool, false};
  neap_status status = subset_init(&subset, plan->problem, &choice, error);
  if (status != NEAP_OK) return status;
  status = assess_subset(plan, &subset, report, error);
  subset_clear(&subset);
  return status;
}

/* ---------------------------------------------------------------- all pools */

/* Lists the buffers by pool; begins[p] is where pool p's begin. */
static void list_members(const size_t *pools, size_t count, size_t known, size_t *begins,
                         size_t *members) {
  for (size_t i = 0; i < count; i++)
    begins[pools[i] + 1]++;
  for (size_t p = 0; p < known; p++)
    begins[p + 1] += begins[p];
  for (size_t i = count; i-- > 0;)
    members[--begins[pools[i] + 1]] = i;
  /* begins[p + 1] is now where pool p begins. */
  memmove(begins, begins + 1, known * sizeof *begins);
  begins[known] = count;
}

static neap_status assess_pools(neap_plan *plan, neap_error *error) {
  size_t known = problem_pool_count(plan->problem), count = plan->problem->count;
  size_t *begins = memory_array(known + 1, sizeof *begins);
  size_t *members = memory_array(count, sizeof *members);
  neap_status status = begins && members ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) list_members(plan->pools, count, known, begins, members);
  for (size_t p = 0; p < known && status == NEAP_OK; p++)
    status = assess_pool(plan, p, members + begins[p], begins[p + 1] - begins[p],
                         &plan->pool_reports[p], error);
  free(begins);
  free(members);
  return status;
}

/* Sums up what the pools use. */
static neap_status report_sums(neap_plan *plan, neap_error *error) {
  neap_report *report = &plan->report;
  neap_size peak = 0;
  report->bound = report->lower_bound = 0;
  for (size_t p = 0; p < problem_pool_count(plan->problem); p++) {
    const neap_pool_report *pool = &plan->pool_reports[p];
    if (!checked_add(peak, pool->peak, &peak))
      return error_set(error, NEAP_ERROR_ARGUMENT, "the pools end above 2^63 - 1 together");
    report->bound += pool->bound;
    /* The lower bound of a pool is NEAP_MAX if no plan exists. */
    if (!checked_add(report->lower_bound, pool->lower_bound, &report->lower_bound))
      report->lower_bound = NEAP_MAX;
  }
  if (!report->order.is_scheduled) report->order.given_bound = report->bound;
  if (!spill_sum(plan->problem, plan->pools, &report->costs.spilled_bytes))
    return error_set(error, NEAP_ERROR_ARGUMENT, "the costs of the pools exceed 2^63 - 1");
  plan_set_peak(plan, peak);
  return NEAP_OK;
}

static neap_status hold_pools(neap_plan *plan, const size_t *pools, neap_error *error) {
  size_t count = plan->problem->count, known = problem_pool_count(plan->problem);
  for (size_t i = 0; i < count; i++)
    if (pools[i] >= known)
      return error_set(error, NEAP_ERROR_ARGUMENT, "pool number %zu does not exist", pools[i]);
  if (!plan->pools) plan->pools = memory_array(count, sizeof *plan->pools);
  if (!plan->pool_reports) plan->pool_reports = memory_array(known, sizeof *plan->pool_reports);
  if (!plan->pools || !plan->pool_reports) return error_memory(error);
  if (count > 0) memcpy(plan->pools, pools, count * sizeof *pools);
  neap_status status = assess_pools(plan, error);
  return status == NEAP_OK ? plan_assess_terms(plan, error) : status;
}

/* Whether each buffer has only one pool to be in. */
static bool is_forced(const struct neap_problem *problem) {
  for (size_t i = 0; i < problem->count; i++)
    if (spill_choice_count(problem, i) > 1) return false;
  return true;
}

neap_status neap_plan_set_pools(neap_plan *plan, const size_t *pools, neap_error *error) {
  neap_status status = hold_pools(plan, pools, error);
  plan->is_open = !is_forced(plan->problem);
  if (status == NEAP_OK) status = report_sums(plan, error);
  if (!plan->is_open) plan->report.costs.spilled_lower_bound = plan->report.costs.spilled_bytes;
  return status;
}

neap_status plan_set_pooling(neap_plan *plan, const struct pooling *pooling,
                             neap_error *error) {
  neap_status status = hold_pools(plan, pooling->pools, error);
  for (size_t p = 0; status == NEAP_OK && p < problem_pool_count(plan->problem); p++) {
    neap_size *lower_bound = &plan->pool_reports[p].lower_bound;
    if (pooling->lower_bounds[p] > *lower_bound) *lower_bound = pooling->lower_bounds[p];
  }
  plan->is_open = pooling->is_open;
  plan->report.costs.spilled_lower_bound = pooling->spilled_lower_bound;
  return status == NEAP_OK ? report_sums(plan, error) : status;
}
