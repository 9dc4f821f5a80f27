/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The metric cycle: sorts the group by duration, by size times duration, by size divided by
 * duration, by start and by size, one after another. O(members^2) per order.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "order/coverage.h"
#include "tune/rearrange.h"

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
enum proposal metrics_propose(const struct trial *trial, size_t *next) {
  assert(trial->tried >= 1);
  size_t turn = (size_t)trial->tried - 1;
  if (turn >= sizeof cycle / sizeof cycle[0]) return PROPOSAL_NONE;
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
  return PROPOSAL_MADE;
}
