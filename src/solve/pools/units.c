/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units are bodies (facts/bodies) and single buffers, because colocated buffers must share a
 * pool; they are numbered by their first members.  The choices of a unit are the pools that all
 * its members allow and in which each member fits alone, sorted by cost: the sum, over the
 * members, of size times the cost of the pool (facts/spill).  Costs are checked, so that any sum
 * of one choice per unit fits into a neap_size.
 *
 * O(n log n) time for n buffers, colocations and entries of lists of pools, plus sorting few
 * choices per unit by insertion.
 */
#include "pools/units.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "facts/bodies.h"
#include "facts/domain.h"
#include "facts/spill.h"

void units_clear(struct units *units) {
  free(units->of);
  free(units->members);
  free(units->members_end);
  free(units->choices);
  free(units->choices_end);
  *units = (struct units){0};
}

bool units_are_forced(const struct units *units) {
  for (size_t u = 0; u < units->count; u++)
    if (units->choices_end[u] - units_choices_begin(units, u) > 1) return false;
  return true;
}

/* ---------------------------------------------------------------- bodies */

/* Numbers the units by their first members, and lists the members of each. */
static void list_members(struct units *units, const struct neap_problem *problem,
                         const struct bodies *bodies) {
  size_t count = problem->count;
  for (size_t i = 0; i < count; i++) {
    size_t body = bodies_of(bodies, i);
    size_t first = body == BODIES_NONE ? i : bodies->members[bodies->items[body].begin];
    units->of[i] = first == i ? units->count++ : units->of[first];
    units->members_end[units->of[i]]++;
  }
  for (size_t u = 1; u < units->count; u++)
    units->members_end[u] += units->members_end[u - 1];
  for (size_t i = count; i-- > 0;)
    units->members[--units->members_end[units->of[i]]] = i;
  /* members_end[u] now is the begin of unit u, so the ends are restored. */
  for (size_t u = 0; u < units->count; u++)
    units->members_end[u] = u + 1 < units->count ? units->members_end[u + 1] : count;
}

static neap_status find_members(struct units *units, const struct neap_problem *problem,
                                neap_error *error) {
  struct bodies bodies;
  neap_status status = bodies_init(&bodies, problem, error);
  if (status != NEAP_OK) return status;
  units->of = memory_array(problem->count, sizeof *units->of);
  units->members = memory_array(problem->count, sizeof *units->members);
  units->members_end = memory_array(problem->count, sizeof *units->members_end);
  if (units->of && units->members && units->members_end) list_members(units, problem, &bodies);
  else status = error_memory(error);
  bodies_clear(&bodies);
  return status;
}

/* ---------------------------------------------------------------- choices */

/*
 * Whether a buffer with this end is below all bytes of a pool that are reserved without an
 * upper end.
 */
static bool ends_below_reserved(const struct neap_problem *problem, size_t index, size_t pool,
                                neap_offset end) {
  const struct relations *relations = problem->relations;
  if (problem->buffers[index].size == 0) return true;
  for (size_t r = 0; r < relations->reserved_count; r++) {
    const neap_reserved *reserved = &relations->reserved[r];
    if (reserved->pool == pool && reserved->high == NEAP_MAX && end > reserved->low &&
        domain_is_alive(problem, index, reserved->when))
      return false;
  }
  return true;
}

static bool fits_alone(const struct neap_problem *problem, size_t index, size_t pool) {
  const struct buffer *buffer = &problem->buffers[index];
  const neap_pool *held = &problem->relations->pools[pool];
  neap_size low = problem_limits(problem, index)->window_low, step, end;
  if (!checked_mul(buffer->alignment / common_divisor(buffer->alignment, held->alignment),
                   held->alignment, &step))
    return false;
  if (buffer->fixed_offset != NEAP_UNPLACED) low = buffer->fixed_offset;
  if (buffer->fixed_offset != NEAP_UNPLACED && low % step != 0) return false;
  if (!checked_add(low, buffer->size, &end)) return false;
  if (held->capacity >= 0 && end > held->capacity) return false;
  return ends_below_reserved(problem, index, pool, end);
}

/* Data about a pool, collected from the members of one unit. */
struct tally {
  size_t stamp;  /* the unit + 1 that the other members refer to */
  size_t listed; /* the members that allow the pool */
  size_t fitting;
  neap_size cost;
};

static neap_status refuse_costs(neap_error *error) {
  return error_set(
      error, NEAP_ERROR_INPUT,
      "the sizes of all buffers, times the costs of their pools, must add up to less "
      "than 2^63");
}

static neap_status tally_member(const struct neap_problem *problem, size_t unit, size_t member,
                                struct tally *tallies, neap_error *error) {
  for (size_t place = 0; place < spill_choice_count(problem, member); place++) {
    size_t pool = spill_choice(problem, member, place);
    struct tally *tally = &tallies[pool];
    neap_size cost;
    if (tally->stamp != unit + 1) *tally = (struct tally){.stamp = unit + 1};
    tally->listed++;
    tally->fitting += fits_alone(problem, member, pool);
    if (!spill_cost_at(problem, member, place, &cost) ||
        !checked_add(tally->cost, cost, &tally->cost))
      return refuse_costs(error);
  }
  return NEAP_OK;
}

static neap_status refuse_body(const struct neap_problem *problem, const struct units *units,
                               size_t unit, neap_error *error) {
  size_t begin = units_members_begin(units, unit);
  const char *first = problem_name(problem, units->members[begin]);
  const char *last = problem_name(problem, units->members[units->members_end[unit] - 1]);
  char a[TEXT_EXCERPT], b[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_INPUT,
                   "%s and %s are colocated, but no pool may contain all buffers that are "
                   "colocated with them",
                   text_excerpt(a, first, strlen(first)), text_excerpt(b, last, strlen(last)));
}

/* Inserts a choice after all choices that are at most as expensive. */
static void insert_choice(struct unit_choice *choices, size_t count,
                          struct unit_choice choice) {
  size_t at = count;
  for (; at > 0 && choices[at - 1].cost > choice.cost; at--)
    choices[at] = choices[at - 1];
  choices[at] = choice;
}

static neap_status choose_for(struct units *units, const struct neap_problem *problem,
                              size_t unit, struct tally *tallies, size_t *capacity,
                              neap_error *error) {
  size_t begin = units_members_begin(units, unit), end = units->members_end[unit];
  neap_status status = NEAP_OK;
  for (size_t m = begin; m < end && status == NEAP_OK; m++)
    status = tally_member(problem, unit, units->members[m], tallies, error);
  if (status != NEAP_OK) return status;
  size_t first = units->members[begin], places = spill_choice_count(problem, first);
  size_t from = units_choices_begin(units, unit), listed = 0, count = 0;
  if (!memory_reserve(&units->choices, capacity, from + places, sizeof *units->choices))
    return error_memory(error);
  for (size_t place = 0; place < places; place++) {
    size_t pool = spill_choice(problem, first, place);
    listed += tallies[pool].listed == end - begin;
    if (tallies[pool].fitting < end - begin) continue;
    struct unit_choice choice = {pool, tallies[pool].cost};
    insert_choice(units->choices + from, count++, choice);
  }
  units->choices_end[unit] = from + count;
  return listed > 0 ? NEAP_OK : refuse_body(problem, units, unit, error);
}

static neap_status list_choices(struct units *units, const struct neap_problem *problem,
                                neap_error *error) {
  struct tally *tallies = memory_array(problem_pool_count(problem), sizeof *tallies);
  units->choices_end = memory_array(units->count, sizeof *units->choices_end);
  neap_status status = tallies && units->choices_end ? NEAP_OK : error_memory(error);
  neap_size most = 0;
  for (size_t u = 0, capacity = 0; u < units->count && status == NEAP_OK; u++) {
    status = choose_for(units, problem, u, tallies, &capacity, error);
    if (status != NEAP_OK || units->choices_end[u] == units_choices_begin(units, u)) continue;
    if (!checked_add(most, units->choices[units->choices_end[u] - 1].cost, &most))
      status = refuse_costs(error);
  }
  free(tallies);
  return status;
}

neap_status units_init(struct units *units, const struct neap_problem *problem,
                       neap_error *error) {
  *units = (struct units){0};
  assert(problem_pool_count(problem) > 0);
  neap_status status = find_members(units, problem, error);
  if (status == NEAP_OK) status = list_choices(units, problem, error);
  if (status != NEAP_OK) units_clear(units);
  return status;
}
