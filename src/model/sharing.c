/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/sharing.h"

#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"

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

/* Whether a relation lets its buffers share bytes in this layout. */
static bool permits(const struct placement *placement, const neap_relation *relation) {
  neap_offset least;
  switch (relation->kind) {
  case NEAP_EXCLUSION:
  case NEAP_COLOCATION:
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

/* Keeps the first of equal pairs: the one that needs no overlap allowance, if there is one. */
static size_t drop_repeated(struct sharing_pair *pairs, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (kept == 0 || pairs[kept - 1].buffer != pairs[i].buffer ||
        pairs[kept - 1].partner != pairs[i].partner)
      pairs[kept++] = pairs[i];
  return kept;
}

neap_status sharing_init(struct sharing *sharing, const struct placement *placement,
                         neap_error *error) {
  const struct relations *relations = placement->problem->relations;
  size_t capacity = 0, count = 0;
  *sharing = (struct sharing){NULL, 0};
  for (size_t i = 0; relations && i < relations->count; i++) {
    const neap_relation *relation = &relations->items[i];
    size_t a = relation->first, b = relation->second;
    neap_offset low, high;
    if (!placement_shared(placement, a, b, &low, &high) || !permits(placement, relation))
      continue;
    if (!memory_reserve(&sharing->pairs, &capacity, count + 2, sizeof *sharing->pairs)) {
      sharing_clear(sharing);
      return error_memory(error);
    }
    bool by_overlap = relation->kind == NEAP_OVERLAP;
    sharing->pairs[count++] = (struct sharing_pair){a, b, by_overlap};
    sharing->pairs[count++] = (struct sharing_pair){b, a, by_overlap};
  }
  if (count > 0) qsort(sharing->pairs, count, sizeof *sharing->pairs, by_pair);
  sharing->count = drop_repeated(sharing->pairs, count);
  assert(sharing->count % 2 == 0);
  return NEAP_OK;
}

void sharing_clear(struct sharing *sharing) {
  free(sharing->pairs);
  *sharing = (struct sharing){NULL, 0};
}

/* The first pair that is not before (buffer, partner). */
static size_t find_pair(const struct sharing *sharing, size_t buffer, size_t partner) {
  struct bisection search = bisection_of(0, sharing->count);
  while (bisection_open(&search)) {
    const struct sharing_pair *pair = &sharing->pairs[search.middle];
    bisection_step(&search, pair->buffer < buffer ||
                                (pair->buffer == buffer && pair->partner < partner));
  }
  return search.low;
}

size_t sharing_begin(const struct sharing *sharing, size_t buffer) {
  return find_pair(sharing, buffer, 0);
}

bool sharing_has(const struct sharing *sharing, size_t a, size_t b) {
  size_t at = find_pair(sharing, a, b);
  return at < sharing->count && sharing->pairs[at].buffer == a &&
         sharing->pairs[at].partner == b;
}
