/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ways to rearrange a group (doc/tuner.md, R25 and A10), from simple to strong.  Each takes
 * O(members) per order, or O(members^2) where it sorts by insertion: groups are small.
 */
#include "tune/rearrange.h"

#include <assert.h>
#include <gsl/gsl_permutation.h>
#include <stdlib.h>
#include <string.h>

#include "core/knobs.h"
#include "order/coverage.h"

/* ---------------------------------------------------------------- offenders and top */

/*
 * Two ways that move buffers with too high ends forward in the order, so that they are placed
 * lower: all buffers that end above the bound, or only the highest buffer.  Both repeat an order
 * soon, which ends the group's rounds.
 */
static neap_offset end_of(const struct trial *trial, size_t buffer) {
  assert(trial->offsets[buffer] != NEAP_UNPLACED);
  return trial->offsets[buffer] + trial->problem->buffers[buffer].size;
}

static bool offenders_propose(const struct trial *trial, size_t *next) {
  size_t used = 0;
  for (size_t i = 0; i < trial->count; i++)
    if (end_of(trial, trial->last[i]) > trial->bound) next[used++] = trial->last[i];
  for (size_t i = 0; i < trial->count; i++)
    if (end_of(trial, trial->last[i]) <= trial->bound) next[used++] = trial->last[i];
  assert(used == trial->count);
  return true;
}

static bool top_propose(const struct trial *trial, size_t *next) {
  size_t top = 0;
  for (size_t i = 1; i < trial->count; i++)
    if (end_of(trial, trial->last[i]) > end_of(trial, trial->last[top])) top = i;
  next[0] = trial->last[top];
  for (size_t i = 0, used = 1; i < trial->count; i++)
    if (i != top) next[used++] = trial->last[i];
  return true;
}

/* ---------------------------------------------------------------- metrics */

/*
 * The metric cycle: sorts the group by duration, by size times duration, by size divided by
 * duration, by start and by size, one after another.
 */

/* Compares two values of up to 127 bits, larger first. */
static int descending(wide_half a, wide_half b) { return a > b ? -1 : a < b; }

struct metric_pair {
  wide_half size, duration;
  neap_time start;
};

static struct metric_pair pair_of(const struct neap_problem *problem, size_t buffer) {
  return (struct metric_pair){(uint64_t)problem->buffers[buffer].size,
                              (uint64_t)problem_duration(problem, buffer),
                              problem_hull(problem, buffer).start};
}

static int by_size(const struct metric_pair *a, const struct metric_pair *b) {
  return descending(a->size, b->size);
}

static int by_duration(const struct metric_pair *a, const struct metric_pair *b) {
  return descending(a->duration, b->duration);
}

static int by_area(const struct metric_pair *a, const struct metric_pair *b) {
  return descending(a->size * a->duration, b->size * b->duration);
}

static int by_steepness(const struct metric_pair *a, const struct metric_pair *b) {
  return descending(a->size * b->duration, b->size * a->duration);
}

static int by_start(const struct metric_pair *a, const struct metric_pair *b) {
  return a->start < b->start ? -1 : a->start > b->start;
}

static int (*const cycle[])(const struct metric_pair *, const struct metric_pair *) = {
    by_duration, by_area, by_steepness, by_start, by_size};

/* Insertion sort: groups are small, and equal members must keep their order. */
static bool metrics_propose(const struct trial *trial, size_t *next) {
  assert(trial->tried >= 1);
  size_t turn = (size_t)trial->tried - 1;
  if (turn >= sizeof cycle / sizeof cycle[0]) return false;
  memcpy(next, trial->sorted, trial->count * sizeof *next);
  for (size_t i = 1; i < trial->count; i++) {
    struct metric_pair moved = pair_of(trial->problem, next[i]);
    size_t buffer = next[i], at = i;
    for (; at > 0; at--) {
      struct metric_pair earlier = pair_of(trial->problem, next[at - 1]);
      if (cycle[turn](&earlier, &moved) <= 0) break;
      next[at] = next[at - 1];
    }
    next[at] = buffer;
  }
  return true;
}

/* ---------------------------------------------------------------- search */

/*
 * Hill climbing: swaps two members of the best order so far, or moves one member to another
 * place.  Only a better order becomes the new best.
 */

static void move_member(size_t *order, size_t from, size_t to) {
  size_t buffer = order[from];
  if (from < to) memmove(order + from, order + from + 1, (to - from) * sizeof *order);
  else memmove(order + to + 1, order + to, (from - to) * sizeof *order);
  order[to] = buffer;
}

static bool search_propose(const struct trial *trial, size_t *next) {
  if (trial->count < 2) return false;
  memcpy(next, trial->best, trial->count * sizeof *next);
  uint32_t count = (uint32_t)trial->count;
  size_t one = random_below(trial->random, count);
  size_t other = random_below(trial->random, count - 1);
  if (other >= one) other++; /* uniform over all positions except `one` */
  assert(one < count && other < count && one != other);
  if (random_below(trial->random, 2) == 0) {
    size_t buffer = next[one];
    next[one] = next[other];
    next[other] = buffer;
  } else {
    move_member(next, one, other);
  }
  return true;
}

/* ---------------------------------------------------------------- exhaustive */

/*
 * Tries all orders of a group, in lexicographic order of the members' positions in the sorted
 * order, which is the first.  For groups of a few members.
 */

/* 12! fits into 32 bits; the maximum is far lower. */

bool exhaustive_fits(const struct trial *trial) {
  uint64_t orders = 1;
  if (trial->count > REARRANGE_MEMBERS_MAX) return false;
  for (uint64_t i = 2; i <= trial->count; i++)
    orders *= i;
  return orders <= trial->cap;
}

static size_t place_of(const struct trial *trial, size_t buffer) {
  size_t place = 0;
  for (; trial->sorted[place] != buffer; place++)
    assert(place + 1 < trial->count);
  return place;
}

/*
 * Maps the last order to positions in the sorted order, and steps to the lexicographically next
 * one.
 */
static bool exhaustive_propose(const struct trial *trial, size_t *next) {
  for (size_t i = 0; i < trial->count; i++)
    next[i] = place_of(trial, trial->last[i]);
  gsl_permutation places = {trial->count, next};
  bool more = trial->count > 1 && gsl_permutation_next(&places) == GSL_SUCCESS;
  for (size_t i = 0; i < trial->count; i++)
    next[i] = trial->sorted[next[i]];
  return more;
}

/* ---------------------------------------------------------------- auto */

/* When the offenders repeat an order, they have converged; then the search continues. */
static bool auto_propose(const struct trial *trial, size_t *next) {
  if (exhaustive_fits(trial)) return exhaustive_propose(trial, next);
  return trial->repeated ? search_propose(trial, next) : offenders_propose(trial, next);
}

/* ---------------------------------------------------------------- the table */

static const struct rearranger rearrangers[] = {
    {.name = "repack",
     .summary =
         "take groups out of the layout and put them back lower by exact search, in turns with "
         "auto",
     .repacks = true},
    {.name = "auto",
     .summary = "try all orders of tiny groups; in others use offenders, then search once "
                "orders repeat",
     .propose = auto_propose,
     .goes_on = true},
    {.name = "offenders",
     .summary = "move the buffers that end above the bound to the front",
     .propose = offenders_propose},
    {.name = "top",
     .summary = "move the buffer that ends highest to the front",
     .propose = top_propose},
    {.name = "metrics",
     .summary = "sort the group by one metric after another",
     .propose = metrics_propose,
     .goes_on = true},
    {.name = "search",
     .summary = "swap or move buffers at random in the best order so far",
     .propose = search_propose,
     .goes_on = true},
    {.name = "exhaustive",
     .summary = "try all orders one by one, up to max-group-rounds",
     .propose = exhaustive_propose},
};

const struct rearranger *rearranger_at(size_t index) {
  return index < sizeof rearrangers / sizeof rearrangers[0] ? &rearrangers[index] : NULL;
}

size_t rearranger_index_of_orders(void) {
  assert(rearrangers[1].propose == auto_propose);
  return 1;
}
