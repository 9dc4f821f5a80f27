/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that split every order (schedule/split_points) cut it into sections, which are searched
 * independently (schedule/sets).  The section with the highest peak comes first.  Sections
 * whose peaks do not exceed the lower bound need no search, because another section reaches the
 * bound in every order.
 */
#include "schedule/exact.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "schedule/sets.h"
#include "schedule/split_points.h"

struct section {
  size_t begin, end; /* positions in the order */
  neap_size live;    /* bytes alive before the section */
  neap_size peak;
  bool is_done;
};

struct prover {
  struct prove_task *task;
  struct section *sections;
  size_t section_count;
  struct costs_walk walk;
  size_t *local, *place, *scratch;
  bool *parts;
};

static void find_sections(struct prover *prover) {
  const struct prove_task *task = prover->task;
  struct costs_walk *walk = &prover->walk;
  split_points(task->costs, task->order, prover->place, prover->parts);
  costs_walk_start(walk);
  struct section section = {0, 0, walk->live, 0, false};
  for (size_t at = 0; at < task->costs->count; at++) {
    costs_walk_pass(walk, task->order[at]);
    if (!prover->parts[at] && at + 1 < task->costs->count) continue;
    section.end = at + 1;
    section.peak = walk->peak;
    section.is_done = section.end - section.begin == 1;
    prover->sections[prover->section_count++] = section;
    walk->peak = walk->live;
    section = (struct section){at + 1, 0, walk->live, 0, false};
  }
}

static struct section *highest_section(struct prover *prover) {
  struct section *highest = &prover->sections[0];
  for (size_t s = 1; s < prover->section_count; s++)
    if (prover->sections[s].peak > highest->peak) highest = &prover->sections[s];
  return highest;
}

static void apply_result(struct prover *prover, struct section *section,
                         const struct sets_result *result) {
  section->is_done = true;
  if (result->order) {
    segment_reorder(prover->task->order + section->begin, section->end - section->begin,
                    result->order, prover->scratch);
    assert(result->peak < section->peak);
    section->peak = result->peak;
  }
  if (result->least > prover->task->least) prover->task->least = result->least;
}

/* False if memory is short; an order found before that still counts. */
static bool search_section(struct prover *prover, struct section *section) {
  struct prove_task *task = prover->task;
  struct segment segment;
  struct sets_result result = {.order = NULL};
  costs_walk_to(&prover->walk, task->order, section->begin);
  bool has_room = segment_init(&segment, task->costs, task->order, section->begin, section->end,
                               section->live, prover->walk.left, prover->local, prover->place);
  if (has_room)
    has_room = sets_search(&(struct sets_task){.segment = &segment,
                                               .peak = section->peak,
                                               .floor = task->least,
                                               .memory = task->memory,
                                               .patience = DEAD_ENDS_VISITS_FIRST,
                                               .budget = task->budget},
                           &result);
  if (has_room) apply_result(prover, section, &result);
  free(result.order);
  segment_clear(&segment);
  return has_room;
}

/* Ends when the section with the highest peak is proven optimal or remains undecided. */
static bool search_sections(struct prover *prover) {
  struct prove_task *task = prover->task;
  for (;;) {
    struct section *section = highest_section(prover);
    task->peak = section->peak;
    if (section->peak <= task->least || task->budget->end != BUDGET_LEFT) return true;
    if (section->is_done) break;
    if (!search_section(prover, section)) return false;
  }
  /* The section has one operator, or no order lowers its peak. */
  task->least = task->peak;
  return true;
}

static bool prover_init(struct prover *prover) {
  const struct costs *costs = prover->task->costs;
  prover->sections = memory_array(costs->count, sizeof *prover->sections);
  prover->local = memory_array(costs->value_count, sizeof *prover->local);
  prover->place = memory_array(costs->count, sizeof *prover->place);
  prover->scratch = memory_array(costs->count, sizeof *prover->scratch);
  prover->parts = memory_array(costs->count, sizeof *prover->parts);
  return costs_walk_init(&prover->walk, costs) && prover->sections && prover->local &&
         prover->place && prover->scratch && prover->parts;
}

static void prover_clear(struct prover *prover) {
  free(prover->sections);
  costs_walk_clear(&prover->walk);
  free(prover->local);
  free(prover->place);
  free(prover->scratch);
  free(prover->parts);
}

neap_status exact_order(struct prove_task *task, neap_error *error) {
  struct prover prover = {.task = task};
  bool has_room = prover_init(&prover);
  if (has_room && task->costs->count > 0) {
    find_sections(&prover);
    has_room = search_sections(&prover);
  }
  prover_clear(&prover);
  return has_room ? NEAP_OK : error_memory(error);
}
