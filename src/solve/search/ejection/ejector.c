/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ejector keeps a partial layout within the capacity and a pool of the other rectangles.
 * It takes a rectangle from the pool, inserts it where the rectangles it hits have the least
 * total weight, and ejects those into the pool:
 *
 *     capacity ───────────────          ───────────────
 *              │ A │ B │                │ A │          pool: B
 *              │   └───┤        ┌───┐   │   ├───┐
 *              ├───┐   │  pool: │ C │   ├───┤ C │
 *              └───┴───┘        └───┘   └───┴───┘
 *
 * Each time a rectangle hits others it gains weight, so hard rectangles are evicted ever less
 * often, and a small set cannot evict each other forever (guided ejection search, Nagata and
 * Bräysy 2009).  Between insertions some rectangles slide up or down as far as possible, which
 * merges free bytes.
 *
 * Unlike searches that build from below, it can repair mistakes at any height, so fixed
 * rectangles and alignments do not mislead it.  It needs some slack, and proves nothing.
 *
 * An insertion visits each rectangle at most twice, and each slide visits a few.  Offsets are
 * in units.  Invariant: apart from fixed ones, rectangles in the layout never collide, and end
 * within the capacity.
 */
#include "search/ejection/ejector.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/knobs.h"
#include "core/memory.h"
#include "core/random.h"
#include "search/rectangle_sets.h"

/*
 * No weight grows beyond HEAVIEST, so that the sum of all weights stays below the weight of one
 * fixed rectangle.
 */
#define HEAVIEST ((uint64_t)1 << 35)
#define UNMOVABLE ((uint64_t)1 << 50)

/* An edge of a rectangle that may be hit. */
struct hit {
  neap_offset at;
  uint64_t weight;
  uint32_t item;
};

struct ejector {
  const struct part *part;
  struct random random;
  struct rectangle_sets neighbours; /* per rectangle: the others that share a column */
  struct strips strips;             /* of the rectangles in the layout */
  void *arrays;                     /* the block of the arrays that follow */
  uint64_t *weight, *first_weight;
  neap_offset *offsets;
  neap_offset *highest; /* the highest offset of each within the capacity; < 0: none */
  bool *is_in;
  uint32_t *pool;
  struct hit *near_bottoms, *near_tops; /* scratch: edges of a rectangle's neighbours */
  size_t pool_count, near_count;
  uint64_t visits;  /* not yet counted as ticks */
  bool is_hopeless; /* some rectangle cannot fit the capacity at all */
};

/* ---------------------------------------------------------------- making */

bool ejector_suits(const struct part *part) {
  return !part->ties && part->count >= 2 &&
         part->count <= (part->has_gaps ? EJECTOR_GAPPED_MOST : EJECTOR_COUNT_MOST);
}

static bool are_neighbours(const struct ejector *ejector, uint32_t first, uint32_t second) {
  return rectangle_sets_has(&ejector->neighbours, first, second);
}

/* One past the last rectangle after `item` that can share a column with it. */
static uint32_t followers_end(const struct part *part, uint32_t item) {
  uint32_t end = item + 1;
  while (end < part->count &&
         (part->has_gaps || part_hull(part, end).first < part_hull(part, item).end))
    end++;
  return end;
}

typedef void note_pair(struct rectangle_sets *sets, size_t row, uint32_t item);

/*
 * Notes all pairs of neighbours; returns their number.  Without gaps, rectangles are numbered
 * by their first columns.
 */
static uint64_t note_neighbours(struct ejector *ejector, note_pair *note) {
  const struct part *part = ejector->part;
  uint64_t pairs = 0;
  for (uint32_t i = 0; i < part->count; i++)
    for (uint32_t j = i + 1, end = followers_end(part, i); j < end; j++) {
      if (part->has_gaps && !part_meet(part, i, j)) continue;
      note(&ejector->neighbours, i, j);
      note(&ejector->neighbours, j, i);
      pairs++;
    }
  return pairs;
}

/* False when memory is short. */
static bool find_neighbours(struct ejector *ejector) {
  size_t count = ejector->part->count;
  if (!rectangle_sets_init(&ejector->neighbours, count, count)) return false;
  note_neighbours(ejector, rectangle_sets_widen);
  if (!rectangle_sets_open(&ejector->neighbours)) return false;
  ejector->visits += note_neighbours(ejector, rectangle_sets_add);
  return true;
}

/*
 * The weight is a compromise between equal weights and weights by area, which both did worse.
 * Gaps count as part of the lifetime.
 */
static double root_of_area(const struct part *part, size_t item) {
  struct span hull = part_hull(part, item);
  return sqrt((double)part->size[item] * (double)(hull.end - hull.first));
}

static void set_weights(struct ejector *ejector) {
  const struct part *part = ejector->part;
  double sum = 0;
  for (size_t i = 0; i < part->count; i++)
    sum += root_of_area(part, i);
  for (size_t i = 0; i < part->count; i++) {
    double share = root_of_area(part, i) * (double)part->count / sum;
    ejector->first_weight[i] = EJECTOR_GROWTH + (uint64_t)(share * EJECTOR_WEIGHT);
    ejector->weight[i] = part->fixed[i] == NEAP_UNPLACED ? ejector->first_weight[i] : UNMOVABLE;
  }
}

static bool allocate(struct ejector *ejector) {
  size_t count = ejector->part->count;
  const struct memory_part arrays[] = {
      {&ejector->weight, count, sizeof *ejector->weight},
      {&ejector->first_weight, count, sizeof *ejector->first_weight},
      {&ejector->offsets, count, sizeof *ejector->offsets},
      {&ejector->highest, count, sizeof *ejector->highest},
      {&ejector->is_in, count, sizeof *ejector->is_in},
      {&ejector->pool, count, sizeof *ejector->pool},
      {&ejector->near_bottoms, count, sizeof *ejector->near_bottoms},
      {&ejector->near_tops, count, sizeof *ejector->near_tops}};
  ejector->arrays = memory_block(arrays, sizeof arrays / sizeof *arrays);
  return ejector->arrays && strips_init(&ejector->strips, ejector->part) &&
         find_neighbours(ejector);
}

void ejector_free(struct ejector *ejector) {
  if (!ejector) return;
  random_clear(&ejector->random);
  strips_clear(&ejector->strips);
  rectangle_sets_clear(&ejector->neighbours);
  free(ejector->arrays);
  free(ejector);
}

/* ---------------------------------------------------------------- the layout */

static void put_in(struct ejector *ejector, uint32_t item, neap_offset offset) {
  assert(!ejector->is_in[item] && offset >= 0);
  ejector->offsets[item] = offset;
  ejector->is_in[item] = true;
  strips_insert(&ejector->strips, item, offset);
}

static void take_out(struct ejector *ejector, uint32_t item) {
  assert(ejector->is_in[item] && ejector->part->fixed[item] == NEAP_UNPLACED);
  strips_remove(&ejector->strips, item, ejector->offsets[item]);
  ejector->is_in[item] = false;
  ejector->pool[ejector->pool_count++] = item;
}

static void move_to(struct ejector *ejector, uint32_t item, neap_offset offset) {
  strips_move(&ejector->strips, item, ejector->offsets[item], offset);
  ejector->offsets[item] = offset;
}

static neap_offset top_of(const struct ejector *ejector, uint32_t item) {
  return ejector->offsets[item] + ejector->part->size[item];
}

/* ---------------------------------------------------------------- sliding */

static neap_offset lowest_from(struct ejector *ejector, uint32_t item) {
  const struct edges *tops = &strips_around(&ejector->strips, item)->tops;
  size_t k = edges_below(tops, ejector->offsets[item] + 1);
  while (k > 0 && !are_neighbours(ejector, item, tops->list[k - 1].item))
    k--, ejector->visits++;
  return k == 0 ? 0 : round_up(tops->list[k - 1].at, ejector->part->alignment[item]);
}

static neap_offset highest_from(struct ejector *ejector, uint32_t item) {
  const struct edges *bottoms = &strips_around(&ejector->strips, item)->bottoms;
  neap_size size = ejector->part->size[item];
  size_t k = edges_below(bottoms, ejector->offsets[item] + size);
  while (k < bottoms->count && !are_neighbours(ejector, item, bottoms->list[k].item))
    k++, ejector->visits++;
  if (k == bottoms->count) return ejector->highest[item];
  neap_offset offset = round_down(bottoms->list[k].at - size, ejector->part->alignment[item]);
  return offset < ejector->highest[item] ? offset : ejector->highest[item];
}

/* ---------------------------------------------------------------- inserting */

static size_t gather(struct ejector *ejector, const struct edges *edges, uint32_t item,
                     struct hit *near) {
  struct rectangle_row row = rectangle_sets_row(&ejector->neighbours, item);
  size_t count = 0;
  for (size_t k = 0; k < edges->count; k++) {
    uint32_t other = edges->list[k].item;
    near[count] = (struct hit){edges->list[k].at, ejector->weight[other], other};
    count += rectangle_row_has(row, other);
  }
  ejector->visits += edges->count;
  return count;
}

/* A possible offset of a rectangle, and the weight of the rectangles it hits there. */
struct place {
  neap_offset offset;
  uint64_t weight;
  uint32_t equals; /* the number of equally good offsets */
};

/* A running sum of the weights of sorted edges below a height; heights only go up. */
struct sweep {
  const struct hit *next, *end;
  uint64_t sum;
};

static uint64_t sweep_below(struct sweep *sweep, neap_offset height) {
  for (; sweep->next < sweep->end && sweep->next->at < height; sweep->next++)
    sweep->sum += sweep->next->weight;
  return sweep->sum;
}

/* The sum of the weights that a rectangle hits; offsets only go up from call to call. */
static uint64_t weight_at(struct sweep *bottoms, struct sweep *tops, neap_offset offset,
                          neap_size size) {
  uint64_t begun = sweep_below(bottoms, offset + size);
  return begun - sweep_below(tops, offset + 1);
}

/* Keeps the place with the least weight hit; a random one among equals. */
static void consider(struct ejector *ejector, struct place *best, neap_offset offset,
                     uint64_t weight) {
  if (weight > best->weight) return;
  best->equals = weight == best->weight ? best->equals + 1 : 1;
  best->weight = weight;
  if (best->equals == 1 || random_below(&ejector->random, best->equals) == 0)
    best->offset = offset;
}

static struct sweep sweep_of(const struct ejector *ejector, const struct hit *hits) {
  return (struct sweep){hits, hits + ejector->near_count, 0};
}

/* Up to alignment, the best place touches the end of a neighbour, or an end of the memory. */
static struct place find_place(struct ejector *ejector, uint32_t item) {
  const struct part *part = ejector->part;
  neap_size size = part->size[item], alignment = part->alignment[item];
  neap_offset highest = ejector->highest[item];
  struct place best = {-1, UNMOVABLE - 1, 0};
  const struct strip *around = strips_around(&ejector->strips, item);
  ejector->near_count = gather(ejector, &around->bottoms, item, ejector->near_bottoms);
  gather(ejector, &around->tops, item, ejector->near_tops);
  struct sweep bottoms = sweep_of(ejector, ejector->near_bottoms);
  struct sweep tops = sweep_of(ejector, ejector->near_tops);
  consider(ejector, &best, 0, weight_at(&bottoms, &tops, 0, size));
  for (size_t k = 0; k < ejector->near_count; k++) {
    neap_offset offset = round_up(ejector->near_tops[k].at, alignment);
    if (offset > highest) break;
    consider(ejector, &best, offset, weight_at(&bottoms, &tops, offset, size));
  }
  bottoms = sweep_of(ejector, ejector->near_bottoms);
  tops = sweep_of(ejector, ejector->near_tops);
  for (size_t k = 0; k < ejector->near_count; k++) {
    if (ejector->near_bottoms[k].at < size) continue;
    neap_offset offset = round_down(ejector->near_bottoms[k].at - size, alignment);
    if (offset > highest) break;
    consider(ejector, &best, offset, weight_at(&bottoms, &tops, offset, size));
  }
  consider(ejector, &best, highest, weight_at(&bottoms, &tops, highest, size));
  return best;
}

/* Ejects the rectangles that a rectangle at this offset hits. */
static void eject(struct ejector *ejector, uint32_t item, neap_offset offset) {
  const struct hit *near = ejector->near_bottoms;
  neap_size size = ejector->part->size[item];
  for (size_t k = 0; k < ejector->near_count && near[k].at < offset + size; k++)
    if (top_of(ejector, near[k].item) > offset) take_out(ejector, near[k].item);
}

/* Slides some of the last gathered neighbours up or down until they touch another rectangle. */
static void slide_some(struct ejector *ejector) {
  uint32_t count = (uint32_t)ejector->near_count;
  uint32_t slides = 2 * count < EJECTOR_SLIDES ? 2 * count : EJECTOR_SLIDES;
  for (uint32_t k = 0; k < slides; k++) {
    uint32_t drawn = random_below(&ejector->random, 2 * count);
    uint32_t item = ejector->near_bottoms[drawn / 2].item;
    if (!ejector->is_in[item] || ejector->part->fixed[item] != NEAP_UNPLACED) continue;
    neap_offset to = drawn % 2 ? highest_from(ejector, item) : lowest_from(ejector, item);
    if (to != ejector->offsets[item]) move_to(ejector, item, to);
  }
  ejector->visits += slides * EJECTOR_SLIDE_VISITS;
}

/* Takes a rectangle from the pool. */
static uint32_t draw(struct ejector *ejector) {
  size_t last = ejector->pool_count - 1, drawn = last;
  if (random_below(&ejector->random, EJECTOR_ANY_OF) == 0)
    drawn = random_below(&ejector->random, (uint32_t)ejector->pool_count);
  uint32_t item = ejector->pool[drawn];
  ejector->pool[drawn] = ejector->pool[last];
  ejector->pool_count--;
  return item;
}

/* False if the rectangle has no place even if all others that can move are ejected. */
static bool insert_one(struct ejector *ejector) {
  uint32_t item = draw(ejector);
  struct place place = find_place(ejector, item);
  if (place.offset < 0) {
    ejector->pool[ejector->pool_count++] = item;
    return false;
  }
  if (place.weight > 0 && ejector->weight[item] < HEAVIEST)
    ejector->weight[item] += ejector->first_weight[item] / EJECTOR_GROWTH;
  eject(ejector, item, place.offset);
  put_in(ejector, item, place.offset);
  slide_some(ejector);
  return true;
}

/* ---------------------------------------------------------------- beginning */

/* Ascending: the pool is emptied from its end, so the heaviest goes in first. */
static int by_weight(const void *left, const void *right, void *context) {
  const uint64_t *weight = context;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  if (weight[a] != weight[b]) return weight[a] < weight[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

struct ejector *ejector_new(const struct part *part, uint64_t seed) {
  assert(ejector_suits(part));
  struct ejector *ejector = memory_array(1, sizeof *ejector);
  if (!ejector) return NULL;
  ejector->part = part;
  if (!allocate(ejector) || !random_init(&ejector->random, seed)) {
    ejector_free(ejector);
    return NULL;
  }
  set_weights(ejector);
  for (uint32_t i = 0; i < part->count; i++) {
    if (part->fixed[i] != NEAP_UNPLACED) put_in(ejector, i, part->fixed[i]);
    else ejector->pool[ejector->pool_count++] = i;
  }
  qsort_r(ejector->pool, ejector->pool_count, sizeof *ejector->pool, by_weight,
          ejector->first_weight);
  return ejector;
}

/* Ejects the rectangles that end above the capacity. */
static void trim(struct ejector *ejector) {
  for (uint32_t i = 0; i < ejector->part->count; i++)
    if (ejector->is_in[i] && ejector->part->fixed[i] == NEAP_UNPLACED &&
        ejector->offsets[i] > ejector->highest[i])
      take_out(ejector, i);
}

void ejector_aim(struct ejector *ejector, neap_size capacity) {
  const struct part *part = ejector->part;
  struct part_capacity limit = part_capacity(part, capacity);
  ejector->is_hopeless = false;
  for (uint32_t i = 0; i < part->count; i++) {
    neap_offset highest = limit.units - part->size[i] - (part_padding(part, i) < limit.reserve);
    ejector->highest[i] = highest < 0 ? -1 : round_down(highest, part->alignment[i]);
    if (highest < 0 || part->fixed[i] > highest) ejector->is_hopeless = true;
  }
  trim(ejector);
}

/*
 * Whether a rectangle at its offset is aligned, within the capacity, and hits no rectangle in
 * the layout.
 */
static bool is_free(struct ejector *ejector, uint32_t item) {
  const struct edges *tops = &strips_around(&ejector->strips, item)->tops;
  neap_offset offset = ejector->offsets[item];
  if (offset > ejector->highest[item] || offset % ejector->part->alignment[item] != 0)
    return false;
  for (size_t k = tops->count; k > 0 && tops->list[k - 1].at > offset; k--) {
    ejector->visits++;
    if (are_neighbours(ejector, item, tops->list[k - 1].item) &&
        ejector->offsets[tops->list[k - 1].item] < offset + ejector->part->size[item])
      return false;
  }
  return true;
}

void ejector_begin(struct ejector *ejector, const neap_offset *offsets, neap_size capacity) {
  const struct part *part = ejector->part;
  ejector_aim(ejector, capacity);
  for (uint32_t i = 0; i < part->count; i++)
    if (ejector->is_in[i] && part->fixed[i] == NEAP_UNPLACED) take_out(ejector, i);
  uint32_t *pool = ejector->pool;
  size_t count = ejector->pool_count;
  ejector->pool_count = 0;
  for (size_t k = 0; k < count; k++) {
    ejector->offsets[pool[k]] = offsets[pool[k]];
    if (is_free(ejector, pool[k])) put_in(ejector, pool[k], offsets[pool[k]]);
    else pool[ejector->pool_count++] = pool[k];
  }
}

/* Charges the visits to the budget. */
static void spend_visits(struct ejector *ejector, struct budget *budget) {
  budget_spend(budget, ejector->visits / EJECTOR_VISITS_PER_TICK);
  ejector->visits %= EJECTOR_VISITS_PER_TICK;
}

enum verdict ejector_run(struct ejector *ejector, uint64_t insertions, struct budget *budget) {
  bool has_place = !ejector->is_hopeless;
  if (!budget_tick(budget)) return VERDICT_STOPPED;
  for (; has_place && insertions > 0 && ejector->pool_count > 0; insertions--) {
    spend_visits(ejector, budget);
    if (!budget_tick(budget)) return VERDICT_STOPPED;
    has_place = insert_one(ejector);
  }
  spend_visits(ejector, budget);
  return has_place && ejector->pool_count == 0 ? VERDICT_FOUND : VERDICT_OPEN;
}

const neap_offset *ejector_offsets(const struct ejector *ejector) { return ejector->offsets; }
