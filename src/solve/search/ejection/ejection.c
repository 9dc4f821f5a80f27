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
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/ejection/ejector.h"
#include "search/method.h"

struct descent {
  struct findings findings;
  const struct part *part;
  uint64_t seed;
  struct ejector *ejector; /* created on first use */
  neap_offset *best;       /* the lowest layout */
  neap_offset *guide;      /* the lowest layout from another search */
  neap_size guide_peak;    /* its peak, or NEAP_MAX */
  neap_size level;         /* where the stride starts, or NEAP_MAX */
  neap_size stride, target;
  uint64_t turns, patience; /* for the target */
  uint64_t goal_turns;      /* the factor for the goal */
};

static void ejection_free(void *state) {
  struct descent *descent = state;
  if (!descent) return;
  ejector_free(descent->ejector);
  free(descent->best);
  free(descent->guide);
  free(descent);
}

/* Without fixed rectangles and alignments, other searches do better. */
static bool ejection_create(const struct method_task *task, void **state) {
  const struct part *part = task->part;
  if (!part_is_constrained(part) || !ejector_suits(part)) return true;
  struct descent *descent = *state = memory_array(1, sizeof *descent);
  if (!descent) return false;
  descent->part = part;
  descent->seed = method_seed(task);
  descent->guide_peak = descent->level = NEAP_MAX;
  descent->stride = 1;
  descent->target = -1;
  descent->patience = DESCENT_PATIENCE;
  descent->goal_turns =
      part_is_fixed(part) && part->count <= DESCENT_SCRATCH_MOST ? DESCENT_FIXED_GOAL_TURNS : 1;
  descent->best = memory_array(part->count, sizeof *descent->best);
  descent->findings = (struct findings){.offsets = descent->best, .peak = NEAP_MAX};
  descent->guide = memory_array(part->count, sizeof *descent->guide);
  return descent->best && descent->guide;
}

/* Keeps a layout if it is lower than the one at `to`. */
static void keep_lower(const struct descent *descent, const neap_offset *offsets,
                       neap_offset *to, neap_size *to_peak) {
  neap_size peak = part_peak(descent->part, offsets);
  if (peak >= *to_peak) return;
  *to_peak = peak;
  memcpy(to, offsets, descent->part->count * sizeof *to);
}

/*
 * The descent continues from a guide once it is stuck with a higher layout of its own; in large
 * parts immediately.  If sizes were rounded up, the guide may be unsound.
 */
static void ejection_guide(void *state, const neap_offset *offsets) {
  struct descent *descent = state;
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
  if (descent->guide_peak < descent->findings.peak) go_on_from_guide(descent, goal);
  else begin_strides(descent, descent->level, goal);
}

/* After the target was reached. */
static void lower_level(struct descent *descent, neap_size goal) {
  neap_size stride = descent->stride;
  bool is_first = descent->findings.peak == NEAP_MAX;
  keep_lower(descent, ejector_offsets(descent->ejector), descent->best,
             &descent->findings.peak);
  begin_strides(descent, descent->findings.peak, goal);
  if (!is_first && stride < descent->stride / 2) descent->stride = 2 * stride;
}

static enum verdict ejection_step(void *state, const struct turn *turn, struct budget *budget) {
  struct descent *descent = state;
  const neap_size capacity = turn->capacity;
  const neap_size goal = turn->goal < capacity ? turn->goal : capacity;
  if (descent->findings.peak <= capacity) return VERDICT_FOUND;
  if (!make_ejector(descent)) return VERDICT_MEMORY;
  if (descent->level == NEAP_MAX) begin(descent, goal);
  aim(descent, capacity, goal);
  enum verdict verdict = ejector_run(descent->ejector, DESCENT_INSERTIONS, budget);
  if (verdict == VERDICT_OPEN) lose_patience(descent, goal);
  if (verdict != VERDICT_FOUND) return verdict;
  lower_level(descent, goal);
  return descent->findings.peak <= capacity ? VERDICT_FOUND : VERDICT_OPEN;
}

const struct method method_ejection = {
    .name = "ejection",
    .summary = "take rectangles out again that are in the way of others, where the search is "
               "stuck",
    .share = {.is_of_finders = true,
              .from = 16384,
              .ratio = {[SHARE_SMALL] = 0.01,
                        [SHARE_STUCK] = 4,
                        [SHARE_FIXED] = 1,
                        [SHARE_LEADING] = 4,
                        [SHARE_USUAL] = 0.5}},
    .finds_layouts = true,
    .is_local_search = true,
    .is_droppable = true,
    .create = ejection_create,
    .free = ejection_free,
    .step = ejection_step,
    .guide = ejection_guide,
};
