/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For the verifier, from a layout: which pairs may share bytes.  Colocated buffers in one pool
 * form bodies, found with a disjoint-set forest; a body stands for all its pairs.  Other pairs
 * are listed one by one if they share bytes and an exclusion or an overlap allowance that the
 * layout respects permits it.  The list is sorted, and looked up by bisection.
 */
#include "facts/shared_bytes.h"

#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "model/groups.h"

bool placement_together(const struct placement *placement, size_t a, size_t b,
                        neap_range *when) {
  const struct neap_problem *problem = placement->problem;
  size_t i = problem_ranges_begin(problem, a), j = problem_ranges_begin(problem, b);
  while (i < problem->buffers[a].ranges_end && j < problem->buffers[b].ranges_end) {
    neap_range x = problem->ranges[i], y = problem->ranges[j];
    if (x.end <= y.start) i++;
    else if (y.end <= x.start) j++;
    else {
      *when =
          (neap_range){x.start > y.start ? x.start : y.start, x.end < y.end ? x.end : y.end};
      return true;
    }
  }
  return false;
}

/* ---------------------------------------------------------------- colocated buffers */

/* The buffer that represents a body of colocated buffers; shortens the path to it. */
static size_t find_body(size_t *bodies, size_t buffer) {
  while (bodies[buffer] != buffer)
    buffer = bodies[buffer] = bodies[bodies[buffer]];
  return buffer;
}

static void unite(size_t *bodies, size_t a, size_t b) {
  if (bodies[a] == SHARING_ALONE) bodies[a] = a;
  if (bodies[b] == SHARING_ALONE) bodies[b] = b;
  bodies[find_body(bodies, a)] = find_body(bodies, b);
}

/* A colocation of buffers in different pools is broken, so it does not unite them. */
static void unite_all(size_t *bodies, const struct placement *placement) {
  const struct relations *relations = placement->problem->relations;
  for (size_t i = 0; i < relations->count; i++) {
    const neap_relation *relation = &relations->items[i];
    if (relation->kind == NEAP_COLOCATION && placement_pool(placement, relation->first) ==
                                                 placement_pool(placement, relation->second))
      unite(bodies, relation->first, relation->second);
  }
}

/* False when memory is short. */
static bool find_bodies(struct shared_bytes *sharing, const struct placement *placement) {
  size_t count = placement->problem->count;
  if (!problem_has(placement->problem, RELATION_JOINS)) return true;
  sharing->bodies = memory_array(count, sizeof *sharing->bodies);
  if (!sharing->bodies) return false;
  for (size_t i = 0; i < count; i++)
    sharing->bodies[i] = SHARING_ALONE;
  unite_all(sharing->bodies, placement);
  for (size_t i = 0; i < count; i++)
    if (sharing->bodies[i] != SHARING_ALONE) sharing->bodies[i] = find_body(sharing->bodies, i);
  return true;
}

/* ---------------------------------------------------------------- other pairs */

/* Whether a relation lets its buffers share bytes in this layout. */
static bool permits(const struct placement *placement, const neap_relation *relation) {
  neap_offset least;
  switch (relation->kind) {
  case NEAP_EXCLUSION:
    return true;
  case NEAP_OVERLAP:
    return checked_add(placement->offsets[relation->first], relation->bytes, &least) &&
           placement->offsets[relation->second] >= least;
  default:
    return false;
  }
}

static int by_pair(const void *left, const void *right) {
  const struct sharing_pair *a = left, *b = right;
  if (a->buffer != b->buffer) return a->buffer < b->buffer ? -1 : 1;
  if (a->partner != b->partner) return a->partner < b->partner ? -1 : 1;
  return (int)a->by_overlap - (int)b->by_overlap;
}

/*
 * Keeps the first of equal pairs, which is one that needs no overlap allowance, if there is
 * one.
 */
static size_t drop_repeated(struct sharing_pair *pairs, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || pairs[kept - 1].buffer != pairs[i].buffer ||
        pairs[kept - 1].partner != pairs[i].partner)
      pairs[kept++] = pairs[i];
  return kept;
}

struct lister {
  struct shared_bytes *sharing;
  const struct placement *placement;
  size_t capacity;
};

/* Lists two buffers that share bytes by a relation that permits it; false when memory is short. */
static bool list_pair(struct lister *lister, size_t a, size_t b, bool by_overlap) {
  struct shared_bytes *sharing = lister->sharing;
  neap_offset low, high;
  if (!placement_shared(lister->placement, a, b, &low, &high) ||
      shared_bytes_colocates(sharing, a, b))
    return true;
  if (!memory_reserve(&sharing->pairs, &lister->capacity, sharing->count + 2,
                      sizeof *sharing->pairs))
    return false;
  sharing->pairs[sharing->count++] = (struct sharing_pair){a, b, by_overlap};
  sharing->pairs[sharing->count++] = (struct sharing_pair){b, a, by_overlap};
  return true;
}

static bool list_excluded(size_t a, size_t b, void *lister) {
  return list_pair(lister, a, b, false);
}

/*
 * Buffers of a group that are never alive together need no permission.  False when memory is short.
 */
static bool list_groups(struct lister *lister) {
  const struct neap_problem *problem = lister->placement->problem;
  const struct relation_group *group = NULL;
  while ((group = problem_next_group(problem, RELATION_FREES, group)))
    if (group_meet(problem, group, SIZE_MAX, list_excluded, lister) != GROUP_MEETINGS_DONE)
      return false;
  return true;
}

/* False when memory is short. */
static bool list_pairs(struct shared_bytes *sharing, const struct placement *placement) {
  const struct relations *relations = placement->problem->relations;
  struct lister lister = {sharing, placement, 0};
  for (size_t i = 0; i < relations->count; i++) {
    const neap_relation *relation = &relations->items[i];
    if (permits(placement, relation) && !list_pair(&lister, relation->first, relation->second,
                                                   relation->kind == NEAP_OVERLAP))
      return false;
  }
  if (!list_groups(&lister)) return false;
  if (sharing->count > 0) qsort(sharing->pairs, sharing->count, sizeof *sharing->pairs, by_pair);
  sharing->count = drop_repeated(sharing->pairs, sharing->count);
  assert(sharing->count % 2 == 0);
  return true;
}

neap_status shared_bytes_init(struct shared_bytes *sharing, const struct placement *placement,
                              neap_error *error) {
  *sharing = (struct shared_bytes){.count = 0};
  if (!placement->problem->relations) return NEAP_OK;
  if (find_bodies(sharing, placement) && list_pairs(sharing, placement)) return NEAP_OK;
  shared_bytes_clear(sharing);
  return error_memory(error);
}

void shared_bytes_clear(struct shared_bytes *sharing) {
  free(sharing->pairs);
  free(sharing->bodies);
  *sharing = (struct shared_bytes){.count = 0};
}

/* The first pair at or after (buffer, partner). */
static size_t find_pair(const struct shared_bytes *sharing, size_t buffer, size_t partner) {
  struct bisection search = bisection_of(0, sharing->count);
  while (bisection_open(&search)) {
    const struct sharing_pair *pair = &sharing->pairs[search.middle];
    bisection_step(&search, pair->buffer < buffer ||
                                (pair->buffer == buffer && pair->partner < partner));
  }
  return search.low;
}

size_t shared_bytes_begin(const struct shared_bytes *sharing, size_t buffer) {
  return find_pair(sharing, buffer, 0);
}

bool shared_bytes_has(const struct shared_bytes *sharing, size_t a, size_t b) {
  size_t at = find_pair(sharing, a, b);
  if (shared_bytes_colocates(sharing, a, b)) return true;
  return at < sharing->count && sharing->pairs[at].buffer == a &&
         sharing->pairs[at].partner == b;
}
