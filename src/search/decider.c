/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Restarts.  A search that has gone wrong early is seldom saved by patience: each restart may
 * fail only so often, tries rectangles in another order, and keeps the weights of the sections
 * (and, for the global search, the table of refuted states).  The allowance grows by a tenth
 * each time up to a ceiling, then begins anew and grows to twice that: luck has many tries, and
 * in the end any tree is exhausted.
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

/* Up to this many rectangles the global search goes first, */
#define SMALL 400
/* and up to this many it takes turns where the other suits, too: its nodes cost more, the larger
 * the part. */
#define MEDIUM 2048

/* How many failures the first restart may have, at least, and what each is allowed more. */
#define CELLS_BASE 60
#define VALLEY_BASE 50
#define GROWTH 1.1

/* How far the allowance grows before it begins anew; the next time it is twice as far. */
#define CEILING 40

/* After how many restarts of the global search weights are forgotten: they have then heaped up on
 * a few sections, and every restart fails there early. */
#define MEMORY 40

/* How far merits are raised at random, of themselves; and offsets, of the capacity. */
#define NOISE 0.1
#define GUIDE_NOISE 0.003

struct decider {
  const struct part *part;
  struct rules rules;
  struct cells *cells; /* made when first needed, as the valley is */
  struct valley *valley;
  struct random random;
  double *merits;
  uint32_t *order, *rank;
  const neap_offset *offsets; /* of the last layout found */
  neap_offset *guide;         /* offsets of the layout to be lowered, in units */
  bool is_guided;
  neap_size capacity;                 /* of the last restart */
  uint64_t restarts;                  /* for that capacity */
  uint64_t cells_turns, valley_turns; /* in all */
  double base, growth, ceiling;       /* of what a restart is allowed */
};

/*
 * Searches add heights to heights, and have numbers of their own for "out of reach": sums must
 * stay far below NEAP_MAX.
 */
bool decider_suits(const struct part *part) {
  return part->extent < NEAP_MAX / 16 && (part->is_simple || cells_fits(part));
}

struct decider *decider_new(const struct part *part, struct rules rules, uint64_t seed,
                            uint64_t variant) {
  struct decider *decider = memory_array(1, sizeof *decider);
  if (!decider) return NULL;
  decider->part = part;
  decider->rules = rules;
  /* Others begin with noise, each with another order. */
  if (variant > 0) decider->cells_turns = decider->valley_turns = 8 * ranking_count() + variant;
  decider->base = variant % 2 == 0 ? 1 : 8;
  decider->capacity = -1;
  decider->merits = memory_array(part->count, sizeof *decider->merits);
  decider->guide = memory_array(part->count, sizeof *decider->guide);
  decider->order = memory_array(part->count, sizeof *decider->order);
  decider->rank = memory_array(part->count, sizeof *decider->rank);
  if (decider->guide && decider->merits && decider->order && decider->rank &&
      random_init(&decider->random, seed + variant * UINT64_C(0x9e3779b97f4a7c15)))
    return decider;
  decider_free(decider);
  return NULL;
}

void decider_free(struct decider *decider) {
  if (!decider) return;
  cells_free(decider->cells);
  valley_free(decider->valley);
  random_clear(&decider->random);
  free(decider->guide);
  free(decider->merits);
  free(decider->order);
  free(decider->rank);
  free(decider);
}

/* Which search has the next turn. */
static bool takes_cells(const struct decider *decider) {
  const struct part *part = decider->part;
  if (!part->is_simple) return true;
  if (part->count > MEDIUM || (part->count > SMALL && decider->restarts < 2)) return false;
  return decider->restarts % 8 != 7;
}

static enum verdict run_cells(struct decider *decider, struct budget *budget) {
  if (!decider->cells) decider->cells = cells_new(decider->part, decider->rules);
  if (!decider->cells) return VERDICT_MEMORY;
  if (decider->cells_turns % MEMORY == 0) cells_forget(decider->cells);
  cells_start(decider->cells, decider->capacity, decider->rank);
  decider->offsets = cells_offsets(decider->cells);
  double count = (double)decider->part->count / 16;
  double base = CELLS_BASE > count * count / 2000 ? CELLS_BASE : count * count / 2000;
  return cells_run(decider->cells, (uint64_t)(base * decider->growth), budget);
}

static enum verdict run_valley(struct decider *decider, struct budget *budget) {
  if (!decider->valley) decider->valley = valley_new(decider->part);
  if (!decider->valley) return VERDICT_MEMORY;
  double base = (double)decider->part->count / 16;
  if (base < VALLEY_BASE) base = VALLEY_BASE;
  valley_start(decider->valley, decider->capacity, decider->rank);
  decider->offsets = valley_offsets(decider->valley);
  return valley_run(decider->valley, (uint64_t)(base * decider->growth), budget);
}

/* From the lowest to the highest in the layout to be lowered, with a little noise. */
static void rank_as_guided(struct decider *decider) {
  double most = GUIDE_NOISE * (double)decider->capacity;
  for (uint32_t i = 0; i < decider->part->count; i++) {
    double noise = (double)random_below(&decider->random, 1u << 20) / (1u << 20);
    decider->merits[i] = -(double)decider->guide[i] - most * noise;
  }
  ranking_by_merits(decider->part->count, decider->merits, decider->order, decider->rank);
}

/* The next of the orders to try rectangles in: each as it is at first, then at random. */
static void rank(struct decider *decider, bool global, uint64_t turn) {
  if (decider->is_guided && turn % 4 == 3) {
    rank_as_guided(decider);
    return;
  }
  /* Long lives first is best so often that it has every other turn; then come large areas, in
   * the valley search large sizes. */
  uint64_t others = ranking_count() - 1;
  size_t which = turn % 2 == 0 ? 0 : (size_t)(1 + (turn / 2 + (global ? 0 : 1)) % others);
  double noise = turn == 0 || (turn % 2 == 1 && turn / 2 < others) ? 0 : NOISE;
  ranking_fill(ranking_at(which), decider->part, noise, &decider->random, decider->merits,
               decider->order, decider->rank);
}

enum verdict decider_restart(struct decider *decider, neap_size capacity,
                             struct budget *budget) {
  if (capacity != decider->capacity) {
    decider->capacity = capacity;
    decider->restarts = 0;
    decider->growth = decider->base;
    decider->ceiling = CEILING * decider->base;
  }
  bool global = takes_cells(decider);
  rank(decider, global, global ? decider->cells_turns++ : decider->valley_turns++);
  enum verdict verdict = global ? run_cells(decider, budget) : run_valley(decider, budget);
  decider->restarts++;
  decider->growth *= GROWTH;
  if (decider->growth < decider->ceiling) return verdict;
  decider->growth = decider->base;
  decider->ceiling *= 2;
  return verdict;
}

void decider_guide(struct decider *decider, const neap_offset *offsets) {
  for (uint32_t i = 0; i < decider->part->count; i++)
    decider->guide[i] = offsets[decider->part->buffer[i]] / decider->part->unit;
  decider->is_guided = true;
}

const neap_offset *decider_offsets(const struct decider *decider) { return decider->offsets; }
