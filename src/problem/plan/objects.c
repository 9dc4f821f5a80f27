/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans of shared objects, which are stored end to end.  A lower bound on the sum of their sizes is
 * that of the positional maxima (facts/usage_records), which is at least the problem's bound.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/usage_depth.h"
#include "plan/plan.h"

/* The sum of positional maxima is a lower bound on the sum of all objects' sizes. */
static neap_status find_bound(const struct neap_problem *problem, neap_size *bound,
                              neap_error *error) {
  struct records records = {memory_array(problem->count, sizeof *records.items),
                            problem->count};
  if (!records.items) return error_memory(error);
  for (size_t i = 0; i < problem->count; i++) {
    neap_range hull = problem_hull(problem, i);
    records.items[i] = (struct record){problem->buffers[i].size, hull.start, hull.end - 1};
  }
  neap_size *maxima;
  size_t count;
  neap_status status = depth_positional_maxima(&records, &maxima, &count, error);
  free(records.items);
  if (status != NEAP_OK) return status;
  *bound = 0;
  for (size_t k = 0; k < count; k++)
    *bound += maxima[k];
  free(maxima);
  return NEAP_OK;
}

/* The end of the last object; buffers may all end below it. */
static neap_status find_peak(const struct neap_plan *plan, neap_size *peak, neap_error *error) {
  *peak = plan->report.peak;
  for (size_t i = 0; i < plan->problem->count; i++) {
    neap_offset end;
    if (plan->objects[i] >= plan->object_count)
      return error_set(error, NEAP_ERROR_ARGUMENT,
                       "buffer %zu is in object %zu, which does not exist", i,
                       plan->objects[i]);
    if (!checked_add(plan->offsets[i], plan->object_sizes[plan->objects[i]], &end))
      return error_set(error, NEAP_ERROR_ARGUMENT, "object %zu ends above 2^63 - 1",
                       plan->objects[i]);
    if (end > *peak) *peak = end;
  }
  return NEAP_OK;
}

neap_status neap_plan_set_objects(neap_plan *plan, const size_t *of, const neap_size *sizes,
                                  size_t count, neap_error *error) {
  free(plan->objects);
  free(plan->object_sizes);
  plan->objects = memory_array(plan->problem->count, sizeof *plan->objects);
  plan->object_sizes = memory_array(count, sizeof *plan->object_sizes);
  if (!plan->objects || !plan->object_sizes) return error_memory(error);
  if (plan->problem->count > 0) memcpy(plan->objects, of, plan->problem->count * sizeof *of);
  if (count > 0) memcpy(plan->object_sizes, sizes, count * sizeof *sizes);
  plan->object_count = count;
  neap_size peak = 0, bound = 0;
  neap_status status = find_peak(plan, &peak, error);
  if (status == NEAP_OK) status = find_bound(plan->problem, &bound, error);
  if (status != NEAP_OK) return status;
  assert(bound >= plan->report.bound);
  plan->report.objects.count = count;
  plan->report.objects.bound = bound;
  plan_set_peak(plan, peak);
  return NEAP_OK;
}
