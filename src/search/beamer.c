/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "search/beamer.h"

#include <stdlib.h>

#include "core/memory.h"
#include "search/board_global.h"
#include "search/cell_beam.h"

#define NOISE 0.05
#define SNAPSHOT_BYTES ((size_t)1 << 24)

/*
 * Which manner succeeds first differs from part to part, so they take turns, and every other turn
 * goes to the one that has come furthest.  Beams of 16 or 200 took several times as much work per
 * layout found.
 */
static const struct cell_beam_manner manners[] = {
    {50, {BOARD_LOWEST, 0.002}, NOISE},
    {50, {BOARD_FEWEST, 0.002}, NOISE},
    {50, {BOARD_FEWEST, 0.03}, NOISE},
    {100, {BOARD_LOWEST, 0.002}, NOISE},
};
#define MANNERS (sizeof manners / sizeof *manners)

struct beamer {
  const struct part *part;
  struct rules rules;
  struct random random;
  struct cell_beam *beam; /* made when first needed */
  uint64_t turns;
  double reached[MANNERS]; /* how far each manner comes: a moving average */
};

bool beamer_new(struct beamer **beamer, const struct part *part, struct rules rules,
                uint64_t seed) {
  *beamer = NULL;
  if (!rules.beams || !board_global_fits(part)) return true;
  struct beamer *made = memory_array(1, sizeof *made);
  if (!made) return false;
  made->part = part;
  made->rules = rules;
  if (random_init(&made->random, seed)) *beamer = made;
  else free(made);
  return *beamer != NULL;
}

void beamer_free(struct beamer *beamer) {
  if (!beamer) return;
  cell_beam_free(beamer->beam);
  random_clear(&beamer->random);
  free(beamer);
}

/*
 * Beams need no layout to begin with, and succeed where slack is short.  So eight of every twelve
 * turns aim at the goal.
 */
static neap_size next_capacity(const struct beamer *beamer, neap_size capacity,
                               neap_size goal) {
  return beamer->turns / MANNERS % 3 < 2 && goal < capacity ? goal : capacity;
}

/* Each in turn, and every other time the one that has come furthest. */
static size_t next_manner(const struct beamer *beamer) {
  size_t best = 0;
  if (beamer->turns < MANNERS) return beamer->turns;
  if (beamer->turns % 2 == 0) return beamer->turns / 2 % MANNERS;
  for (size_t i = 1; i < MANNERS; i++)
    if (beamer->reached[i] > beamer->reached[best]) best = i;
  return best;
}

enum verdict beamer_restart(struct beamer *beamer, neap_size capacity, neap_size goal,
                            struct budget *budget) {
  neap_size wanted = next_capacity(beamer, capacity, goal);
  if (!beamer->beam)
    beamer->beam = cell_beam_new(board_global_new(beamer->part, beamer->rules), SNAPSHOT_BYTES);
  if (!beamer->beam) return VERDICT_MEMORY;
  size_t manner = next_manner(beamer);
  double *reached = &beamer->reached[manner];
  enum verdict verdict =
      cell_beam_run(beamer->beam, wanted, manners[manner], &beamer->random, budget);
  if (verdict != VERDICT_REFUTED) *reached += (cell_beam_reached(beamer->beam) - *reached) / 4;
  beamer->turns++;
  return verdict == VERDICT_REFUTED && wanted < capacity ? VERDICT_OPEN : verdict;
}

const neap_offset *beamer_offsets(const struct beamer *beamer) {
  return beamer->beam ? cell_beam_offsets(beamer->beam) : NULL;
}
