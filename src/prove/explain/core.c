/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reasons, from the simplest to the hardest.
 *
 *   Sum.  Without relations, buffers alive at one moment need the sum of their sizes.  Taking the
 *   largest until their sizes exceed the capacity gives a conflicting set.
 *
 *   Column.  If the lower bound that needs no search (facts/bound) is above the capacity, it comes
 *   from few buffers, such as those of one column.  Dropping buffers that it can spare finds them.
 *
 *   Set.  Otherwise only search has refuted the capacity.  The refutation usually needs a short
 *   time, so ever wider windows around the densest moment are tried before all buffers.  A refuted
 *   window is then shrunk.
 */
#include "explain/core.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory.h"
#include "explain/variant.h"
#include "facts/constraints.h"

/* ---------------------------------------------------------------- pools that are too small */

/*
 * As in Hall's theorem (On representatives of subsets, 1935): if buffers alive at one moment can
 * only be in some of the pools, and need more bytes than these have, nothing fits.
 * Relations may let buffers share bytes, so problems with relations are left to the search.
 */

struct crowding {
  size_t *members; /* alive at one moment, the largest first; NULL: no pools are too small */
  size_t count;
  neap_size available,
      required; /* the capacities of these pools, and what their buffers need */
};

#define POOLS_MOST 8 /* with more, no sets of pools are tried */

/* Whether a buffer can be only in the pools of a set. */
static bool is_confined(const struct neap_problem *problem, size_t buffer, unsigned set) {
  neap_buffer item = NEAP_INIT(neap_buffer);
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
  neap_pool pool = NEAP_INIT(neap_pool);
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
  neap_bound bound = NEAP_INIT(neap_bound);
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

/*
 * Finds as few pools as possible that are too small for the buffers alive at one moment which can
 * only be in them.  `members` is released with free().
 */
static neap_status crowding_find(struct crowding *crowding, const struct neap_problem *problem,
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

/* ---------------------------------------------------------------- limits */

/* The number of buffers in the first window; each further one has twice as many. */
#define FIRST_WINDOW 16

/* The most buffers of a sum for which a proof that the set is minimal is tried. */
#define PROVEN_MOST 256

/* ---------------------------------------------------------------- lists of buffers */

struct rank {
  neap_size key, second; /* both descending */
  size_t index;          /* ascending */
};

static int by_rank(const void *left, const void *right) {
  const struct rank *a = left, *b = right;
  if (a->key != b->key) return a->key > b->key ? -1 : 1;
  if (a->second != b->second) return a->second > b->second ? -1 : 1;
  return a->index < b->index ? -1 : a->index > b->index;
}

static void sort_ranks(struct rank *ranks, size_t *buffers, size_t count) {
  qsort(ranks, count, sizeof *ranks, by_rank);
  for (size_t i = 0; i < count; i++)
    buffers[i] = ranks[i].index;
}

bool core_sort_by_size(const struct neap_problem *problem, size_t *buffers, size_t count) {
  struct rank *ranks = memory_array(count, sizeof *ranks);
  if (!ranks) return false;
  for (size_t i = 0; i < count; i++)
    ranks[i] = (struct rank){problem->buffers[buffers[i]].size, 0, buffers[i]};
  sort_ranks(ranks, buffers, count);
  free(ranks);
  return true;
}

size_t *core_alive(const struct neap_problem *problem, neap_time moment, size_t *count) {
  size_t *buffers = memory_array(problem->count, sizeof *buffers);
  *count = 0;
  for (size_t i = 0; buffers && i < problem->count; i++)
    if (problem->buffers[i].size > 0 &&
        (moment == NEAP_UNPLACED ||
         problem_lives_during(problem, i, (neap_range){moment, moment + 1})))
      buffers[(*count)++] = i;
  if (buffers && core_sort_by_size(problem, buffers, *count)) return buffers;
  free(buffers);
  return NULL;
}

/* The time between a buffer's life and a moment; 0 if it is alive around then. */
static neap_time distance(const struct neap_problem *problem, size_t buffer, neap_time moment) {
  neap_range hull = problem_hull(problem, buffer);
  if (hull.end <= moment) return moment - hull.end + 1;
  return hull.start > moment ? hull.start - moment : 0;
}

/* Sorts all buffers: those furthest from the moment first, and of them the smallest first. */
static size_t *sort_by_distance(const struct neap_problem *problem, neap_time moment) {
  size_t *buffers = memory_array(problem->count, sizeof *buffers);
  struct rank *ranks = memory_array(problem->count, sizeof *ranks);
  for (size_t i = 0; buffers && ranks && i < problem->count; i++)
    ranks[i] =
        (struct rank){distance(problem, i, moment), NEAP_MAX - problem->buffers[i].size, i};
  if (buffers && ranks) sort_ranks(ranks, buffers, problem->count);
  bool has_room = buffers && ranks;
  free(ranks);
  if (has_room) return buffers;
  free(buffers);
  return NULL;
}

/* ---------------------------------------------------------------- the sum at one moment */

/* Whether sizes alone decide what fits at one moment. */
static bool is_plain(const struct neap_problem *problem) {
  return problem->fixed_count == 0 && !problem->relations && !constraints_align(problem);
}

static bool has_relations(const struct neap_problem *problem) {
  return problem_has(problem, RELATION_ANY);
}

/* If alignments or limits also matter, the search finds out whether each buffer is needed. */
static neap_status check_minimal(struct core *core, const struct neap_problem *problem,
                                 neap_size capacity, struct oracle *oracle, neap_error *error) {
  size_t *members = memory_array(core->count, sizeof *members);
  if (!members) return error_memory(error);
  memcpy(members, core->members, core->count * sizeof *members);
  struct shrink shrink = {problem, capacity, members, core->count, false};
  neap_status status = shrink_by_search(&shrink, oracle, error);
  core->is_minimal = shrink.is_minimal && shrink.count == core->count;
  free(members);
  return status;
}

static neap_status find_sum(struct core *core, const struct neap_problem *problem,
                            neap_size capacity, const neap_bound *bound, struct oracle *oracle,
                            neap_error *error) {
  size_t alive;
  neap_size sum = 0;
  core->reason = NEAP_REASON_SUM;
  core->members = core_alive(problem, bound->start, &alive);
  if (!core->members) return error_memory(error);
  while (core->count < alive && sum <= capacity)
    sum += problem->buffers[core->members[core->count++]].size;
  core->is_minimal = is_plain(problem); /* those that are left are stacked at this moment */
  bool is_open = !core->is_minimal && core->count <= PROVEN_MOST;
  return is_open ? check_minimal(core, problem, capacity, oracle, error) : NEAP_OK;
}

/* Sets *is_found to whether some pools are too small for the sizes of their buffers alone. */
static neap_status find_pools(struct core *core, const struct neap_problem *problem,
                              bool *is_found, neap_error *error) {
  struct crowding crowding;
  neap_status status = crowding_find(&crowding, problem, error);
  *is_found = status == NEAP_OK && crowding.members;
  if (!*is_found) return status;
  *core = (struct core){.reason = NEAP_REASON_POOLS,
                        .members = crowding.members,
                        .count = crowding.count,
                        .available = crowding.available,
                        .required = crowding.required};
  return NEAP_OK;
}

/* ---------------------------------------------------------------- a column, or a set */

static neap_status is_refuted_by_bound(const struct shrink *shrink, bool *is_refuted,
                                       neap_error *error) {
  struct subset subset;
  struct variant_choice choice = {.indices = shrink->members, .count = shrink->count};
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = variant_init(&subset, shrink->problem, &choice, error);
  if (status != NEAP_OK) return status;
  status = neap_problem_bound(subset.problem, &bound, error);
  *is_refuted = status == NEAP_OK && bound.lower_bound > shrink->capacity;
  subset_clear(&subset);
  return status;
}

/* Keeps only the nearest buffers if the search refutes them. */
static neap_status try_window(struct shrink *shrink, struct oracle *oracle, size_t size,
                              bool *is_found, neap_error *error) {
  struct subset subset;
  struct reply reply;
  size_t *nearest = shrink->members + (shrink->count - size);
  struct variant_choice choice = {.indices = nearest, .count = size};
  neap_status status = variant_init(&subset, shrink->problem, &choice, error);
  if (status != NEAP_OK) return status;
  struct question question = {subset.problem, shrink->capacity,
                              2 * oracle_ticks_for(subset.problem), true};
  status = oracle_ask(oracle, &question, false, &reply, error);
  subset_clear(&subset);
  *is_found = status == NEAP_OK && reply.answer == ANSWER_REFUTED;
  if (!*is_found) return status;
  memmove(shrink->members, nearest, size * sizeof *nearest);
  shrink->count = size;
  return NEAP_OK;
}

/* Tries no windows if buffers are colocated: a window must not cut a body. */
static neap_status find_window(struct shrink *shrink, struct oracle *oracle,
                               neap_error *error) {
  neap_status status = NEAP_OK;
  bool is_found = problem_has(shrink->problem, RELATION_JOINS);
  for (size_t size = FIRST_WINDOW; size < shrink->count && !is_found && status == NEAP_OK;
       size *= 2) {
    if (!oracle_has_left(oracle)) break;
    status = try_window(shrink, oracle, size, &is_found, error);
  }
  return status;
}

static neap_status find_set(struct core *core, struct shrink *shrink, bool by_bound,
                            struct oracle *oracle, neap_error *error) {
  neap_status status =
      by_bound ? shrink_by_bound(shrink, oracle, error) : find_window(shrink, oracle, error);
  if (status == NEAP_OK && (!by_bound || shrink->count <= PROVEN_MOST))
    status = shrink_by_search(shrink, oracle, error);
  if (status == NEAP_OK && by_bound) status = is_refuted_by_bound(shrink, &by_bound, error);
  core->reason = by_bound ? NEAP_REASON_COLUMN : NEAP_REASON_SET;
  core->count = shrink->count;
  core->is_minimal = shrink->is_minimal;
  if (status != NEAP_OK) return status;
  bool is_sorted = core_sort_by_size(shrink->problem, core->members, core->count);
  return is_sorted ? NEAP_OK : error_memory(error);
}

neap_status core_find(struct core *core, const struct neap_problem *problem, neap_size capacity,
                      struct oracle *oracle, neap_error *error) {
  neap_bound bound = NEAP_INIT(neap_bound);
  *core = (struct core){.reason = NEAP_REASON_NONE};
  neap_status status = neap_problem_bound(problem, &bound, error);
  if (status != NEAP_OK) return status;
  bool is_crowded;
  status = find_pools(core, problem, &is_crowded, error);
  if (status != NEAP_OK || is_crowded) return status;
  bool has_capacity = capacity >= 0 && problem_pool_count(problem) == 0;
  if (has_capacity && bound.bytes > capacity && !has_relations(problem))
    return find_sum(core, problem, capacity, &bound, oracle, error);
  core->members = sort_by_distance(problem, bound.start);
  if (!core->members) return error_memory(error);
  struct shrink shrink = {problem, capacity, core->members, problem->count, false};
  return find_set(core, &shrink, has_capacity && bound.lower_bound > capacity, oracle, error);
}

void core_clear(struct core *core) {
  free(core->members);
  *core = (struct core){0};
}
