/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ejection works best with a capacity that it can reach with some effort, so the descent sets
 * its own target: a stride below the lowest layout.  The first stride goes to the goal.  The
 * stride doubles when the ejector reaches the target, and halves when it fails for a while.
 *
 *     lowest layout ──┐   ┌───┐
 *                     │   │   └──┐           reached: twice the stride
 *                     │   │      └────┐
 *                     │   │           └·····
 *     goal ───────────└···┘ given up: half the stride
 */
#include "search/descent.h"

#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/ejector.h"

struct descent {
  const struct part *part;
  uint64_t seed;
  struct ejector *ejector; /* created on first use */
  neap_offset *best;       /* the lowest layout */
  neap_size peak;          /* its peak, or NEAP_MAX */
  neap_offset *guide;      /* the lowest layout from another search */
  neap_size guide_peak;    /* its peak, or NEAP_MAX */
  neap_size level;         /* where the stride starts, or NEAP_MAX */
  neap_size stride, target;
  uint64_t turns, patience; /* for the target */
  uint64_t goal_turns;      /* the factor for the goal */
};

bool descent_new(struct descent **descent, const struct part *part, struct rules rules,
                 uint64_t seed) {
  *descent = NULL;
  if (!rules.ejection || !part_is_constrained(part) || !ejector_suits(part)) return true;
  struct descent *made = memory_array(1, sizeof *made);
  if (!made) return false;
  made->part = part;
  made->seed = seed;
  made->peak = made->guide_peak = made->level = NEAP_MAX;
  made->stride = 1;
  made->target = -1;
  made->patience = DESCENT_PATIENCE;
  made->goal_turns =
      part_is_fixed(part) && part->count <= DESCENT_SCRATCH_MOST ? DESCENT_FIXED_GOAL_TURNS : 1;
  made->best = memory_array(part->count, sizeof *made->best);
  made->guide = memory_array(part->count, sizeof *made->guide);
  if (made->best && made->guide) *descent = made;
  else descent_free(made);
  return *descent != NULL;
}

void descent_free(struct descent *descent) {
  if (!descent) return;
  ejector_free(descent->ejector);
  free(descent->best);
  free(descent->guide);
  free(descent);
}

/* Keeps a layout if it is lower than the one at `to`. */
static void keep_lower(const struct descent *descent, const neap_offset *offsets,
                       neap_offset *to, neap_size *to_peak) {
  neap_size peak = part_peak(descent->part, offsets);
  if (peak >= *to_peak) return;
  *to_peak = peak;
  memcpy(to, offsets, descent->part->count * sizeof *to);
}

void descent_guide(struct descent *descent, const neap_offset *offsets) {
  keep_lower(descent, offsets, descent->guide, &descent->guide_peak);
}

static neap_size next_target(const struct descent *descent, neap_size capacity,
                             neap_size goal) {
  if (descent->level == NEAP_MAX) return capacity;
  neap_size target = descent->level - descent->stride;
  return target > goal ? target : goal;
}

static void aim(struct descent *descent, neap_size capacity, neap_size goal) {
  neap_size target = next_target(descent, capacity, goal);
  if (target == descent->target) return;
  descent->target = target;
  descent->turns = 0;
  ejector_aim(descent->ejector, target);
}

static void begin_strides(struct descent *descent, neap_size level, neap_size goal) {
  descent->level = level;
  descent->stride = level > goal ? level - goal : 1;
}

static bool make_ejector(struct descent *descent) {
  if (!descent->ejector) descent->ejector = ejector_new(descent->part, descent->seed);
  return descent->ejector != NULL;
}

static void go_on_from_guide(struct descent *descent, neap_size goal) {
  begin_strides(descent, descent->guide_peak, goal);
  descent->target = next_target(descent, goal, goal);
  descent->turns = 0;
  ejector_begin(descent->ejector, descent->guide, descent->target);
}

/* Small parts start from nothing, which may lead to a layout unlike the guide. */
static void begin(struct descent *descent, neap_size goal) {
  if (descent->guide_peak == NEAP_MAX) return;
  if (descent->part->count > DESCENT_SCRATCH_MOST) go_on_from_guide(descent, goal);
  else begin_strides(descent, descent->guide_peak, goal);
}

/*
 * After a turn that left the target open.  A descent that is stuck continues from a lower
 * guide.
 */
static void lose_patience(struct descent *descent, neap_size goal) {
  uint64_t turns = descent->patience * (descent->target == goal ? descent->goal_turns : 1);
  if (++descent->turns < turns || descent->level == NEAP_MAX) return;
  descent->turns = 0;
  descent->stride /= 2;
  if (descent->stride > 0) return;
  descent->patience += DESCENT_PATIENCE;
  if (descent->guide_peak < descent->peak) go_on_from_guide(descent, goal);
  else begin_strides(descent, descent->level, goal);
}

/* After the target was reached. */
static void lower_level(struct descent *descent, neap_size goal) {
  neap_size stride = descent->stride;
  bool is_first = descent->peak == NEAP_MAX;
  keep_lower(descent, ejector_offsets(descent->ejector), descent->best, &descent->peak);
  begin_strides(descent, descent->peak, goal);
  if (!is_first && stride < descent->stride / 2) descent->stride = 2 * stride;
}

enum verdict descent_restart(struct descent *descent, neap_size capacity, neap_size goal,
                             struct budget *budget) {
  if (descent->peak <= capacity) return VERDICT_FOUND;
  if (!make_ejector(descent)) return VERDICT_MEMORY;
  if (descent->level == NEAP_MAX) begin(descent, goal);
  aim(descent, capacity, goal);
  enum verdict verdict = ejector_run(descent->ejector, DESCENT_INSERTIONS, budget);
  if (verdict == VERDICT_OPEN) lose_patience(descent, goal);
  if (verdict != VERDICT_FOUND) return verdict;
  lower_level(descent, goal);
  return descent->peak <= capacity ? VERDICT_FOUND : VERDICT_OPEN;
}

neap_size descent_peak(const struct descent *descent) { return descent->peak; }

const neap_offset *descent_offsets(const struct descent *descent) { return descent->best; }
