/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arena of a problem that was read from a model (neap/arena.h). */
#include "core/sized.h"
#include "model/graph.h"
#include "model/problem.h"
#include "model/runtime_arena.h"

const char *neap_arena_part_name(neap_arena_part part) {
  static const char *const names[NEAP_ARENA_PARTS] = {
      "interpreter", "tensors",           "nodes", "kernels", "scratch_handles",
      "variables",   "inputs_and_outputs"};
  return part < NEAP_ARENA_PARTS ? names[part] : NULL;
}

const struct runtime_arena *problem_arena(const neap_problem *problem) {
  return problem->graph ? problem->graph->arena : NULL;
}

bool neap_problem_arena(const neap_problem *problem, neap_size head, neap_arena *arena) {
  const struct runtime_arena *own = problem_arena(problem);
  neap_arena total;
  return own && runtime_arena_total(own, head, &total) && SIZED_FILL(arena, total);
}

bool neap_problem_arena_operator_at(const neap_problem *problem, size_t index,
                                    neap_arena_operator *item) {
  const struct runtime_arena *own = problem_arena(problem);
  if (!own || index >= own->totals.operator_count) return false;
  return SIZED_FILL(item, own->operators[index]);
}

static bool note_at(const struct arena_notes *notes, size_t index, neap_arena_note *note) {
  if (index >= notes->texts.count) return false;
  const struct arena_group *group = &notes->groups[index];
  const neap_arena_note own = {sizeof own, names_text(&notes->texts, index), group->subgraph,
                               group->first, group->count};
  return SIZED_FILL(note, own);
}

bool neap_problem_arena_unknown_at(const neap_problem *problem, size_t index,
                                   neap_arena_note *note) {
  const struct runtime_arena *own = problem_arena(problem);
  return own && note_at(&own->unknown, index, note);
}

bool neap_problem_arena_refused_at(const neap_problem *problem, size_t index,
                                   neap_arena_note *note) {
  const struct runtime_arena *own = problem_arena(problem);
  return own && note_at(&own->refused, index, note);
}
