/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "viz/layout/level_lines.h"

#include <stdio.h>

struct levels levels_of(const struct neap_plan *plan, size_t index) {
  const neap_report *report = &plan->report;
  neap_pool_report used = NEAP_INIT(neap_pool_report);
  neap_pool pool = NEAP_INIT(neap_pool);
  if (!neap_plan_pool_at(plan, index, &used))
    return (struct levels){NULL, report->peak, report->bound, report->lower_bound,
                           report->capacity};
  neap_problem_pool_at(plan->problem, index, &pool);
  return (struct levels){pool.name, used.peak, used.bound, used.lower_bound, pool.capacity};
}

const char *levels_text(const struct levels *levels, char text[LEVELS_TEXT]) {
  char used[TEXT_BYTES], all[TEXT_BYTES], rest[TEXT_BYTES];
  neap_size peak = levels->peak, capacity = levels->capacity;
  text_bytes(used, peak);
  if (capacity < 0) snprintf(text, LEVELS_TEXT, "%s used, no capacity", used);
  else
    snprintf(text, LEVELS_TEXT, "%s of %s used, %s %s", used, text_bytes(all, capacity),
             text_bytes(rest, peak > capacity ? peak - capacity : capacity - peak),
             peak > capacity ? "too small" : "free");
  return text;
}

size_t levels_count(const struct neap_plan *plan) {
  neap_pool_report pool = NEAP_INIT(neap_pool_report);
  size_t count = 0;
  while (count < LEVELS_POOLS_MOST && neap_plan_pool_at(plan, count, &pool))
    count++;
  return count > 0 ? count : 1;
}
