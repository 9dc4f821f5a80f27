/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Since the lifetimes are disjoint, their ends are in the same order as their starts. So one
 * binary search finds the only two that can be nearest to a record. Adding a lifetime moves all
 * later ones.
 */
#include "runtimes/lane.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/memory.h"

void lane_clear(struct lane *lane) {
  free(lane->lives);
  *lane = (struct lane){0};
}

/* The first lifetime that does not end before `time`. */
static size_t find_end_from(const struct lane *lane, neap_time time) {
  struct bisection search = bisection_of(0, lane->count);
  while (bisection_open(&search))
    bisection_step(&search, lane->lives[search.middle].last < time);
  return search.low;
}

neap_time lane_distance(const struct lane *lane, const struct record *record) {
  assert(lane->count > 0);
  size_t at = find_end_from(lane, record->first);
  if (at < lane->count && lane->lives[at].first <= record->last) return LANE_OVERLAP;
  neap_time distance = LANE_OVERLAP;
  if (at < lane->count) distance = lane->lives[at].first - record->last;
  if (at > 0 && record->first - lane->lives[at - 1].last < distance)
    distance = record->first - lane->lives[at - 1].last;
  assert(distance >= 1);
  return distance;
}

bool lane_add(struct lane *lane, const struct record *record) {
  if (!memory_reserve(&lane->lives, &lane->capacity, lane->count + 1, sizeof *lane->lives))
    return false;
  size_t at = find_end_from(lane, record->first);
  assert(at == 0 || lane->lives[at - 1].last < record->first);
  assert(at == lane->count || record->last < lane->lives[at].first);
  memmove(lane->lives + at + 1, lane->lives + at, (lane->count - at) * sizeof *lane->lives);
  lane->lives[at] = (struct life){record->first, record->last};
  lane->count++;
  return true;
}
