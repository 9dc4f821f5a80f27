/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selects the engine that plans a problem.  Constraints that the engines of the table do not
 * support are handled by layers above them.  Each layer decomposes the problem, and plans the
 * simpler problems with planners of their own, which are selected here again.
 */
#include "engine/engine.h"

bool engine_has_costs(const struct neap_problem *problem, const struct neap_options *options) {
  const struct relations *relations = problem->relations;
  return relations && (relations->near_count > 0 || problem_has(problem, RELATION_PRICED)) &&
         !engine_strategy((size_t)options->value[OPTION_ENGINE]);
}

const struct engine *engine_for(const struct neap_problem *problem,
                                const struct neap_options *options) {
  if (problem_pool_count(problem) > 0) return &engine_pooled;
  if (engine_has_costs(problem, options)) return &engine_soft;
  return engine_at((size_t)options->value[OPTION_ENGINE]);
}
