/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/room.h"

#include <stdlib.h>

#include "core/memory.h"

static bool is_needed(const struct neap_problem *problem) {
  return problem->relations &&
         (problem->relations->window_count > 0 || problem->relations->bank_count > 0 ||
          problem_has(problem, RELATION_TIES));
}

static void find_those_that_stay(struct movable *movable) {
  const struct neap_problem *problem = movable->problem;
  for (size_t i = 0; i < problem->count; i++) {
    const struct limits *limits = problem_limits(problem, i);
    movable->stays[i] =
        limits->window_low > 0 || limits->window_high < NEAP_MAX || limits->bank > 0;
  }
  const neap_relation *relation = NULL;
  while ((relation = problem_next_relation(problem, RELATION_TIES, relation)))
    movable->stays[relation->first] = movable->stays[relation->second] = true;
}

bool movable_init(struct movable *movable, const struct neap_problem *problem) {
  *movable = (struct movable){.problem = problem};
  if (domains_init(&movable->domains, problem, NULL) != NEAP_OK) return false;
  if (!is_needed(problem)) return true;
  movable->stays = memory_array(problem->count, sizeof *movable->stays);
  if (movable->stays) find_those_that_stay(movable);
  return movable->stays != NULL;
}

void movable_clear(struct movable *movable) {
  free(movable->stays);
  domains_clear(&movable->domains);
  *movable = (struct movable){0};
}
