/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a plan costs besides its peak: shared bytes that overlap allowances permit, penalties, and
 * moves from an earlier plan.  What pools cost is in plan/pools.  O(n log n) time for n buffers and
 * relations, O(1) without relations.
 */
#include <stdlib.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "facts/shared_bytes.h"
#include "plan/plan.h"

/* Sums beyond NEAP_MAX are NEAP_MAX. */
static void add_to(neap_size *sum, neap_size amount) {
  if (!checked_add(*sum, amount, sum)) *sum = NEAP_MAX;
}

/* Whether the first of two buffers that overlap is `a`: an output begins later, and not higher. */
static bool is_first(const struct placement *placement, size_t a, size_t b) {
  if (placement->offsets[a] != placement->offsets[b])
    return placement->offsets[a] < placement->offsets[b];
  return problem_hull(placement->problem, a).start >= problem_hull(placement->problem, b).start;
}

static bool find_overlap(const struct placement *placement, const struct sharing_pair *pair,
                         neap_overlap *overlap) {
  bool is_in_order = is_first(placement, pair->buffer, pair->partner);
  overlap->first = is_in_order ? pair->buffer : pair->partner;
  overlap->second = is_in_order ? pair->partner : pair->buffer;
  return placement_together(placement, pair->buffer, pair->partner, &overlap->when) &&
         placement_shared(placement, pair->buffer, pair->partner, &overlap->low,
                          &overlap->high);
}

/* Every pair is listed twice. */
static neap_status list_overlaps(neap_plan *plan, const struct placement *placement,
                                 neap_error *error) {
  struct shared_bytes sharing;
  free(plan->overlaps);
  plan->overlaps = NULL;
  plan->overlap_count = 0;
  plan->report.costs.overlapped_bytes = 0;
  if (!problem_has(placement->problem, RELATION_GAP)) return NEAP_OK;
  neap_status status = shared_bytes_init(&sharing, placement, error);
  if (status != NEAP_OK) return status;
  plan->overlaps = memory_array(sharing.count / 2, sizeof *plan->overlaps);
  if (!plan->overlaps) status = error_memory(error);
  for (size_t i = 0; i < sharing.count && status == NEAP_OK; i++) {
    const struct sharing_pair *pair = &sharing.pairs[i];
    neap_overlap overlap = NEAP_INIT(neap_overlap);
    if (!pair->by_overlap || pair->buffer > pair->partner ||
        !find_overlap(placement, pair, &overlap))
      continue;
    plan->overlaps[plan->overlap_count++] = overlap;
    add_to(&plan->report.costs.overlapped_bytes, overlap.high - overlap.low);
  }
  shared_bytes_clear(&sharing);
  return status;
}

static neap_size sum_penalties(const struct placement *placement) {
  const struct relations *relations = placement->problem->relations;
  neap_size sum = 0;
  for (size_t i = 0; i < relations->count; i++) {
    const neap_relation *relation = &relations->items[i];
    neap_offset low, high;
    if (relation->kind == NEAP_REUSE_PENALTY &&
        placement_shared(placement, relation->first, relation->second, &low, &high))
      add_to(&sum, relation->bytes);
  }
  return sum;
}

static neap_size sum_moves(const struct placement *placement) {
  const struct relations *relations = placement->problem->relations;
  neap_size sum = 0;
  if (relations->near_count == 0) return 0;
  for (size_t i = 0; i < relations->limit_count; i++) {
    const struct limits *limits = &relations->limits[i];
    if (limits->near_offset != NEAP_UNPLACED && limits->near_offset != placement->offsets[i])
      add_to(&sum, limits->move_cost);
  }
  return sum;
}

neap_status plan_assess_terms(neap_plan *plan, neap_error *error) {
  const struct placement placement = {plan->problem, plan->offsets, plan->pools};
  if (!plan->problem->relations) return NEAP_OK;
  plan->report.costs.reuse = sum_penalties(&placement);
  plan->report.costs.moved_bytes = sum_moves(&placement);
  return list_overlaps(plan, &placement, error);
}
