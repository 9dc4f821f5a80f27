/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/constraints.h"

#include "core/checked.h"

bool constraints_align(const struct neap_problem *problem) {
  neap_size unit = 0;
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
