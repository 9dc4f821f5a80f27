/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * It is not certain which rectangles belong together, so each attempt joins them in a different
 * way and searches the joined part for a few restarts.  A layout of the joined part is a layout
 * of the part, but a refutation of it proves nothing.  An attempt costs one pass of the jigsaw
 * and ASSEMBLER_RESTARTS restarts of a decider.
 */
#include "search/assembler.h"

#include <stdlib.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/decider.h"
#include "search/jigsaw.h"

struct assembler {
  const struct part *part;
  struct rules rules;
  uint64_t seed, variant;
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

void assembler_free(struct assembler *assembler) {
  if (!assembler) return;
  free(assembler->offsets);
  free(assembler);
}

static enum verdict search_joined(struct assembler *assembler, struct jigsaw *jigsaw,
                                  const struct part *joined, neap_size capacity,
                                  struct budget *budget) {
  struct decider *decider =
      decider_new(joined, assembler->rules, assembler->seed + assembler->variant, 0);
  enum verdict verdict = decider ? VERDICT_OPEN : VERDICT_MEMORY;
  for (int restart = 0; restart < ASSEMBLER_RESTARTS && verdict == VERDICT_OPEN; restart++)
    verdict = decider_restart(decider, capacity, budget);
  if (verdict == VERDICT_FOUND)
    jigsaw_expand(jigsaw, joined, decider_offsets(decider), assembler->offsets);
  decider_free(decider);
  return verdict;
}

enum verdict assembler_restart(struct assembler *assembler, neap_size capacity,
                               struct budget *budget) {
  struct jigsaw jigsaw;
  struct part joined = {0};
  if (!jigsaw_init(&jigsaw, assembler->part, assembler->variant++, budget))
    return VERDICT_MEMORY;
  budget_spend(budget, assembler->part->count);
  enum verdict verdict = VERDICT_MEMORY;
  if (jigsaw_part(&jigsaw, &joined))
    verdict = search_joined(assembler, &jigsaw, &joined, capacity, budget);
  part_clear(&joined);
  jigsaw_clear(&jigsaw);
  if (verdict != VERDICT_REFUTED) return verdict;
  return budget_tick(budget) ? VERDICT_OPEN : VERDICT_STOPPED;
}

const neap_offset *assembler_offsets(const struct assembler *assembler) {
  return assembler->offsets;
}
