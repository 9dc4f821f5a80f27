/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Restarts.  A search that has gone wrong early is seldom saved by patience: each restart may
 * fail only so often, tries rectangles in another order, and keeps the weights of the sections
 * (and, for the global search, the table of refuted states).  The allowance grows by a tenth
 * each time, so that in the end any tree is exhausted.
 *
 * Small parts are searched globally, which costs more at each node and needs far fewer of them
 * where it is tight; large ones valley by valley, which costs about as much as placing the
 * buffers once.  Where both suit, they take turns.
 */
#include "search/decider.h"

#include <stdlib.h>

#include "core/memory.h"
#include "search/cells.h"
#include "search/ranking.h"
#include "search/valley.h"

/* Up to this many rectangles the global search goes first. */
#define SMALL 400

struct decider {
  const struct part *part;
  struct cells *cells;   /* NULL where the part is too large */
  struct valley *valley; /* NULL where it is not simple */
  struct random random;
  double *merits;
  uint32_t *order, *rank;
  const neap_offset *offsets; /* of the last layout found */
  neap_size capacity;         /* of the last restart */
  uint64_t restarts;          /* for that capacity */
  uint64_t turns;             /* in all */
  double growth;
};

/*
 * Searches add heights to heights, and have numbers of their own for "out of reach": sums must
 * stay far below NEAP_MAX.
 */
bool decider_suits(const struct part *part) {
  return part->extent < NEAP_MAX / 16 && (part->is_simple || cells_fits(part));
}

struct decider *decider_new(const struct part *part, struct rules rules, uint64_t seed) {
  struct decider *decider = memory_array(1, sizeof *decider);
  if (!decider) return NULL;
  decider->part = part;
  decider->capacity = -1;
  decider->merits = memory_array(part->count, sizeof *decider->merits);
  decider->order = memory_array(part->count, sizeof *decider->order);
  decider->rank = memory_array(part->count, sizeof *decider->rank);
  bool made =
      decider->merits && decider->order && decider->rank && random_init(&decider->random, seed);
  if (made && part->is_simple) made = (decider->valley = valley_new(part)) != NULL;
  if (made && cells_fits(part)) made = (decider->cells = cells_new(part, rules)) != NULL;
  if (made) return decider;
  decider_free(decider);
  return NULL;
}

void decider_free(struct decider *decider) {
  if (!decider) return;
  cells_free(decider->cells);
  valley_free(decider->valley);
  random_clear(&decider->random);
  free(decider->merits);
  free(decider->order);
  free(decider->rank);
  free(decider);
}

/* Which search has the next turn. */
static bool takes_cells(const struct decider *decider) {
  if (!decider->cells || !decider->valley) return decider->cells != NULL;
  if (decider->part->count <= SMALL) return decider->restarts % 8 != 7;
  return decider->restarts >= 4 && decider->restarts % 2 == 1;
}

static enum verdict run_cells(struct decider *decider, struct budget *budget) {
  cells_start(decider->cells, decider->capacity, decider->rank);
  decider->offsets = cells_offsets(decider->cells);
  return cells_run(decider->cells, (uint64_t)(250 * decider->growth), budget);
}

static enum verdict run_valley(struct decider *decider, struct budget *budget) {
  uint64_t base = decider->part->count / 64 < 50 ? 50 : decider->part->count / 64;
  valley_start(decider->valley, decider->capacity, decider->rank);
  decider->offsets = valley_offsets(decider->valley);
  return valley_run(decider->valley, (uint64_t)((double)base * decider->growth), budget);
}

enum verdict decider_restart(struct decider *decider, neap_size capacity,
                             struct budget *budget) {
  if (capacity != decider->capacity) {
    decider->capacity = capacity;
    decider->restarts = 0;
    decider->growth = 1;
  }
  double noise = decider->restarts < ranking_count() ? 0 : 0.3;
  ranking_fill(ranking_at(decider->turns % ranking_count()), decider->part, noise,
               &decider->random, decider->merits, decider->order, decider->rank);
  enum verdict verdict =
      takes_cells(decider) ? run_cells(decider, budget) : run_valley(decider, budget);
  decider->restarts++;
  decider->turns++;
  decider->growth *= 1.1;
  return verdict;
}

const neap_offset *decider_offsets(const struct decider *decider) { return decider->offsets; }
