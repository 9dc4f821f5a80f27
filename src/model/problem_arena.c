/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arena of a problem that was read from a model (neap-tool.h). */
#include "model/graph.h"
#include "model/problem.h"
#include "model/runtime_arena.h"

const char *neap_arena_part_key(neap_arena_part part) {
  static const char *const keys[NEAP_ARENA_PARTS] = {
      "interpreter",     "tensors",   "nodes",             "kernels",
      "scratch_handles", "variables", "inputs_and_outputs"};
  return keys[part];
}

static const struct runtime_arena *arena_of(const neap_problem *problem) {
  return problem->graph ? problem->graph->arena : NULL;
}

bool neap_problem_arena(const neap_problem *problem, neap_size head, neap_arena *arena) {
  const struct runtime_arena *own = arena_of(problem);
  return own && runtime_arena_total(own, head, arena);
}

bool neap_problem_arena_operator(const neap_problem *problem, size_t index,
                                 neap_arena_operator *kernel) {
  const struct runtime_arena *own = arena_of(problem);
  if (!own || index >= own->totals.operator_count) return false;
  *kernel = own->operators[index];
  return true;
}

const char *neap_problem_arena_unknown(const neap_problem *problem, size_t index) {
  const struct runtime_arena *own = arena_of(problem);
  return own && index < own->unknown.count ? names_text(&own->unknown, index) : NULL;
}
