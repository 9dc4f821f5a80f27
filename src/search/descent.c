/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ejection wants a capacity that it can reach with some effort, so the descent sets its own: a stride
 * below the lowest layout.  The stride doubles when the ejector gets there, and is halved when it does
 * not for a while.
 *
 *     lowest layout ──┐
 *                     └──┐             stride doubles
 *                        └────┐
 *                        ┌────┘·····   given up: half a stride
 *                        └──┐
 *     goal ────────────────────────
 */
#include "search/descent.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "search/ejector.h"

/* How many rectangles are put in per turn. */
#define INSERTIONS 4000
/* How many turns a stride gets at first, and how many more after each round of strides. */
#define PATIENCE 4

struct descent {
  const struct part *part;
  uint64_t seed;
  struct ejector *ejector; /* made when first needed */
  neap_offset *best;       /* the lowest layout */
  neap_size peak;          /* its peak, or NEAP_MAX */
  neap_size stride, target;
  uint64_t turns, patience; /* for the target */
};

bool descent_new(struct descent **descent, const struct part *part, struct rules rules,
                 uint64_t seed) {
  *descent = NULL;
  if (!rules.ejection || !ejector_suits(part)) return true;
  struct descent *made = memory_array(1, sizeof *made);
  if (!made) return false;
  made->part = part;
  made->seed = seed;
  made->peak = NEAP_MAX;
  made->target = -1;
  made->patience = PATIENCE;
  made->best = memory_array(part->count, sizeof *made->best);
  if (made->best) *descent = made;
  else descent_free(made);
  return *descent != NULL;
}

void descent_free(struct descent *descent) {
  if (!descent) return;
  ejector_free(descent->ejector);
  free(descent->best);
  free(descent);
}

static neap_size peak_of(const struct part *part, const neap_offset *offsets) {
  neap_size peak = 0;
  for (size_t i = 0; i < part->count; i++) {
    neap_offset end = part_end(part, i, offsets[i]);
    if (end > peak) peak = end;
  }
  return peak;
}

/* Keeps a layout if it is the lowest. */
static bool take(struct descent *descent, const neap_offset *offsets) {
  neap_size peak = peak_of(descent->part, offsets);
  if (peak >= descent->peak) return false;
  descent->peak = peak;
  memcpy(descent->best, offsets, descent->part->count * sizeof *descent->best);
  descent->target = -1;
  return true;
}

void descent_guide(struct descent *descent, const neap_offset *offsets) {
  if (take(descent, offsets) && descent->ejector)
    ejector_begin(descent->ejector, descent->best);
}

static neap_size next_target(const struct descent *descent, neap_size capacity,
                             neap_size goal) {
  if (descent->peak == NEAP_MAX) return capacity;
  neap_size target = descent->peak - descent->stride;
  return target > goal ? target : goal;
}

static void aim(struct descent *descent, neap_size capacity, neap_size goal) {
  neap_size target = next_target(descent, capacity, goal);
  if (target == descent->target) return;
  descent->target = target;
  descent->turns = 0;
  ejector_aim(descent->ejector, target);
}

static bool make_ejector(struct descent *descent, neap_size goal) {
  if (descent->ejector) return true;
  descent->ejector = ejector_new(descent->part, descent->seed);
  if (!descent->ejector) return false;
  if (descent->peak != NEAP_MAX) ejector_begin(descent->ejector, descent->best);
  descent->stride = descent->peak == NEAP_MAX ? 1 : (descent->peak - goal) / 4 + 1;
  return true;
}

/* After a turn that left the target open. */
static void lose_patience(struct descent *descent, neap_size goal) {
  if (++descent->turns < descent->patience || descent->peak == NEAP_MAX) return;
  descent->turns = 0;
  descent->stride /= 2;
  if (descent->stride > 0) return;
  descent->stride = (descent->peak - goal) / 4 + 1;
  descent->patience += PATIENCE;
}

enum verdict descent_restart(struct descent *descent, neap_size capacity, neap_size goal,
                             struct budget *budget) {
  if (descent->peak <= capacity) return VERDICT_FOUND;
  if (!make_ejector(descent, goal)) return VERDICT_MEMORY;
  aim(descent, capacity, goal);
  enum verdict verdict = ejector_run(descent->ejector, INSERTIONS, budget);
  if (verdict == VERDICT_STOPPED) return verdict;
  if (verdict == VERDICT_OPEN) {
    lose_patience(descent, goal);
    return verdict;
  }
  take(descent, ejector_offsets(descent->ejector));
  descent->stride *= 2;
  return descent->peak <= capacity ? VERDICT_FOUND : VERDICT_OPEN;
}

neap_size descent_peak(const struct descent *descent) { return descent->peak; }

const neap_offset *descent_offsets(const struct descent *descent) { return descent->best; }
