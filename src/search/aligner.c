/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Without alignments, a part is a weaker problem: where it does not fit a capacity, neither does the
 * part.  Where it does, its layout shows an order in which to put rectangles over each other, and a
 * climber (search/climber) changes that order until the padding fits, too.
 *
 *     exact search without alignments ──► order ──► climber ──► layout
 *                                    └──► refuted
 */
#include "search/aligner.h"

#include <assert.h>
#include <stdlib.h>

#include "core/memory.h"
#include "search/climber.h"
#include "search/decider.h"

/* How many changes of the order the first turn for a capacity tries, and the factor to the next. */
#define CHANGES 1000
#define GROWTH 1.1

/* When the growth starts over. */
#define CEILING 40

struct aligner {
  struct part loose; /* the part without alignments; shares all other arrays with it */
  struct decider *decider;
  struct climber *climber;
  neap_size capacity;
  neap_size
      loose_peak; /* of the lowest layout without alignments; NEAP_MAX before there is one */
  double growth;
};

static bool any_aligned(const struct part *part) {
  for (size_t i = 0; i < part->count; i++)
    if (part->alignment[i] != 1) return true;
  return false;
}

static bool make_loose(struct part *loose, const struct part *part) {
  *loose = *part;
  loose->is_unaligned = true;
  loose->alignment = memory_array(part->count, sizeof *loose->alignment);
  for (size_t i = 0; loose->alignment && i < part->count; i++)
    loose->alignment[i] = 1;
  return loose->alignment != NULL;
}

bool aligner_new(struct aligner **aligner, const struct part *part, struct rules rules,
                 uint64_t seed, uint64_t variant) {
  *aligner = NULL;
  if (!any_aligned(part) || !climber_suits(part)) return true;
  struct aligner *made = memory_array(1, sizeof *made);
  if (!made) return false;
  made->loose_peak = NEAP_MAX;
  made->capacity = -1;
  if (make_loose(&made->loose, part))
    made->decider = decider_new(&made->loose, rules, seed, variant);
  made->climber = climber_new(part, seed + variant);
  if (made->decider && made->climber) *aligner = made;
  else aligner_free(made);
  return *aligner != NULL;
}

void aligner_free(struct aligner *aligner) {
  if (!aligner) return;
  decider_free(aligner->decider);
  climber_free(aligner->climber);
  free(aligner->loose.alignment);
  free(aligner);
}

void aligner_guide(struct aligner *aligner, const neap_offset *offsets) {
  climber_adopt(aligner->climber, offsets);
}

static neap_size peak_of(const struct part *part, const neap_offset *offsets) {
  neap_size peak = 0;
  for (size_t i = 0; i < part->count; i++)
    if (offsets[i] + part->size[i] > peak) peak = offsets[i] + part->size[i];
  return peak;
}

/* Looks for a layout without alignments, and goes on from its order. */
static enum verdict search_loose(struct aligner *aligner, struct budget *budget) {
  if (aligner->loose_peak <= aligner->capacity) return VERDICT_FOUND;
  enum verdict verdict = decider_restart(aligner->decider, aligner->capacity, budget);
  if (verdict != VERDICT_FOUND) return verdict;
  const neap_offset *offsets = decider_offsets(aligner->decider);
  aligner->loose_peak = peak_of(&aligner->loose, offsets);
  climber_adopt(aligner->climber, offsets);
  return VERDICT_FOUND;
}

enum verdict aligner_restart(struct aligner *aligner, neap_size capacity,
                             struct budget *budget) {
  if (capacity != aligner->capacity) {
    aligner->capacity = capacity;
    aligner->growth = 1;
    climber_aim(aligner->climber, capacity);
  }
  enum verdict verdict = search_loose(aligner, budget);
  if (verdict != VERDICT_FOUND && verdict != VERDICT_OPEN) return verdict;
  verdict = climber_run(aligner->climber, (uint64_t)(CHANGES * aligner->growth), budget);
  aligner->growth = aligner->growth < CEILING ? aligner->growth * GROWTH : 1;
  return verdict;
}

const neap_offset *aligner_offsets(const struct aligner *aligner) {
  return climber_offsets(aligner->climber);
}
