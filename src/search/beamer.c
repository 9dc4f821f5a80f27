/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A beam (search/cell_beam) succeeds or fails depending on its settings, and one beam is short.
 * So this file decides what each beam aims at and which settings it uses, and keeps the lowest
 * layout that any beam has found.
 *
 *   - Equal alignments: eight of every twelve beams aim at the goal, the others at the capacity.
 *     Every second beam uses the settings that have filled most of the part so far (`reached`, a
 *     moving average); the others take the settings in turn.
 *   - Different alignments: no bound is known to be tight, so capacity, goal and noise of each beam
 *     are drawn at random near what is known, and bytes above the goal count as waste.
 *
 * Cost: one beam per call; its snapshots take about BEAMER_SNAPSHOT_BYTES.  Capacities, goals
 * and peaks are in steps of the part, offsets in its units.
 *
 * Invariants: `peak` is the peak of `offsets`, and `known` is never above `peak`.  A beam that
 * fails proves nothing.  VERDICT_REFUTED means that some column cannot hold its rectangles from
 * the start, and it is passed on only for the capacity that the caller asked about.
 */
#include "search/beamer.h"

#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "core/memory.h"
#include "search/board_global.h"
#include "search/cell_beam.h"

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

struct beamer {
  const struct part *part;
  struct rules rules;
  struct random random;
  struct cell_beam *beam; /* created on first use */
  uint64_t turns;
  double reached[MANNERS]; /* how far each setting comes: a moving average */
  neap_offset *offsets;    /* of the lowest layout found */
  neap_size peak;          /* its peak in steps; NEAP_MAX before there is one */
  neap_size known;         /* the lowest peak known, from any search */
};

bool beamer_new(struct beamer **beamer, const struct part *part, struct rules rules,
                uint64_t seed) {
  *beamer = NULL;
  if (!rules.beams || !board_global_fits(part)) return true;
  struct beamer *made = memory_array(1, sizeof *made);
  if (!made) return false;
  made->part = part;
  made->rules = rules;
  made->peak = made->known = NEAP_MAX;
  made->offsets = memory_array(part->count, sizeof *made->offsets);
  if (made->offsets && random_init(&made->random, seed)) *beamer = made;
  else beamer_free(made);
  return *beamer != NULL;
}

void beamer_free(struct beamer *beamer) {
  if (!beamer) return;
  cell_beam_free(beamer->beam);
  random_clear(&beamer->random);
  free(beamer->offsets);
  free(beamer);
}

void beamer_know(struct beamer *beamer, neap_size peak) {
  if (peak < beamer->known) beamer->known = peak;
}

/* What a beam aims at, in steps. */
struct aim {
  neap_size capacity; /* the hard limit */
  neap_size goal;     /* bytes above it count as waste */
};

/*
 * Beams do not start from a layout and do well with little slack, so eight of every twelve
 * turns aim at the goal.
 */
static struct aim aim_to_decide(const struct beamer *beamer, neap_size capacity,
                                neap_size goal) {
  bool is_for_goal = beamer->turns / MANNERS % 3 < 2 && goal < capacity;
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
static struct aim aim_to_lower(struct beamer *beamer, neap_size capacity, neap_size goal) {
  double share = BEAMER_LEAST_ABOVE +
                 (BEAMER_MOST_ABOVE - BEAMER_LEAST_ABOVE) * random_share(&beamer->random);
  neap_size least = goal < capacity ? goal : capacity, most = raise(least, share);
  if (beamer->known < NEAP_MAX && most > raise(beamer->known, BEAMER_ABOVE_KNOWN))
    most = raise(beamer->known, BEAMER_ABOVE_KNOWN);
  if (most < capacity) most = capacity;
  neap_size aim = raise(least, BEAMER_GOAL_ABOVE * random_share(&beamer->random));
  return (struct aim){most, aim < most ? aim : most};
}

/* Settings take turns; every second turn goes to the one that has come furthest. */
static size_t next_manner(const struct beamer *beamer) {
  size_t best = 0;
  if (!beamer->part->is_unaligned) return beamer->turns % MANNERS;
  if (beamer->turns < MANNERS) return beamer->turns;
  if (beamer->turns % 2 == 0) return beamer->turns / 2 % MANNERS;
  for (size_t i = 1; i < MANNERS; i++)
    if (beamer->reached[i] > beamer->reached[best]) best = i;
  return best;
}

static enum verdict run_beam(struct beamer *beamer, struct aim aim, struct budget *budget) {
  size_t number = next_manner(beamer);
  struct cell_beam_manner manner = manners[number];
  if (!beamer->part->is_unaligned)
    manner.noise += (BEAMER_MOST_NOISE - manner.noise) * random_share(&beamer->random);
  manner.board.spare = part_capacity(beamer->part, aim.capacity).units -
                       part_capacity(beamer->part, aim.goal).units;
  enum verdict verdict =
      cell_beam_run(beamer->beam, aim.capacity, manner, &beamer->random, budget);
  double *reached = &beamer->reached[number];
  if (verdict != VERDICT_REFUTED) *reached += (cell_beam_reached(beamer->beam) - *reached) / 4;
  beamer->turns++;
  return verdict;
}

static void keep_lowest(struct beamer *beamer) {
  const neap_offset *offsets = cell_beam_offsets(beamer->beam);
  neap_size peak = part_peak(beamer->part, offsets);
  if (peak >= beamer->peak) return;
  beamer->peak = peak;
  memcpy(beamer->offsets, offsets, beamer->part->count * sizeof *offsets);
  beamer_know(beamer, peak);
}

enum verdict beamer_restart(struct beamer *beamer, neap_size capacity, neap_size goal,
                            struct budget *budget) {
  if (!beamer->beam)
    beamer->beam =
        cell_beam_new(board_global_new(beamer->part, beamer->rules), BEAMER_SNAPSHOT_BYTES);
  if (!beamer->beam) return VERDICT_MEMORY;
  struct aim aim = beamer->part->is_unaligned ? aim_to_decide(beamer, capacity, goal)
                                              : aim_to_lower(beamer, capacity, goal);
  enum verdict verdict = run_beam(beamer, aim, budget);
  if (verdict == VERDICT_FOUND) keep_lowest(beamer);
  if (verdict == VERDICT_FOUND && beamer->peak > capacity) return VERDICT_OPEN;
  return verdict == VERDICT_REFUTED && aim.capacity < capacity ? VERDICT_OPEN : verdict;
}

neap_size beamer_peak(const struct beamer *beamer) { return beamer->peak; }

const neap_offset *beamer_offsets(const struct beamer *beamer) { return beamer->offsets; }
