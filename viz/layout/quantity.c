/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/layout/quantity.h"

#include "facts/live_bytes.h"

neap_status quantity_moment(const struct neap_problem *problem, neap_time *moment,
                            neap_error *error) {
  struct live live = {0};
  *moment = 0;
  neap_status status = live_init(&live, problem, error);
  neap_size most = 0;
  for (size_t i = 0; status == NEAP_OK && i < live.count; i++)
    if (live.steps[i].bytes > most) {
      most = live.steps[i].bytes;
      *moment = live.steps[i].time;
    }
  live_clear(&live);
  return status;
}

static int64_t age_at(const struct neap_problem *problem, size_t buffer, neap_time moment) {
  size_t end = problem->buffers[buffer].ranges_end;
  for (size_t i = problem_ranges_begin(problem, buffer); i < end; i++) {
    const neap_range *range = &problem->ranges[i];
    if (moment < range->start) return QUANTITY_LATER;
    if (moment < range->end) return moment - range->start;
  }
  return QUANTITY_FREED;
}

static neap_status list_ages(const struct neap_problem *problem, int64_t *values,
                             neap_error *error) {
  neap_time moment;
  neap_status status = quantity_moment(problem, &moment, error);
  for (size_t i = 0; status == NEAP_OK && i < problem->count; i++)
    values[i] = age_at(problem, i, moment);
  return status;
}

neap_status quantity_list(enum quantity quantity, const struct neap_plan *plan, int64_t *values,
                          neap_error *error) {
  const struct neap_problem *problem = plan->problem;
  if (quantity == QUANTITY_WASTE) return padding_find(plan, values, error);
  if (quantity == QUANTITY_AGE) return list_ages(problem, values, error);
  for (size_t i = 0; i < problem->count; i++)
    values[i] =
        quantity == QUANTITY_SIZE ? problem->buffers[i].size : problem_duration(problem, i);
  return NEAP_OK;
}
