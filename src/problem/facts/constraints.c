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

/* Names and counts the relations of the first binding kind that has any, such as "separations". */
static const char *binding_kind(const struct relations *relations, size_t *count) {
  for (size_t kind = 0; kind < NEAP_RELATION_KIND_COUNT; kind++) {
    *count = relations->count_of[kind];
    if (*count > 0 && relation_kinds[kind].effects & RELATION_BINDS)
      return relation_kinds[kind].words.several;
  }
  return NULL;
}

const char *constraints_beyond_time(const struct neap_problem *problem, size_t *count) {
  const struct relations *relations = problem->relations;
  const char *binding = relations ? binding_kind(relations, count) : NULL;
  return binding ? binding : constraints_limits(problem, count);
}

const char *constraints_limits(const struct neap_problem *problem, size_t *count) {
  const struct relations *relations = problem->relations;
  if (!relations) return NULL;
  const struct {
    const char *name;
    size_t count;
  } limits[] = {
      {"pools", relations->pool_names.count},
      {"windows", relations->window_count},
      {"banks", relations->bank_count},
      {"reserved bytes", relations->reserved_count},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    *count = limits[i].count;
    if (*count > 0) return limits[i].name;
  }
  return NULL;
}
