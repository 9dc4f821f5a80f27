/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which rectangles belong together is not certain.  So when what has been joined cannot be laid out
 * within the capacity, or is not within a few restarts, the rectangles are joined in another
 * way.  A layout of what has been joined is a layout of the part, but that there is none says
 * nothing.
 */
#include "search/assembler.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "search/decider.h"
#include "search/jigsaw.h"

/* How often a joined part is searched before the next is made: first, and how many more each time. */
#define TRIES 8

struct assembler {
  const struct part *part;
  struct rules rules;
  uint64_t seed, variant;
  struct jigsaw jigsaw;
  struct part joined;
  struct decider *decider; /* of the joined part; NULL: it must be made */
  uint64_t tries;
  neap_offset *offsets;
};

bool assembler_new(struct assembler **assembler, const struct part *part, struct rules rules,
                   uint64_t seed) {
  bool suits = false;
  *assembler = NULL;
  if (!rules.joints) return true;
  if (!jigsaw_test(part, &suits)) return false;
  if (!suits) return true;
  struct assembler *made = memory_array(1, sizeof *made);
  if (!made) return false;
  *made = (struct assembler){.part = part, .rules = rules, .seed = seed};
  made->rules.joints = false;
  made->offsets = memory_array(part->count, sizeof *made->offsets);
  if (made->offsets) *assembler = made;
  else assembler_free(made);
  return *assembler != NULL;
}

static void take_apart(struct assembler *assembler) {
  decider_free(assembler->decider);
  assembler->decider = NULL;
  part_clear(&assembler->joined);
  jigsaw_clear(&assembler->jigsaw);
  assembler->joined = (struct part){0};
}

void assembler_free(struct assembler *assembler) {
  if (!assembler) return;
  take_apart(assembler);
  free(assembler->offsets);
  free(assembler);
}

/* Joins the rectangles in the next way; false when memory is short. */
static bool put_together(struct assembler *assembler) {
  take_apart(assembler);
  assembler->tries = 0;
  if (!jigsaw_init(&assembler->jigsaw, assembler->part, assembler->variant++) ||
      !jigsaw_part(&assembler->jigsaw, &assembler->joined))
    return false;
  assembler->decider = decider_new(&assembler->joined, assembler->rules, assembler->seed, 0);
  return assembler->decider != NULL;
}

enum verdict assembler_restart(struct assembler *assembler, neap_size capacity,
                               struct budget *budget) {
  if (!assembler->decider) {
    if (!put_together(assembler)) {
      take_apart(assembler);
      return VERDICT_MEMORY;
    }
    budget_spend(budget, assembler->part->count);
    if (!budget_tick(budget)) return VERDICT_STOPPED;
  }
  enum verdict verdict = decider_restart(assembler->decider, capacity, budget);
  if (verdict == VERDICT_FOUND)
    jigsaw_expand(&assembler->jigsaw, &assembler->joined, decider_offsets(assembler->decider),
                  assembler->offsets);
  if (verdict == VERDICT_REFUTED ||
      (verdict == VERDICT_OPEN && ++assembler->tries >= TRIES * assembler->variant)) {
    take_apart(assembler);
    return VERDICT_OPEN;
  }
  return verdict;
}

const neap_offset *assembler_offsets(const struct assembler *assembler) {
  return assembler->offsets;
}
