/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every layout that is pushed down follows from an order: put each rectangle on top of the
 * rectangles already in its columns, at the next multiple of its alignment.  The climber
 * changes the order at random, by moving one rectangle or swapping two, and watches the *area*
 * that sticks out above the capacity, summed over the columns:
 *
 *                    ┌──┐      ▒ area
 *     capacity ──────│▒▒│───┌───┐──
 *                 ┌──┤  ├───┤   │
 *                 │  │  │   │   │
 *
 * The area says more than the peak: it falls bit by bit while many columns are too high.  A
 * change that adds a little area is accepted, too, so that the search can leave a local optimum
 * (threshold accepting, Dueck and Scheuer 1990, with thresholds drawn as in simulated
 * annealing).  Half of the changes target a gap: such a change picks a column that is too high
 * and a rectangle there with lost bytes below it, and moves or swaps that rectangle.
 *
 * Most changes are bad and are recognised early: all sizes still to come count from the start,
 * so the area only grows while rectangles are placed, and a change is rejected as soon as the
 * area exceeds the threshold.  Rectangles before the first change in the order are not placed
 * again; the state of the columns is saved every CLIMBER_STRIDE rectangles for that.
 *
 * With different alignments, the peak depends on the padding between rectangles, and small
 * changes of the order change it a lot.  Exact search builds from below and sees it too late.
 * Many small changes to an order that packs well without alignments do better.
 *
 * Cost: trying a change visits each cell (a rectangle in a column) at most once.  Accepting it
 * visits the cells once more and copies all columns once per CLIMBER_STRIDE rectangles.
 */
#include "search/restacking/climber.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/random.h"

/* The state of the columns before some rectangle of the order is placed. */
struct stage {
  neap_size *tops;
  neap_size *
      sums; /* per column: its top plus the sizes still to come, a lower bound of its final top */
  neap_size area; /* by which the sums exceed the capacity */
};

struct climber {
  const struct part *part;
  struct random random;
  uint32_t *order;
  uint32_t *spare; /* the order that is being tried */
  neap_offset *offsets;
  neap_offset *best; /* the offsets of the lowest layout */
  struct findings *found;
  struct stage now, *stages;  /* the saved states: one per CLIMBER_STRIDE places of the order */
  neap_size *cells;           /* of all stages */
  uint32_t *places;           /* scratch: places in the order */
  neap_size *tops;            /* of the order, per column */
  neap_size capacity;         /* in units */
  neap_size area, least_area; /* of the order, and its minimum since climber_begin */
  double warmth;
  uint64_t work; /* cells not yet counted as ticks */
  uint64_t vain; /* changes since the area last fell to a new minimum */
};

/* A rectangle that moves from one place of the order to another, or swaps with the one there. */
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
  return !part->ties && part->count >= 2 && part->count <= CLIMBER_COUNT_MOST &&
         !part_is_fixed(part) && part->extent <= NEAP_MAX / 2 / part->column_count &&
         count_cells(part) <= CLIMBER_CELLS_MOST &&
         (part->count / CLIMBER_STRIDE + 2) * part->column_count <= CLIMBER_STAGE_CELLS_MOST;
}

/* ---------------------------------------------------------------- making */

static bool make_stages(struct climber *climber) {
  size_t columns = climber->part->column_count,
         count = climber->part->count / CLIMBER_STRIDE + 2;
  climber->stages = memory_array(count, sizeof *climber->stages);
  climber->cells = memory_array(count * columns * 2, sizeof *climber->cells);
  if (!climber->stages || !climber->cells) return false;
  for (size_t k = 0; k < count; k++)
    climber->stages[k] = (struct stage){.tops = climber->cells + 2 * k * columns,
                                        .sums = climber->cells + (2 * k + 1) * columns};
  climber->now = climber->stages[count - 1];
  return true;
}

/* Sums up the sizes in each column. */
static void sum_sizes(struct climber *climber) {
  const struct part *part = climber->part;
  for (size_t i = 0; i < part->count; i++)
    for (size_t s = part_spans_begin(part, i); s < part->spans_end[i]; s++)
      for (uint32_t at = part->spans[s].first; at < part->spans[s].end; at++)
        climber->stages[0].sums[at] += part->size[i];
}

static double warmth_of(const struct part *part) {
  neap_size largest = 1;
  for (size_t i = 0; i < part->count; i++)
    if (part->alignment[i] > largest) largest = part->alignment[i];
  return CLIMBER_WARMTH * (double)largest;
}

void climber_free(struct climber *climber) {
  if (!climber) return;
  random_clear(&climber->random);
  free(climber->order);
  free(climber->spare);
  free(climber->places);
  free(climber->offsets);
  free(climber->best);
  free(climber->tops);
  free(climber->stages);
  free(climber->cells);
  free(climber);
}

/* ---------------------------------------------------------------- layouts */

static neap_size above(const struct climber *climber, neap_size height) {
  return height > climber->capacity ? height - climber->capacity : 0;
}

/* Puts a rectangle on top of its columns; returns its offset. */
static neap_offset put_on_top(struct climber *climber, uint32_t item) {
  const struct part *part = climber->part;
  const struct span *begin = part->spans + part_spans_begin(part, item);
  const struct span *end = part->spans + part->spans_end[item];
  neap_size *tops = climber->now.tops, *sums = climber->now.sums;
  neap_offset offset = 0;
  for (const struct span *span = begin; span < end; span++) {
    climber->work += span->end - span->first;
    for (uint32_t at = span->first; at < span->end; at++)
      offset = tops[at] > offset ? tops[at] : offset;
  }
  if (part->alignment[item] != 1) offset = round_up(offset, part->alignment[item]);
  neap_offset top = offset + part->size[item], area = climber->now.area;
  for (const struct span *span = begin; span < end; span++)
    for (uint32_t at = span->first; at < span->end; at++) {
      area -= above(climber, sums[at]);
      sums[at] += offset - tops[at];
      area += above(climber, sums[at]);
      tops[at] = top;
    }
  climber->now.area = area;
  return offset;
}

static void copy_stage(const struct climber *climber, struct stage *to,
                       const struct stage *from) {
  memcpy(to->tops, from->tops, climber->part->column_count * sizeof *to->tops);
  memcpy(to->sums, from->sums, climber->part->column_count * sizeof *to->sums);
  to->area = from->area;
}

/*
 * Restores the last saved state at or before a place of the order; returns that state's place.
 */
static uint32_t go_back(struct climber *climber, uint32_t place) {
  copy_stage(climber, &climber->now, &climber->stages[place / CLIMBER_STRIDE]);
  return place / CLIMBER_STRIDE * CLIMBER_STRIDE;
}

/* Remembers the offsets of a layout if it is the lowest. */
static void keep_lowest(struct climber *climber) {
  neap_size peak = 0;
  for (uint32_t at = 0; at < climber->part->column_count; at++)
    if (climber->tops[at] > peak) peak = climber->tops[at];
  if (peak * climber->part->steps >= climber->found->peak) return;
  climber->found->peak = peak * climber->part->steps;
  memcpy(climber->best, climber->offsets, climber->part->count * sizeof *climber->best);
}

/* Lays the rectangles out in the order, which has changed from `from` on. */
static void lay_out(struct climber *climber, uint32_t from) {
  for (uint32_t k = go_back(climber, from); k < climber->part->count; k++) {
    if (k % CLIMBER_STRIDE == 0)
      copy_stage(climber, &climber->stages[k / CLIMBER_STRIDE], &climber->now);
    climber->offsets[climber->order[k]] = put_on_top(climber, climber->order[k]);
  }
  climber->area = climber->now.area;
  memcpy(climber->tops, climber->now.tops, climber->part->column_count * sizeof *climber->tops);
  keep_lowest(climber);
}

/* Whether the spare order, which differs from `from` on, has an area of at most `most`. */
static bool is_good(struct climber *climber, uint32_t from, neap_size most) {
  uint32_t k = go_back(climber, from);
  while (k < climber->part->count && climber->now.area <= most)
    put_on_top(climber, climber->spare[k++]);
  return climber->now.area <= most;
}

/* Makes the spare order the current one if its area is at most `most`. */
static void keep_spare(struct climber *climber, uint32_t from, neap_size most) {
  climber->vain++;
  if (!is_good(climber, from, most)) return;
  uint32_t *order = climber->order;
  climber->order = climber->spare;
  climber->spare = order;
  lay_out(climber, from);
  if (climber->area >= climber->least_area) return;
  climber->least_area = climber->area;
  climber->vain = 0;
}

void climber_aim(struct climber *climber, neap_size capacity) {
  struct stage *first = &climber->stages[0];
  climber->capacity = capacity / climber->part->steps;
  first->area = 0;
  for (uint32_t at = 0; at < climber->part->column_count; at++)
    first->area += above(climber, first->sums[at]);
  lay_out(climber, 0);
  climber->least_area = climber->area;
}

struct climber *climber_new(const struct part *part, uint64_t seed, struct findings *found) {
  assert(climber_suits(part));
  struct climber *climber = memory_array(1, sizeof *climber);
  if (!climber) return NULL;
  climber->part = part;
  climber->area = NEAP_MAX;
  climber->found = found;
  climber->warmth = warmth_of(part);
  climber->order = memory_array(part->count, sizeof *climber->order);
  climber->spare = memory_array(part->count, sizeof *climber->spare);
  climber->places = memory_array(2 * part->count, sizeof *climber->places);
  climber->offsets = memory_array(part->count, sizeof *climber->offsets);
  climber->best = memory_array(part->count, sizeof *climber->best);
  *found = (struct findings){.offsets = climber->best, .peak = NEAP_MAX};
  climber->tops = memory_array(part->column_count, sizeof *climber->tops);
  for (uint32_t i = 0; climber->order && i < part->count; i++)
    climber->order[i] = i;
  if (climber->order && climber->spare && climber->places && climber->offsets &&
      climber->best && climber->tops && make_stages(climber) &&
      random_init(&climber->random, seed)) {
    sum_sizes(climber);
    climber_aim(climber, 0);
    return climber;
  }
  climber_free(climber);
  return NULL;
}

static int by_offset(const void *left, const void *right, void *context) {
  const neap_offset *offsets = context;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  if (offsets[a] != offsets[b]) return offsets[a] < offsets[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

static void order_by_offset(struct climber *climber, const neap_offset *offsets) {
  for (uint32_t i = 0; i < climber->part->count; i++)
    climber->spare[i] = i;
  qsort_r(climber->spare, climber->part->count, sizeof *climber->spare, by_offset,
          (void *)(uintptr_t)offsets);
}

void climber_begin(struct climber *climber, const neap_offset *offsets) {
  order_by_offset(climber, offsets);
  climber->least_area = NEAP_MAX;
  keep_spare(climber, 0, NEAP_MAX);
}

void climber_adopt(struct climber *climber, const neap_offset *offsets) {
  order_by_offset(climber, offsets);
  keep_spare(climber, 0, climber->area);
}

/* ---------------------------------------------------------------- changes */

static struct change draw_any(struct climber *climber) {
  uint32_t count = (uint32_t)climber->part->count;
  uint32_t from = random_below(&climber->random, count),
           kind = random_below(&climber->random, 3);
  uint32_t most = kind == 1 && count > CLIMBER_NEAR ? CLIMBER_NEAR : count - 1;
  uint32_t distance = 1 + random_below(&climber->random, most);
  /* The order wraps around at its ends. */
  bool is_back = kind == 1 && random_below(&climber->random, 2) == 0;
  if (is_back) distance = count - distance;
  return (struct change){from, (from + distance) % count, kind == 0};
}

/* Draws one of the columns that are too high; there is at least one. */
static uint32_t draw_column(struct climber *climber) {
  uint32_t count = 0, columns = climber->part->column_count;
  for (uint32_t at = 0; at < columns; at++)
    count += climber->tops[at] > climber->capacity;
  assert(count > 0);
  uint32_t drawn = random_below(&climber->random, count);
  for (uint32_t at = 0;; at++)
    if (climber->tops[at] > climber->capacity && drawn-- == 0) return at;
}

/*
 * Draws a rectangle with lost bytes below it in a column that is too high, and a second
 * rectangle.  Then either the two swap, or the second moves below the first, or the first moves
 * to the place of the second.
 */
static struct change draw_filling(struct climber *climber) {
  const struct part *part = climber->part;
  uint32_t count = (uint32_t)part->count, column = draw_column(climber);
  uint32_t *members = climber->places, *lossy = members + count;
  uint32_t member_count = 0, lossy_count = 0;
  neap_offset top = 0;
  for (uint32_t k = 0; k < count; k++) {
    uint32_t item = climber->order[k];
    if (!part_is_in(part, item, column)) continue;
    members[member_count++] = k;
    if (climber->offsets[item] > top) lossy[lossy_count++] = k;
    top = climber->offsets[item] + part->size[item];
  }
  assert(member_count > 0);
  if (lossy_count == 0) return draw_any(climber);
  uint32_t gap = lossy[random_below(&climber->random, lossy_count)];
  uint32_t other = random_below(&climber->random, 3) == 0
                       ? random_below(&climber->random, count)
                       : members[random_below(&climber->random, member_count)];
  switch (random_below(&climber->random, 3)) {
  case 0:
    return (struct change){other, gap, true};
  case 1:
    return (struct change){other, other < gap ? gap - 1 : gap, false};
  default:
    return (struct change){gap, other, false};
  }
}

/*
 * Whether a change cannot affect the layout: the moved rectangle passes none that shares a
 * column with it, or is swapped with itself.
 */
static bool is_idle(const struct climber *climber, struct change change) {
  const struct part *part = climber->part;
  uint32_t low = change.from < change.to ? change.from : change.to;
  uint32_t high = change.from < change.to ? change.to : change.from;
  if (change.is_swap) return low == high;
  for (uint32_t k = low; k <= high; k++)
    if (k != change.from && part_meet(part, climber->order[k], climber->order[change.from]))
      return false;
  return true;
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

/*
 * The most area that the next change may have: the present area plus an exponentially
 * distributed amount with mean `warmth`.
 */
static neap_size draw_threshold(struct climber *climber) {
  double drawn = (1 + (double)random_below(&climber->random, 1u << 30)) / (1u << 30);
  double more = -log(drawn) * climber->warmth;
  return climber->area + (more < (double)(NEAP_MAX / 4) ? (neap_size)more : NEAP_MAX / 4);
}

/* Charges the cells visited to the budget. */
static void spend_work(struct climber *climber, struct budget *budget) {
  budget_spend(budget, climber->work / CLIMBER_CELLS_PER_TICK);
  climber->work %= CLIMBER_CELLS_PER_TICK;
}

enum verdict climber_run(struct climber *climber, uint64_t changes, struct budget *budget) {
  for (; changes > 0 && climber->area > 0; changes--) {
    if (!budget_tick(budget)) return VERDICT_STOPPED;
    bool is_filling = random_below(&climber->random, 2) == 0;
    struct change change = is_filling ? draw_filling(climber) : draw_any(climber);
    if (is_idle(climber, change)) continue;
    copy_changed(climber, change);
    keep_spare(climber, change.from < change.to ? change.from : change.to,
               draw_threshold(climber));
    spend_work(climber, budget);
  }
  return climber->area > 0 ? VERDICT_OPEN : VERDICT_FOUND;
}

uint64_t climber_vain(const struct climber *climber) { return climber->vain; }
