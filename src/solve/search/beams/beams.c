/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A beam (cell_beam) succeeds or fails depending on its settings, and one beam is short.
 * So this file decides what each beam aims at and which settings it uses, and keeps the lowest
 * layout that any beam has found.
 *
 *   - Equal alignments: eight of every twelve beams aim at the goal, the others at the capacity.
 *     Every second beam uses the settings that have filled most of the part so far (`reached`, a
 *     moving average); the others take the settings in turn.
 *   - Different alignments: no bound is known to be tight, so capacity, goal and noise of each beam
 *     are drawn at random, near the known peaks, and bytes above the goal count as waste.
 *
 * Cost: one beam per call; its snapshots take about BEAMS_SNAPSHOT_BYTES.  Capacities, goals
 * and peaks are in steps of the part, offsets in its units.
 *
 * Invariants: `peak` is the peak of `offsets`, and `known` is never above `peak`.  A beam that
 * fails proves nothing.  VERDICT_REFUTED means that some column cannot hold its rectangles from
 * the start, and it is passed on only for the capacity that the caller asked about.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/beams/cell_beam.h"
#include "search/boards/board_global.h"
#include "search/method.h"

#define NOISE 0.05

/*
 * Different parts need different settings, so the settings take turns, and every second turn
 * goes to the one that has come furthest.  Widths of 16 or 200 took several times as much work
 * per layout found.
 */
static const struct cell_beam_manner manners[] = {
    {50, {BOARD_LOWEST, 0.002, 0}, NOISE},
    {50, {BOARD_FEWEST, 0.002, 0}, NOISE},
    {50, {BOARD_FEWEST, 0.03, 0}, NOISE},
    {100, {BOARD_LOWEST, 0.002, 0}, NOISE},
};
#define MANNERS (sizeof manners / sizeof *manners)

/*
 * If alignments differ, a beam's capacity is drawn between BEAMS_LEAST_ABOVE and
 * BEAMS_MOST_ABOVE above the goal, but at most BEAMS_ABOVE_KNOWN above the lowest known peak.
 * The beam's own goal is at most BEAMS_GOAL_ABOVE above the goal, and its noise is at most
 * BEAMS_MOST_NOISE.  All are fractions.
 */

struct beams {
  struct findings findings;
  const struct part *part;
  struct rules rules;
  struct random random;
  struct cell_beam *beam; /* created on first use */
  uint64_t turns;
  double reached[MANNERS]; /* how far each setting comes: a moving average */
  neap_offset *offsets;    /* of the lowest layout found */
  neap_size known;         /* the lowest peak known, from any search */
};

static void beams_free(void *state) {
  struct beams *beams = state;
  if (!beams) return;
  cell_beam_free(beams->beam);
  random_clear(&beams->random);
  free(beams->offsets);
  free(beams);
}

static bool beams_create(const struct method_task *task, void **state) {
  const struct part *part = task->part;
  if (!board_global_pays(part) || !board_global_fits(part)) return true;
  struct beams *beams = *state = memory_array(1, sizeof *beams);
  if (!beams) return false;
  beams->part = part;
  beams->rules = task->rules;
  beams->offsets = memory_array(part->count, sizeof *beams->offsets);
  beams->findings = (struct findings){.offsets = beams->offsets, .peak = NEAP_MAX};
  beams->known = NEAP_MAX;
  return beams->offsets && random_init(&beams->random, method_seed(task));
}

/* Takes note of a layout with this peak. */
static void know(struct beams *beams, neap_size peak) {
  if (peak < beams->known) beams->known = peak;
}

static void beams_guide(void *state, const neap_offset *offsets) {
  struct beams *beams = state;
  know(beams, part_peak(beams->part, offsets));
}

/* The targets of a beam, in steps. */
struct aim {
  neap_size capacity; /* the hard limit */
  neap_size goal;     /* bytes above it count as waste */
};

/*
 * Beams do not start from a layout and do well with little slack, so eight of every twelve
 * turns aim at the goal.
 */
static struct aim aim_to_decide(const struct beams *beams, neap_size capacity, neap_size goal) {
  bool is_for_goal = beams->turns / MANNERS % 3 < 2 && goal < capacity;
  return is_for_goal ? (struct aim){goal, goal} : (struct aim){capacity, capacity};
}

static neap_size raise(neap_size size, double share) {
  return size + (neap_size)((double)size * share);
}

/*
 * With different alignments the lowest possible peak is unknown, and most beams fail if the
 * capacity is too low.  So a beam may end above the lowest known peak, and bytes above the goal
 * only count as waste.  The result depends more on capacity and goal than on noise, without a
 * regular pattern, so both are drawn at random.
 */
static struct aim aim_to_lower(struct beams *beams, neap_size capacity, neap_size goal) {
  double share =
      BEAMS_LEAST_ABOVE + (BEAMS_MOST_ABOVE - BEAMS_LEAST_ABOVE) * random_share(&beams->random);
  neap_size least = goal < capacity ? goal : capacity, most = raise(least, share);
  if (beams->known < NEAP_MAX && most > raise(beams->known, BEAMS_ABOVE_KNOWN))
    most = raise(beams->known, BEAMS_ABOVE_KNOWN);
  if (most < capacity) most = capacity;
  neap_size aim = raise(least, BEAMS_GOAL_ABOVE * random_share(&beams->random));
  return (struct aim){most, aim < most ? aim : most};
}

/* Settings take turns; every second turn goes to the one that has come furthest. */
static size_t next_manner(const struct beams *beams) {
  size_t best = 0;
  if (!beams->part->is_unaligned) return beams->turns % MANNERS;
  if (beams->turns < MANNERS) return beams->turns;
  if (beams->turns % 2 == 0) return beams->turns / 2 % MANNERS;
  for (size_t i = 1; i < MANNERS; i++)
    if (beams->reached[i] > beams->reached[best]) best = i;
  return best;
}

static enum verdict run_beam(struct beams *beams, struct aim aim, struct budget *budget) {
  assert(aim.goal <= aim.capacity);
  size_t number = next_manner(beams);
  struct cell_beam_manner manner = manners[number];
  if (!beams->part->is_unaligned)
    manner.noise += (BEAMS_MOST_NOISE - manner.noise) * random_share(&beams->random);
  manner.board.spare = part_capacity(beams->part, aim.capacity).units -
                       part_capacity(beams->part, aim.goal).units;
  enum verdict verdict =
      cell_beam_run(beams->beam, aim.capacity, manner, &beams->random, budget);
  double *reached = &beams->reached[number];
  if (verdict != VERDICT_REFUTED) *reached += (cell_beam_reached(beams->beam) - *reached) / 4;
  beams->turns++;
  return verdict;
}

static void keep_lowest(struct beams *beams) {
  const neap_offset *offsets = cell_beam_offsets(beams->beam);
  neap_size peak = part_peak(beams->part, offsets);
  if (peak >= beams->findings.peak) return;
  beams->findings.peak = peak;
  memcpy(beams->offsets, offsets, beams->part->count * sizeof *offsets);
  know(beams, peak);
}

/*
 * Runs one beam, for the capacity or for a goal below it.  VERDICT_REFUTED refutes the capacity
 * and not just the goal.
 */
static enum verdict beams_step(void *state, const struct turn *turn, struct budget *budget) {
  struct beams *beams = state;
  if (!beams->beam)
    beams->beam =
        cell_beam_new(board_global_new(beams->part, beams->rules), BEAMS_SNAPSHOT_BYTES);
  if (!beams->beam) return VERDICT_MEMORY;
  struct aim aim = beams->part->is_unaligned ? aim_to_decide(beams, turn->capacity, turn->goal)
                                             : aim_to_lower(beams, turn->capacity, turn->goal);
  enum verdict verdict = run_beam(beams, aim, budget);
  if (verdict == VERDICT_FOUND) keep_lowest(beams);
  if (verdict == VERDICT_FOUND && beams->findings.peak > turn->capacity) return VERDICT_OPEN;
  return verdict == VERDICT_REFUTED && aim.capacity < turn->capacity ? VERDICT_OPEN : verdict;
}

const struct method method_beams = {
    .name = "beams",
    .summary = "follow many partial layouts side by side where the search is stuck",
    .share = {.from = 65536, /* a beam costs as much as many restarts */
              .from_each = 20,
              .ratio = {[SHARE_SMALL] = 0.25, [SHARE_ALIGNED] = 8, [SHARE_USUAL] = 5}},
    .finds_layouts = true,
    .is_droppable = true,
    .create = beams_create,
    .free = beams_free,
    .step = beams_step,
    .guide = beams_guide,
};
