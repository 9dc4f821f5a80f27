/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Depth-first search goes first; after a number of ticks, other methods get shares of the work:
 *
 * Beams (search/beamer) get most of the work, but only a fifth of it in small parts, where
 * depth-first search often proves that there is no layout.  In small parts with separations,
 * the orienter (search/orienter) gets most, because it proves more.  Coarser parts
 * (search/coarsener) get little: they are refuted soon or never.
 *
 * If alignments differ, the aligner gets much of the work.  With fixed rectangles, ejection
 * gets as much as all other methods that find layouts together, and four times as much once
 * these are stuck.  If only alignments differ, it gets half as much, and four times as much
 * while it has the lowest layout.
 *
 * The figures are from MiniMalloc's instances, with and without fixed offsets and alignments.
 */
#include "search/turns.h"

#include <assert.h>

#include "core/knobs.h"

struct turns turns_for(const struct part *part) {
  return (struct turns){.is_there = {[METHOD_BOARDS] = true},
                        .is_provable = part->count <= TURNS_PROVABLE,
                        .is_fixed = part_is_fixed(part),
                        .is_unaligned = part->is_unaligned};
}

/* A method may spend `share` of `work`, once that is at least `from`. */
struct claim {
  double share;
  uint64_t work, from;
};

static struct claim ejection_claim(const struct turns *turns) {
  const uint64_t *ticks = turns->ticks;
  uint64_t others = ticks[METHOD_BOARDS] + ticks[METHOD_BEAMS] + ticks[METHOD_ALIGNER];
  double share =
      turns->ejection_leads ? TURNS_LEADING_EJECTION_SHARE : TURNS_ALIGNED_EJECTION_SHARE;
  if (turns->is_fixed)
    share = others < TURNS_STUCK_FROM ? TURNS_FIXED_EJECTION_SHARE : TURNS_STUCK_EJECTION_SHARE;
  if (turns->is_provable) share = TURNS_PROVABLE_EJECTION_SHARE;
  return (struct claim){share, others, TURNS_EJECTION_FROM};
}

/* In small parts, coarser parts are refuted soon or never. */
static struct claim coarser_claim(const struct turns *turns) {
  bool soon = turns->is_provable && turns->ticks[METHOD_COARSER] < TURNS_COARSER_SOON;
  return (struct claim){soon ? TURNS_SOON_COARSER_SHARE : TURNS_COARSER_SHARE,
                        turns->ticks[METHOD_BOARDS], TURNS_COARSER_FROM};
}

static struct claim claim_of(const struct turns *turns, enum method method) {
  const bool is_provable = turns->is_provable;
  const uint64_t work = turns->ticks[METHOD_BOARDS];
  switch (method) {
  case METHOD_COARSER:
    return coarser_claim(turns);
  case METHOD_ORIENTER:
    return (struct claim){TURNS_ORIENTER_SHARE, work, TURNS_ORIENTER_FROM};
  case METHOD_EJECTION:
    return ejection_claim(turns);
  case METHOD_ALIGNER:
    return (struct claim){is_provable ? TURNS_PROVABLE_ALIGNER_SHARE : TURNS_ALIGNER_SHARE,
                          work, 0};
  case METHOD_BEAMS:
    if (is_provable) return (struct claim){TURNS_PROVABLE_BEAM_SHARE, work, TURNS_BEAMS_FROM};
    return (struct claim){turns->is_unaligned ? TURNS_BEAM_SHARE : TURNS_ALIGNED_BEAM_SHARE,
                          work, TURNS_BEAMS_FROM};
  default:
    return (struct claim){0, 0, 0};
  }
}

bool turns_is_due(const struct turns *turns, enum method method) {
  assert(method < METHOD_COUNT);
  if (!turns->is_there[method]) return false;
  struct claim claim = claim_of(turns, method);
  return claim.work >= claim.from &&
         (double)turns->ticks[method] < claim.share * (double)claim.work;
}

enum method turns_next(const struct turns *turns) {
  for (enum method method = METHOD_ORIENTER; method < METHOD_COUNT; method++)
    if (turns_is_due(turns, method)) return method;
  return METHOD_BOARDS;
}
