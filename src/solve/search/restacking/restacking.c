/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dropping the alignments relaxes a part: if the relaxed part does not fit a capacity, neither
 * does the part.  If it fits, its layout gives an order in which to stack the rectangles, and a
 * climber (search/restacking/climber) changes that order until the padding fits as well.
 *
 * Cost: a call is one restart of the unaligned search or a run of ALIGNER_CHANGES changes.  The
 * relaxed part counts in the units of the part.  Invariant: `loose_peak` is the peak of `from`.
 *
 *     exact search without alignments ──► order ──► climber ──► layout
 *                                    └──► refuted
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/portfolio.h"
#include "search/restacking/climber.h"

struct aligner {
  struct findings findings;
  struct part
      loose; /* the part without alignments; its buffers are the rectangles of the part */
  struct portfolio *portfolio;
  struct climber *climber;
  neap_offset *from;    /* the lowest unaligned layout */
  neap_size loose_peak; /* its peak; NEAP_MAX before there is one */
  bool is_fresh;        /* the climber has not started from it */
  bool has_begun;       /* the climber has started at least once */
  neap_size goal;       /* no unaligned layout below this is needed */
  neap_size target;     /* the capacity that the unaligned search tries */
  neap_size refuted;    /* no unaligned layout fits this; or -1 */
  uint64_t tries, patience;
  uint64_t loose_ticks, climb_ticks; /* spent so far */
};

static bool make_loose(struct part *loose, const struct part *part) {
  *loose = *part;
  loose->is_unaligned = true;
  loose->unit = 1;
  loose->buffer = NULL;
  loose->alignment = memory_array(part->count, sizeof *loose->alignment);
  loose->buffer = memory_array(part->count, sizeof *loose->buffer);
  if (!loose->alignment || !loose->buffer) return false;
  for (size_t i = 0; i < part->count; i++) {
    loose->alignment[i] = 1;
    loose->buffer[i] = i;
  }
  return true;
}

static void alignment_free(void *state) {
  struct aligner *aligner = state;
  if (!aligner) return;
  portfolio_free(aligner->portfolio);
  climber_free(aligner->climber);
  free(aligner->loose.alignment);
  free(aligner->loose.buffer);
  free(aligner->from);
  free(aligner);
}

static bool alignment_create(const struct method_task *task, void **state) {
  const struct part *part = task->part;
  if (part->is_unaligned || !climber_suits(part)) return true;
  struct aligner *aligner = *state = memory_array(1, sizeof *aligner);
  if (!aligner) return false;
  aligner->loose_peak = NEAP_MAX;
  aligner->goal = aligner->refuted = -1;
  aligner->patience = ALIGNER_PATIENCE;
  aligner->from = memory_array(part->count, sizeof *aligner->from);
  aligner->climber = climber_new(part, task->seed + task->variant, &aligner->findings);
  if (!aligner->from || !aligner->climber || !make_loose(&aligner->loose, part)) return false;
  struct method_task loose = *task;
  loose.part = &aligner->loose;
  aligner->portfolio = portfolio_new(loose);
  return aligner->portfolio != NULL;
}

/* Continues from the order of a layout unless the current order is better. */
static void alignment_guide(void *state, const neap_offset *offsets) {
  struct aligner *aligner = state;
  climber_adopt(aligner->climber, offsets);
}

static void begin_round(struct aligner *aligner) {
  aligner->target = aligner->goal;
  aligner->tries = 0;
}

static void set_goal(struct aligner *aligner, neap_size goal) {
  aligner->goal = goal;
  climber_aim(aligner->climber, goal);
  begin_round(aligner);
}

/* After enough open restarts, moves the target half way up to the lowest unaligned layout. */
static void raise_target(struct aligner *aligner) {
  if (++aligner->tries < aligner->patience) return;
  neap_size distance = aligner->loose_peak == NEAP_MAX
                           ? aligner->target / ALIGNER_STEP + 1
                           : (aligner->loose_peak - aligner->target) / 2;
  aligner->tries = 0;
  aligner->target += distance;
  if (distance > 0) return;
  aligner->patience += ALIGNER_PATIENCE;
  begin_round(aligner);
}

static void take_loose_layout(struct aligner *aligner) {
  const neap_offset *offsets = portfolio_offsets(aligner->portfolio);
  aligner->loose_peak = part_peak(&aligner->loose, offsets);
  assert(aligner->loose_peak <= aligner->target);
  memcpy(aligner->from, offsets, aligner->loose.count * sizeof *offsets);
  portfolio_guide(aligner->portfolio, aligner->from);
  aligner->is_fresh = true;
  begin_round(aligner);
}

/* Searches for a lower unaligned layout.  A refutation also holds for the part. */
static enum verdict search_loose(struct aligner *aligner, neap_size capacity,
                                 struct budget *budget) {
  neap_size target = aligner->target;
  enum verdict verdict = portfolio_step(aligner->portfolio, target, budget);
  if (verdict == VERDICT_FOUND) take_loose_layout(aligner);
  if (verdict == VERDICT_OPEN) raise_target(aligner);
  if (verdict == VERDICT_STOPPED || verdict == VERDICT_MEMORY) return verdict;
  if (verdict != VERDICT_REFUTED) return VERDICT_OPEN;
  assert(target > aligner->refuted);
  aligner->refuted = target;
  set_goal(aligner, target + 1);
  return capacity <= target ? VERDICT_REFUTED : VERDICT_OPEN;
}

/* Starts the climber over when it is stuck; sooner if there is a new layout to start from. */
static void begin_climb(struct aligner *aligner) {
  uint64_t most =
      (aligner->is_fresh ? ALIGNER_VAIN_FRESH : ALIGNER_VAIN) * aligner->loose.count;
  if (climber_vain(aligner->climber) <= most && aligner->has_begun) return;
  climber_begin(aligner->climber, aligner->from);
  aligner->is_fresh = false;
  aligner->has_begun = true;
}

static enum verdict climb(struct aligner *aligner, neap_size capacity, struct budget *budget) {
  struct climber *climber = aligner->climber;
  begin_climb(aligner);
  enum verdict verdict = climber_run(climber, ALIGNER_CHANGES, budget);
  if (verdict == VERDICT_STOPPED) return verdict;
  return aligner->findings.peak <= capacity ? VERDICT_FOUND : VERDICT_OPEN;
}

static enum verdict alignment_step(void *state, const struct turn *turn,
                                   struct budget *budget) {
  struct aligner *aligner = state;
  const neap_size capacity = turn->capacity;
  uint64_t before = budget->ticks;
  if (!budget_tick(budget)) return VERDICT_STOPPED;
  if (capacity <= aligner->refuted) return VERDICT_REFUTED;
  if (aligner->goal < 0 || capacity < aligner->goal) set_goal(aligner, capacity);
  if (aligner->findings.peak <= capacity) return VERDICT_FOUND;
  bool is_loose = aligner->loose_peak == NEAP_MAX ||
                  (aligner->loose_peak > aligner->goal &&
                   ALIGNER_CLIMB_SHARE * aligner->loose_ticks <= aligner->climb_ticks);
  enum verdict verdict =
      is_loose ? search_loose(aligner, capacity, budget) : climb(aligner, capacity, budget);
  *(is_loose ? &aligner->loose_ticks : &aligner->climb_ticks) += budget->ticks - before;
  return verdict;
}

const struct method method_restacking = {
    .name = "restacking",
    .summary = "climb from layouts that ignore alignments, where these differ",
    .share = {.ratio = {[SHARE_SMALL] = 1, [SHARE_USUAL] = 3}},
    .finds_layouts = true,
    .is_local_search = true,
    .create = alignment_create,
    .free = alignment_free,
    .step = alignment_step,
    .guide = alignment_guide,
};
