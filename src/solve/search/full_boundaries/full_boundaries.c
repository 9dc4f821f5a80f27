/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * It is not certain which rectangles belong together, so each attempt joins them in a different
 * way and searches the joined part for a few turns.  A layout of the joined part is a layout of
 * the part, but a refutation of it proves nothing.  An attempt costs one pass of the jigsaw and
 * JOINTS_TURNS turns of a portfolio.
 */
#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/full_boundaries/jigsaw.h"
#include "search/portfolio.h"

struct boundaries {
  struct findings findings;
  struct method_task task; /* without this method */
  uint64_t attempts;
  neap_offset *offsets; /* of the last layout found */
};

static void boundaries_free(void *state) {
  struct boundaries *boundaries = state;
  if (!boundaries) return;
  free(boundaries->offsets);
  free(boundaries);
}

static bool boundaries_create(const struct method_task *task, void **state) {
  bool suits = false;
  if (!jigsaw_test(task->part, &suits)) return false;
  if (!suits) return true;
  struct boundaries *boundaries = *state = memory_array(1, sizeof *boundaries);
  if (!boundaries) return false;
  boundaries->task = *task;
  boundaries->task.rules.disabled |= method_bit(&method_boundaries);
  boundaries->offsets = memory_array(task->part->count, sizeof *boundaries->offsets);
  boundaries->findings = (struct findings){.offsets = boundaries->offsets, .peak = NEAP_MAX};
  return boundaries->offsets != NULL;
}

static enum verdict search_joined(struct boundaries *boundaries, struct jigsaw *jigsaw,
                                  const struct part *joined, neap_size capacity,
                                  struct budget *budget) {
  struct portfolio *portfolio =
      portfolio_new((struct method_task){.part = joined,
                                         .rules = boundaries->task.rules,
                                         .seed = boundaries->task.seed + boundaries->attempts});
  enum verdict verdict = portfolio ? VERDICT_OPEN : VERDICT_MEMORY;
  for (int turn = 0; turn < JOINTS_TURNS && verdict == VERDICT_OPEN; turn++)
    verdict = portfolio_step(portfolio, capacity, budget);
  if (verdict == VERDICT_FOUND)
    jigsaw_expand(jigsaw, joined, portfolio_offsets(portfolio), boundaries->offsets);
  portfolio_free(portfolio);
  return verdict;
}

/* Makes one attempt. */
static enum verdict boundaries_step(void *state, const struct turn *turn,
                                    struct budget *budget) {
  struct boundaries *boundaries = state;
  struct jigsaw jigsaw;
  struct part joined = {0};
  if (!jigsaw_init(&jigsaw, boundaries->task.part, boundaries->attempts++, budget))
    return VERDICT_MEMORY;
  budget_spend(budget, boundaries->task.part->count);
  enum verdict verdict = VERDICT_MEMORY;
  if (jigsaw_part(&jigsaw, &joined))
    verdict = search_joined(boundaries, &jigsaw, &joined, turn->capacity, budget);
  part_clear(&joined);
  jigsaw_clear(&jigsaw);
  if (verdict != VERDICT_REFUTED) return verdict;
  return budget_tick(budget) ? VERDICT_OPEN : VERDICT_STOPPED;
}

const struct method method_boundaries = {
    .name = "boundaries",
    .summary = "join buffers that, where sections are full, probably belong together",
    .share = {.every = 2},
    .finds_layouts = true,
    .create = boundaries_create,
    .free = boundaries_free,
    .step = boundaries_step,
};
