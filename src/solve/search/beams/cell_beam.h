/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Beam search: extends many partial layouts in parallel and keeps only the best. */
#ifndef SEARCH_BEAMS_CELL_BEAM_H
#define SEARCH_BEAMS_CELL_BEAM_H

#include "core/budget.h"
#include "core/random.h"
#include "search/boards/board.h"

struct cell_beam;

/* The width of a beam, and the way it chooses cells. */
struct cell_beam_manner {
  uint32_t width;            /* how many partial layouts are followed per stage; >= 1 */
  struct board_manner board; /* its leeway > 0 */
  double noise; /* the most by which waste is raised at random, relative to itself */
};

/*
 * A beam over a board that supports measures and snapshots.  Takes ownership of the board in
 * any case; returns NULL if the board is NULL or memory is short.  Snapshots take about
 * `bytes`, but there are at least two; a beam that would need more becomes narrower.
 */
struct cell_beam *cell_beam_new(struct board *board, size_t bytes);
void cell_beam_free(struct cell_beam *beam);

/*
 * Looks for a layout of at most `capacity` steps.  VERDICT_REFUTED if some column cannot hold
 * its rectangles from the start; VERDICT_OPEN if all partial layouts that were followed have
 * failed.  Spends a tick per rectangle placed and another one per partial layout kept.
 */
enum verdict cell_beam_run(struct cell_beam *beam, neap_size capacity,
                           struct cell_beam_manner manner, struct random *random,
                           struct budget *budget);

/* The last stage that the last run reached, as a share of all: 0 .. 1. */
double cell_beam_reached(const struct cell_beam *beam);

/* The offsets of the last layout found, in units; valid until the next run. */
const neap_offset *cell_beam_offsets(const struct cell_beam *beam);

#endif
