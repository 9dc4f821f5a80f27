/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts/constraints.h"

#include "core/checked.h"

bool constraints_align(const struct neap_problem *problem) {
  neap_size low, high, unit = 0;
  neap_problem_alignment(problem, &low, &high);
  if (high == 1) return false;
  for (size_t i = 0; i < problem->count; i++)
    unit = common_divisor(problem->buffers[i].size, unit);
  for (size_t i = 0; i < problem->count; i++)
    if (unit % problem->buffers[i].alignment != 0) return true;
  return false;
}

bool constraints_any(const struct neap_problem *problem) {
  return problem->fixed_count > 0 || problem->range_count > problem->count ||
         constraints_align(problem);
}

const char *constraints_beyond_time(const struct neap_problem *problem, size_t *count) {
  const struct relations *relations = problem->relations;
  if (!relations) return NULL;
  const struct {
    const char *name;
    size_t count;
  } kinds[] = {
      {"pools", relations->pool_names.count},
      {"separations", relations->count_of[NEAP_SEPARATION]},
      {"colocations", relations->count_of[NEAP_COLOCATION]},
      {"bank separations", relations->count_of[NEAP_BANK_SEPARATION]},
      {"windows", relations->window_count},
      {"banks", relations->bank_count},
      {"reserved bytes", relations->reserved_count},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    *count = kinds[i].count;
    if (*count > 0) return kinds[i].name;
  }
  return NULL;
}
