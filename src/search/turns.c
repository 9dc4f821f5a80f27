/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Depth-first search goes first; after a number of ticks, other methods get shares of the work:
 *
 * Beams (search/beams/beams) get most of the work, but only a fifth of it in small parts, where
 * depth-first search often proves that there is no layout.  In small parts with separations,
 * the orienter (search/orienting/orienting) gets most, because it proves more.  Coarser parts
 * (search/coarsening) get little: they are refuted soon or never.
 *
 * If alignments differ, the aligner gets much of the work.  With fixed rectangles, ejection
 * gets as much as all other methods that find layouts together, and four times as much once
 * these are stuck.  If only alignments differ, it gets half as much, and four times as much
 * while it has the lowest layout.
 *
 * The figures are from MiniMalloc's instances, with and without fixed offsets and alignments.
 */
#include "search/turns.h"

/* Up to this number of rectangles, depth-first search often proves that there is no layout. */
#define PROVABLE 100

/* Shares, relative to the work of the boards. */
#define COARSER_SHARE 0.05
#define SOON_COARSER_SHARE 0.5
#define ORIENTER_SHARE 8
#define ALIGNER_SHARE 3
#define PROVABLE_ALIGNER_SHARE 1
#define BEAM_SHARE 5
#define ALIGNED_BEAM_SHARE 8
#define PROVABLE_BEAM_SHARE 0.25

/*
 * Shares, relative to the work of all other methods that find layouts, which count as stuck
 * from STUCK_FROM ticks on.
 */
#define FIXED_EJECTION_SHARE 1
#define STUCK_EJECTION_SHARE 4
#define ALIGNED_EJECTION_SHARE 0.5
#define LEADING_EJECTION_SHARE 4
#define PROVABLE_EJECTION_SHARE 0.01
#define STUCK_FROM 2097152

/*
 * Ticks of the boards after which other methods start.  A beam costs as much as many restarts.
 */
#define COARSER_FROM 2048
#define ORIENTER_FROM 512
#define COARSER_SOON 65536
#define EJECTION_FROM 16384
#define BEAMS_FROM 65536

struct turns turns_for(const struct part *part) {
  return (struct turns){.is_there = {[METHOD_BOARDS] = true},
                        .is_provable = part->count <= PROVABLE,
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
  double share = turns->ejection_leads ? LEADING_EJECTION_SHARE : ALIGNED_EJECTION_SHARE;
  if (turns->is_fixed)
    share = others < STUCK_FROM ? FIXED_EJECTION_SHARE : STUCK_EJECTION_SHARE;
  if (turns->is_provable) share = PROVABLE_EJECTION_SHARE;
  return (struct claim){share, others, EJECTION_FROM};
}

/* In small parts, coarser parts are refuted soon or never. */
static struct claim coarser_claim(const struct turns *turns) {
  bool soon = turns->is_provable && turns->ticks[METHOD_COARSER] < COARSER_SOON;
  return (struct claim){soon ? SOON_COARSER_SHARE : COARSER_SHARE, turns->ticks[METHOD_BOARDS],
                        COARSER_FROM};
}

static struct claim claim_of(const struct turns *turns, enum method method) {
  const bool is_provable = turns->is_provable;
  const uint64_t work = turns->ticks[METHOD_BOARDS];
  switch (method) {
  case METHOD_COARSER:
    return coarser_claim(turns);
  case METHOD_ORIENTER:
    return (struct claim){ORIENTER_SHARE, work, ORIENTER_FROM};
  case METHOD_EJECTION:
    return ejection_claim(turns);
  case METHOD_ALIGNER:
    return (struct claim){is_provable ? PROVABLE_ALIGNER_SHARE : ALIGNER_SHARE, work, 0};
  case METHOD_BEAMS:
    if (is_provable) return (struct claim){PROVABLE_BEAM_SHARE, work, BEAMS_FROM};
    return (struct claim){turns->is_unaligned ? BEAM_SHARE : ALIGNED_BEAM_SHARE, work,
                          BEAMS_FROM};
  default:
    return (struct claim){0, 0, 0};
  }
}

bool turns_is_due(const struct turns *turns, enum method method) {
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
