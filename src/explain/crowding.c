/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * As in Hall's theorem (On representatives of subsets, 1935): if the buffers alive at one moment that
 * can be only in some pools need more than these pools have, nothing fits.  Relations may let buffers
 * share bytes, so problems with relations are left to the search.
 */
#include "explain/crowding.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "explain/core.h"
#include "explain/variant.h"

#define POOLS_MOST 8 /* whose sets are all looked at */

/* Whether a buffer can be in no other pools than those of a set. */
static bool is_confined(const struct neap_problem *problem, size_t buffer, unsigned set) {
  neap_buffer item;
  neap_problem_buffer_at(problem, buffer, &item);
  if (item.size == 0) return false;
  if (item.pool_count == 0) return set + 1 == 1u << problem_pool_count(problem);
  for (size_t p = 0; p < item.pool_count; p++)
    if (!(set >> item.pools[p] & 1)) return false;
  return true;
}

/* The sum of the capacities of a set; -1 if one is unlimited. */
static neap_size room_of(const struct neap_problem *problem, unsigned set) {
  neap_size sum = 0;
  neap_pool pool;
  for (size_t p = 0; neap_problem_pool_at(problem, p, &pool); p++) {
    if (!(set >> p & 1)) continue;
    if (pool.capacity < 0 || pool.capacity > NEAP_MAX - sum) return -1;
    sum += pool.capacity;
  }
  return sum;
}

/* The largest buffers alive at the crowded moment, as many as the pools cannot hold. */
static neap_status take_largest(struct crowding *crowding, const struct subset *subset,
                                neap_time moment, neap_error *error) {
  size_t alive, count = 0;
  neap_size sum = 0;
  size_t *members = core_alive(subset->problem, moment, &alive);
  if (!members) return error_memory(error);
  while (count < alive && sum <= crowding->available)
    sum += subset->problem->buffers[members[count++]].size;
  for (size_t i = 0; i < count; i++)
    members[i] = subset->originals[members[i]];
  crowding->members = members;
  crowding->count = count;
  return NEAP_OK;
}

static neap_status try_set(struct crowding *crowding, const struct neap_problem *problem,
                           unsigned set, size_t *room, neap_error *error) {
  struct subset subset;
  struct variant_choice choice = {.indices = room};
  neap_bound bound;
  crowding->available = room_of(problem, set);
  if (crowding->available < 0) return NEAP_OK;
  for (size_t i = 0; i < problem->count; i++)
    if (is_confined(problem, i, set)) room[choice.count++] = i;
  neap_status status = variant_init(&subset, problem, &choice, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_bound(subset.problem, &bound, error);
  if (status == NEAP_OK && bound.bytes > crowding->available) {
    crowding->required = bound.bytes;
    status = take_largest(crowding, &subset, bound.start, error);
  }
  subset_clear(&subset);
  return status;
}

static unsigned size_of(unsigned set) {
  unsigned size = 0;
  for (; set > 0; set >>= 1)
    size += set & 1;
  return size;
}

neap_status crowding_find(struct crowding *crowding, const struct neap_problem *problem,
                          neap_error *error) {
  size_t pools = problem_pool_count(problem);
  neap_status status = NEAP_OK;
  *crowding = (struct crowding){0};
  if (pools == 0 || pools > POOLS_MOST || problem->relations->count > 0) return NEAP_OK;
  size_t *room = memory_array(problem->count, sizeof *room);
  if (!room) return error_memory(error);
  for (unsigned size = 1; size <= pools; size++)
    for (unsigned set = 1; set < 1u << pools; set++)
      if (status == NEAP_OK && !crowding->members && size_of(set) == size)
        status = try_set(crowding, problem, set, room, error);
  free(room);
  return status;
}
