/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tune/movers.h"

#include <stdlib.h>

#include "core/memory.h"

static bool is_needed(const struct neap_problem *problem) {
  return problem->relations &&
         (problem->relations->window_count > 0 || problem->relations->bank_count > 0 ||
          problem_has(problem, NEAP_COLOCATION) || problem_has(problem, NEAP_BANK_SEPARATION));
}

static bool binds(neap_relation_kind kind) {
  return kind == NEAP_COLOCATION || kind == NEAP_BANK_SEPARATION;
}

static void find_those_that_stay(struct movers *movers) {
  const struct neap_problem *problem = movers->problem;
  const struct relations *relations = problem->relations;
  for (size_t i = 0; i < problem->count; i++) {
    const struct limits *limits = problem_limits(problem, i);
    movers->stays[i] =
        limits->window_low > 0 || limits->window_high < NEAP_MAX || limits->bank > 0;
  }
  for (size_t r = 0; r < relations->count; r++)
    if (binds(relations->items[r].kind))
      movers->stays[relations->items[r].first] = movers->stays[relations->items[r].second] =
          true;
}

bool movers_init(struct movers *movers, const struct neap_problem *problem) {
  *movers = (struct movers){.problem = problem};
  if (domains_init(&movers->domains, problem, NULL) != NEAP_OK) return false;
  if (!is_needed(problem)) return true;
  movers->stays = memory_array(problem->count, sizeof *movers->stays);
  if (movers->stays) find_those_that_stay(movers);
  return movers->stays != NULL;
}

void movers_clear(struct movers *movers) {
  free(movers->stays);
  domains_clear(&movers->domains);
  *movers = (struct movers){0};
}
