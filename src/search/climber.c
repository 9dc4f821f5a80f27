/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every layout that is pushed down follows from an order: put one rectangle after another on top of
 * what lies in its columns, at the next multiple of its alignment.  The climber changes the order at
 * random, by moving one rectangle or swapping two, and keeps a change unless it adds to the *area*
 * that sticks out above the capacity, summed over the columns:
 *
 *                    ┌──┐      ▒ area
 *     capacity ──────│▒▒│───┌───┐──
 *                 ┌──┤  ├───┤   │
 *                 │  │  │   │   │
 *
 * The area tells more than the peak: it falls bit by bit while many columns are too high.  Changes
 * that leave it as it is carry the search over plateaus.  Hill climbing over orders is what the
 * planner of Arm's Vela does, too, with the peak as the measure.
 *
 * With different alignments, what counts is which bytes are left between rectangles, and small changes
 * of the order change that a lot; exact search, which builds from below, sees it too late.  From an
 * order that packs well without alignments, a few thousand changes are often enough.
 *
 * A change costs the columns of all rectangles together.
 */
#include "search/climber.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/memory.h"
#include "core/random.h"

/* Beyond these numbers, changes cost too much. */
#define COUNT_MOST 2048
#define CELLS_MOST 100000

/* How many cells, each a rectangle in a column, take as long as a tick of the exact search. */
#define CELLS_PER_TICK 1024

/* Every other move of a rectangle is at most this far. */
#define NEAR 8

struct climber {
  const struct part *part;
  struct random random;
  uint32_t *order;
  uint32_t *spare; /* an order, while another one is tried */
  neap_offset *offsets;
  neap_offset *best; /* the offsets of the lowest layout */
  neap_size best_peak;
  neap_size *tops; /* per column */
  neap_size capacity;
  neap_size area;
  uint64_t cost; /* of a change, in ticks */
  uint64_t vain; /* changes since the area became less */
};

/* A rectangle that moves from one place of the order to another, or changes places with that there. */
struct change {
  uint32_t from, to;
  bool is_swap;
};

/* The number of cells: the columns of all rectangles together. */
static size_t count_cells(const struct part *part) {
  size_t cells = 0, spans = part->count > 0 ? part->spans_end[part->count - 1] : 0;
  for (size_t s = 0; s < spans; s++)
    cells += part->spans[s].end - part->spans[s].first;
  return cells;
}

bool climber_suits(const struct part *part) {
  return !part->ties && !part->padding && part->count >= 2 && part->count <= COUNT_MOST &&
         !part_is_fixed(part) && count_cells(part) <= CELLS_MOST;
}

struct climber *climber_new(const struct part *part, uint64_t seed) {
  assert(climber_suits(part));
  struct climber *climber = memory_array(1, sizeof *climber);
  if (!climber) return NULL;
  climber->part = part;
  climber->cost = 1 + count_cells(part) / CELLS_PER_TICK;
  climber->area = NEAP_MAX;
  climber->order = memory_array(part->count, sizeof *climber->order);
  climber->spare = memory_array(part->count, sizeof *climber->spare);
  climber->best_peak = NEAP_MAX;
  climber->offsets = memory_array(part->count, sizeof *climber->offsets);
  climber->best = memory_array(part->count, sizeof *climber->best);
  climber->tops = memory_array(part->column_count, sizeof *climber->tops);
  for (uint32_t i = 0; climber->order && i < part->count; i++)
    climber->order[i] = i;
  if (climber->order && climber->spare && climber->offsets && climber->best && climber->tops &&
      random_init(&climber->random, seed))
    return climber;
  climber_free(climber);
  return NULL;
}

void climber_free(struct climber *climber) {
  if (!climber) return;
  random_clear(&climber->random);
  free(climber->order);
  free(climber->spare);
  free(climber->offsets);
  free(climber->best);
  free(climber->tops);
  free(climber);
}

/* ---------------------------------------------------------------- layouts */

/* Puts a rectangle on top of what lies in its columns. */
static void put_on_top(struct climber *climber, uint32_t item) {
  const struct part *part = climber->part;
  const struct span *begin = part->spans + part_spans_begin(part, item);
  const struct span *end = part->spans + part->spans_end[item];
  neap_size *tops = climber->tops;
  neap_offset offset = 0;
  for (const struct span *span = begin; span < end; span++)
    for (uint32_t at = span->first; at < span->end; at++)
      offset = tops[at] > offset ? tops[at] : offset;
  if (part->alignment[item] != 1) offset = round_up(offset, part->alignment[item]);
  climber->offsets[item] = offset;
  neap_offset top = offset + part->size[item];
  for (const struct span *span = begin; span < end; span++)
    for (uint32_t at = span->first; at < span->end; at++)
      tops[at] = top;
}

/* Remembers the offsets of a layout if it is the lowest. */
static void keep_lowest(struct climber *climber, neap_size peak) {
  if (peak >= climber->best_peak) return;
  climber->best_peak = peak;
  memcpy(climber->best, climber->offsets, climber->part->count * sizeof *climber->best);
}

/* Lays the rectangles out in an order; returns the area above the capacity. */
static neap_size lay_out(struct climber *climber, const uint32_t *order) {
  const struct part *part = climber->part;
  memset(climber->tops, 0, part->column_count * sizeof *climber->tops);
  for (size_t k = 0; k < part->count; k++)
    put_on_top(climber, order[k]);
  neap_size area = 0, peak = 0;
  for (uint32_t at = 0; at < part->column_count; at++) {
    neap_size above = climber->tops[at] - climber->capacity;
    if (climber->tops[at] > peak) peak = climber->tops[at];
    if (above > 0) area = above > NEAP_MAX / 2 - area ? NEAP_MAX / 2 : area + above;
  }
  keep_lowest(climber, peak);
  return area;
}

void climber_aim(struct climber *climber, neap_size capacity) {
  climber->capacity = capacity;
  climber->area = lay_out(climber, climber->order);
}

static int by_offset(const void *left, const void *right, void *context) {
  const neap_offset *offsets = context;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  if (offsets[a] != offsets[b]) return offsets[a] < offsets[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Makes the spare order the current one if that has at most so much area. */
static void keep_spare(struct climber *climber, neap_size most) {
  neap_size area = lay_out(climber, climber->spare);
  climber->vain++;
  if (area > most) return;
  if (area < climber->area) climber->vain = 0;
  uint32_t *order = climber->order;
  climber->order = climber->spare;
  climber->spare = order;
  climber->area = area;
}

static void order_by_offset(struct climber *climber, const neap_offset *offsets) {
  for (uint32_t i = 0; i < climber->part->count; i++)
    climber->spare[i] = i;
  qsort_r(climber->spare, climber->part->count, sizeof *climber->spare, by_offset,
          (void *)(uintptr_t)offsets);
}

void climber_begin(struct climber *climber, const neap_offset *offsets) {
  order_by_offset(climber, offsets);
  keep_spare(climber, NEAP_MAX);
  climber->vain = 0;
}

void climber_adopt(struct climber *climber, const neap_offset *offsets) {
  order_by_offset(climber, offsets);
  keep_spare(climber, climber->area);
}

/* ---------------------------------------------------------------- changes */

static struct change draw_change(struct climber *climber) {
  uint32_t count = (uint32_t)climber->part->count;
  uint32_t from = random_below(&climber->random, count),
           kind = random_below(&climber->random, 3);
  uint32_t most = kind == 1 && count > NEAR ? NEAR : count - 1;
  uint32_t distance = 1 + random_below(&climber->random, most);
  /* Beyond an end of the order, it goes on at the other one. */
  bool is_back = kind == 1 && random_below(&climber->random, 2) == 0;
  if (is_back) distance = count - distance;
  return (struct change){from, (from + distance) % count, kind == 0};
}

/* Copies the order into the spare one, with a change. */
static void copy_changed(struct climber *climber, struct change change) {
  const uint32_t *order = climber->order;
  uint32_t *spare = climber->spare, from = change.from, to = change.to;
  memcpy(spare, order, climber->part->count * sizeof *spare);
  if (change.is_swap) spare[from] = order[to];
  else if (from < to) memmove(spare + from, order + from + 1, (to - from) * sizeof *spare);
  else memmove(spare + to + 1, order + to, (from - to) * sizeof *spare);
  spare[to] = order[from];
}

enum verdict climber_run(struct climber *climber, uint64_t changes, struct budget *budget) {
  for (; changes > 0 && climber->area > 0; changes--) {
    if (!budget_tick(budget)) return VERDICT_STOPPED;
    budget_spend(budget, climber->cost - 1);
    copy_changed(climber, draw_change(climber));
    keep_spare(climber, climber->area);
  }
  return climber->area > 0 ? VERDICT_OPEN : VERDICT_FOUND;
}

uint64_t climber_vain(const struct climber *climber) { return climber->vain; }

neap_size climber_peak(const struct climber *climber) { return climber->best_peak; }

const neap_offset *climber_offsets(const struct climber *climber) { return climber->best; }
