/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order in which a search tries rectangles in a cell.  Rectangles that are long, large or
 * both are hard to place late, so they go first.  Which criterion is best differs between
 * parts, so restarts take turns.  Noise makes restarts differ (Gomes, Selman and Kautz 1998).
 */
#include "search/boards/ranking.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checks.h"
#include "core/memory.h"
#include "core/sort.h"

static double by_duration(double duration, double size) { return duration + size * 1e-15; }

static double by_area(double duration, double size) { return duration * size; }

static double by_size(double duration, double size) { return size + duration * 1e-9; }

static double by_long_area(double duration, double size) { return duration * duration * size; }

static const struct ranking rankings[] = {
    {"duration", by_duration},
    {"area", by_area},
    {"size", by_size},
    {"long-area", by_long_area},
};

size_t ranking_count(void) { return sizeof rankings / sizeof rankings[0]; }

const struct ranking *ranking_at(size_t index) {
  assert(index < ranking_count());
  return &rankings[index];
}

/* Whether `rank` numbers the rectangles in the order `order`. */
static bool is_inverse(size_t count, const uint32_t *order, const uint32_t *rank) {
  for (uint32_t r = 0; r < count; r++)
    if (order[r] >= count || rank[order[r]] != r) return false;
  return true;
}

static int by_merit(const void *left, const void *right, void *context) {
  const double *merits = context;
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  if (merits[a] != merits[b]) return merits[a] > merits[b] ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* A number that falls as the merit rises. */
static uint64_t demerit(double merit) {
  uint64_t bits;
  merit += 0.0; /* turns -0 into +0 */
  memcpy(&bits, &merit, sizeof bits);
  return bits >> 63 ? bits : ~bits & ~(UINT64_C(1) << 63);
}

/* With more rectangles, keys would need much memory. */
#define KEYS_MOST 65536

/* Faster than comparisons; `pairs` is scratch.  False if memory is short. */
static bool sort_by_keys(size_t count, const double *merits, struct sort_pair *pairs,
                         uint32_t *order) {
  for (size_t i = 0; i < count; i++)
    pairs[i] = (struct sort_pair){demerit(merits[i]), i};
  if (!sort_pairs(pairs, count)) return false;
  for (size_t i = 0; i < count; i++)
    order[i] = (uint32_t)pairs[i].item;
  return true;
}

static void sort_few(size_t count, const double *merits, uint32_t *order) {
  struct sort_pair pairs[SORT_FEW];
  assert(count <= SORT_FEW);
  sort_by_keys(count, merits, pairs, order);
}

static void sort_many(size_t count, double *merits, uint32_t *order) {
  struct sort_pair *pairs = count <= KEYS_MOST ? memory_array(count, sizeof *pairs) : NULL;
  const bool is_sorted = pairs && sort_by_keys(count, merits, pairs, order);
  free(pairs);
  if (is_sorted) return;
  for (uint32_t i = 0; i < count; i++)
    order[i] = i;
  sort_items(order, count, sizeof *order, by_merit, merits);
}

void ranking_by_merits(size_t count, double *merits, uint32_t *order, uint32_t *rank) {
  if (count <= SORT_FEW) sort_few(count, merits, order);
  else sort_many(count, merits, order);
  for (uint32_t r = 0; r < count; r++)
    rank[order[r]] = r;
  assert_slowly(is_inverse(count, order, rank));
}

void ranking_fill(const struct ranking *ranking, const struct part *part, double noise,
                  struct random *random, double *merits, uint32_t *order, uint32_t *rank) {
  assert(noise >= 0);
  for (uint32_t i = 0; i < part->count; i++) {
    struct span hull = part_hull(part, i);
    double merit = ranking->merit((double)(hull.end - hull.first), (double)part->size[i]);
    assert(merit > 0);
    if (noise > 0) merit *= 1 + noise * random_share(random);
    merits[i] = merit;
  }
  ranking_by_merits(part->count, merits, order, rank);
}
