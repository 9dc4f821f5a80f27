/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beam search: many partial layouts side by side, of which only the best are followed. */
#ifndef SEARCH_CELL_BEAM_H
#define SEARCH_CELL_BEAM_H

#include "core/budget.h"
#include "core/random.h"
#include "search/board.h"

struct cell_beam;

/* How wide a beam is, and how it chooses. */
struct cell_beam_manner {
  uint32_t width;            /* how many partial layouts are followed per stage; >= 1 */
  struct board_manner board; /* its leeway > 0 */
  double noise;              /* by how much waste is raised at random, relative to itself */
};

/*
 * A beam over a board that can measure and make snapshots.  It owns the board from now on, even if it is
 * NULL or memory is short; then it returns NULL.  Snapshots take about `bytes`, but at least two are
 * made; a beam that would need more becomes narrower.
 */
struct cell_beam *cell_beam_new(struct board *board, size_t bytes);
void cell_beam_free(struct cell_beam *beam);

/*
 * Looks for a layout of at most `capacity` steps.  VERDICT_REFUTED comes only from the columns at the
 * beginning, VERDICT_OPEN if all that was followed has failed.  Spends a tick per rectangle placed
 * and another one per partial layout kept.
 */
enum verdict cell_beam_run(struct cell_beam *beam, neap_size capacity,
                           struct cell_beam_manner manner, struct random *random,
                           struct budget *budget);

/* How far the last run has come before all that it followed had failed: 0 .. 1. */
double cell_beam_reached(const struct cell_beam *beam);

/* Of the last layout found, in units; valid until the next run. */
const neap_offset *cell_beam_offsets(const struct cell_beam *beam);

#endif
