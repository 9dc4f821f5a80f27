/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greedy clustering (doc/tuner.md, R23 and A9). Total overlaps come from running sums
 * (order/coverage), and the partners of a seed from a best-first search (tune/partners). So no
 * list of pairs is needed: O(n log n), and about O(log n) for each member found.
 */
#include "tune/group.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "order/coverage.h"
#include "tune/partners.h"

void groups_clear(struct groups *groups) {
  free(groups->members);
  free(groups->ends);
  *groups = (struct groups){0};
}

struct seed {
  wide_half overlap; /* with all others of the class, in total */
  size_t position;
};

static int by_overlap(const void *left, const void *right) {
  const struct seed *a = left, *b = right;
  if (a->overlap != b->overlap) return a->overlap > b->overlap ? -1 : 1;
  return a->position < b->position ? -1 : a->position > b->position;
}

static struct seed *seeds_new(const struct neap_problem *problem, const size_t *buffers,
                              size_t count) {
  struct coverage coverage;
  struct seed *seeds = memory_array(count, sizeof *seeds);
  if (!seeds || !coverage_init(&coverage, problem, buffers, count)) {
    free(seeds);
    return NULL;
  }
  for (size_t i = 0; i < count; i++)
    seeds[i] = (struct seed){coverage_overlap(&coverage, problem, buffers[i], true), i};
  coverage_clear(&coverage);
  qsort(seeds, count, sizeof *seeds, by_overlap);
  return seeds;
}

static bool overlaps_enough(const struct neap_problem *problem, const struct grouping *grouping,
                            size_t a, size_t b, neap_time overlap) {
  neap_time duration_a = problem_duration(problem, a),
            duration_b = problem_duration(problem, b);
  neap_time shorter = duration_a < duration_b ? duration_a : duration_b;
  assert(overlap > 0 && overlap <= shorter);
  return (wide_half)(uint64_t)overlap * GROUP_OVERLAP_ONE >=
         (wide_half)(uint64_t)shorter * (uint64_t)grouping->min_overlap;
}

struct gathering {
  const struct neap_problem *problem;
  const struct grouping *grouping;
  const size_t *buffers;
  struct partners partners;
  bool *grouped;   /* by position */
  size_t *joining; /* positions of the members so far */
};

/* Appends the group of a seed; false when memory is short. */
static bool gather_group(struct gathering *gathering, size_t seed, size_t *members,
                         size_t *used) {
  size_t size = 1, position;
  neap_time overlap;
  assert(!gathering->grouped[seed]);
  gathering->joining[0] = seed;
  /* Remove the seed first, so that it is not found as its own partner. */
  partners_remove(&gathering->partners, seed);
  if (!partners_search(&gathering->partners, gathering->buffers[seed])) return false;
  while (size < gathering->grouping->max_size) {
    if (!partners_next(&gathering->partners, &position, &overlap)) return false;
    if (position == SIZE_MAX) break;
    if (overlaps_enough(gathering->problem, gathering->grouping, gathering->buffers[seed],
                        gathering->buffers[position], overlap))
      gathering->joining[size++] = position;
  }
  for (size_t i = 0; i < size; i++) {
    if (i > 0) partners_remove(&gathering->partners, gathering->joining[i]);
    gathering->grouped[gathering->joining[i]] = true;
    members[(*used)++] = gathering->buffers[gathering->joining[i]];
  }
  return true;
}

static bool gather_all(struct gathering *gathering, const struct seed *seeds, size_t count,
                       struct groups *groups) {
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (gathering->grouped[seeds[i].position]) continue;
    if (!gather_group(gathering, seeds[i].position, groups->members, &used)) return false;
    groups->ends[groups->count++] = used;
  }
  assert(used == count && groups->count <= count);
  return true;
}

static bool reserve_groups(struct groups *groups, size_t count) {
  groups->count = 0;
  size_t members_capacity = groups->capacity, ends_capacity = groups->capacity;
  if (!memory_reserve(&groups->members, &members_capacity, count, sizeof *groups->members) ||
      !memory_reserve(&groups->ends, &ends_capacity, count, sizeof *groups->ends))
    return false;
  groups->capacity = ends_capacity;
  return true;
}

neap_status groups_make(struct groups *groups, const struct neap_problem *problem,
                        const struct grouping *grouping, const size_t *buffers, size_t count,
                        neap_error *error) {
  assert(grouping->max_size >= 1 && grouping->min_overlap >= 0);
  if (!reserve_groups(groups, count)) return error_memory(error);
  if (count == 0) return NEAP_OK;
  size_t largest = grouping->max_size < count ? grouping->max_size : count;
  struct gathering gathering = {.problem = problem, .grouping = grouping, .buffers = buffers};
  struct seed *seeds = seeds_new(problem, buffers, count);
  gathering.grouped = memory_array(count, sizeof *gathering.grouped);
  gathering.joining = memory_array(largest, sizeof *gathering.joining);
  bool done = seeds && gathering.grouped && gathering.joining &&
              partners_init(&gathering.partners, problem, buffers, count) &&
              gather_all(&gathering, seeds, count, groups);
  partners_clear(&gathering.partners);
  free(gathering.grouped);
  free(gathering.joining);
  free(seeds);
  return done ? NEAP_OK : error_memory(error);
}
