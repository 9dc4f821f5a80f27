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

static bool note_at(const struct arena_notes *notes, size_t index, neap_arena_note *note) {
  if (index >= notes->texts.count) return false;
  const struct arena_group *group = &notes->groups[index];
  *note = (neap_arena_note){names_text(&notes->texts, index), group->subgraph, group->first,
                            group->count};
  return true;
}

bool neap_problem_arena_unknown(const neap_problem *problem, size_t index,
                                neap_arena_note *note) {
  const struct runtime_arena *own = arena_of(problem);
  return own && note_at(&own->unknown, index, note);
}

bool neap_problem_arena_refused(const neap_problem *problem, size_t index,
                                neap_arena_note *note) {
  const struct runtime_arena *own = arena_of(problem);
  return own && note_at(&own->refused, index, note);
}
