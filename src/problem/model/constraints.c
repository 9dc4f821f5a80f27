/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Adds relations, pools, reserved bytes, earlier offsets and the objective to a problem.  Each
 * addition checks its own ranges; contradictions between several of them are left to
 * neap_problem_check.  The sum of all penalties is kept below 2^63, so the reuse cost of a plan
 * never overflows.
 */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "core/text.h"
#include "model/groups.h"
#include "model/problem.h"

/* ---------------------------------------------------------------- relations */

const char *neap_relation_kind_name(neap_relation_kind kind) {
  return (size_t)kind < NEAP_RELATION_KIND_COUNT ? relation_kinds[kind].name : "unknown";
}

neap_relation_words neap_relation_kind_words(neap_relation_kind kind) {
  assert((size_t)kind < NEAP_RELATION_KIND_COUNT);
  return relation_kinds[kind].words;
}

/* The relations of a problem, created when first needed; NULL when memory is short. */
static struct relations *relations_of(neap_problem *problem) {
  if (!problem->relations) problem->relations = relations_new();
  return problem->relations;
}

/* Checks that the penalties of a problem add up to less than 2^63. */
static neap_status check_costs(const struct relations *relations, const neap_relation *relation,
                               neap_error *error) {
  neap_size sum = relation->bytes;
  if (!relation_has(relation, RELATION_PRICED)) return NEAP_OK;
  if (checked_add(sum, relations->penalty_sum, &sum)) return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT,
                   "all reuse penalties must add up to less than 2^63");
}

static neap_status add_relation(neap_problem *problem, const neap_relation *relation,
                                neap_error *error) {
  neap_status status = groups_check_pair(problem, relation, error);
  if (status != NEAP_OK) return status;
  struct relations *relations = relations_of(problem);
  if (!relations) return error_memory(error);
  status = check_costs(relations, relation, error);
  if (status != NEAP_OK) return status;
  char *reason = NULL;
  if (!memory_reserve(&relations->items, &relations->capacity, relations->count + 1,
                      sizeof *relations->items) ||
      (relation->reason && !(reason = memory_text(relation->reason, strlen(relation->reason)))))
    return error_memory(error);
  relations->items[relations->count] = *relation;
  relations->items[relations->count++].reason = reason;
  relations->count_of[relation->kind]++;
  relations->effects |= relation_kinds[relation->kind].effects;
  if (relation_has(relation, RELATION_PRICED)) relations->penalty_sum += relation->bytes;
  return NEAP_OK;
}

neap_status neap_problem_relate(neap_problem *problem, const neap_relation *relation,
                                neap_error *error) {
  neap_relation own = NEAP_INIT(neap_relation);
  neap_status status = SIZED_READ(neap_relation, own, relation, error);
  return status == NEAP_OK ? add_relation(problem, &own, error) : status;
}

bool neap_problem_relation_at(const neap_problem *problem, size_t index,
                              neap_relation *relation) {
  if (index >= relations_total(problem->relations)) return false;
  neap_relation own = relations_at(problem->relations, index);
  return SIZED_FILL(relation, own);
}

size_t neap_problem_relation_count(const neap_problem *problem, neap_relation_kind kind) {
  bool exists = problem->relations && (size_t)kind < NEAP_RELATION_KIND_COUNT;
  return exists ? problem->relations->count_of[kind] : 0;
}

/* ---------------------------------------------------------------- pools and reserved bytes */

static neap_status check_pool(const struct relations *relations, const neap_pool *pool,
                              neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  size_t length = pool->name ? strlen(pool->name) : 0;
  if (length == 0) return error_set(error, NEAP_ERROR_INPUT, "a pool's name is empty");
  text_excerpt(excerpt, pool->name, length);
  if (text_utf8_prefix(pool->name, length) != length)
    return error_set(error, NEAP_ERROR_INPUT, "pool name %s is not valid UTF-8", excerpt);
  if (names_find(&relations->pool_names, pool->name, length) != NAMES_NONE)
    return error_set(error, NEAP_ERROR_INPUT, "duplicate pool %s", excerpt);
  if (pool->capacity < -1 || pool->alignment < 1 || pool->base < 0 || pool->cost < -1)
    return error_set(
        error, NEAP_ERROR_INPUT,
        "pool %s: expected a capacity, a base address and a cost of 0 or more, and "
        "an alignment of 1 or more",
        excerpt);
  return NEAP_OK;
}

static neap_status add_pool(neap_problem *problem, const neap_pool *pool, neap_error *error) {
  struct relations *relations = relations_of(problem);
  if (!relations) return error_memory(error);
  neap_status status = check_pool(relations, pool, error);
  if (status != NEAP_OK) return status;
  size_t count = relations->pool_names.count;
  if (!memory_reserve(&relations->pools, &relations->pool_capacity, count + 1,
                      sizeof *relations->pools) ||
      !names_add(&relations->pool_names, pool->name, strlen(pool->name)))
    return error_memory(error);
  relations->pools[count] = *pool;
  relations->pools[count].name = NULL;
  return NEAP_OK;
}

neap_status neap_problem_add_pool(neap_problem *problem, const neap_pool *pool,
                                  neap_error *error) {
  neap_pool own = NEAP_POOL_INIT;
  neap_status status = SIZED_READ(neap_pool, own, pool, error);
  return status == NEAP_OK ? add_pool(problem, &own, error) : status;
}

bool neap_problem_pool_at(const neap_problem *problem, size_t index, neap_pool *pool) {
  if (index >= problem_pool_count(problem)) return false;
  neap_pool own = problem->relations->pools[index];
  own.name = names_text(&problem->relations->pool_names, index);
  return SIZED_FILL(pool, own);
}

neap_status neap_problem_set_pool_capacity(neap_problem *problem, size_t pool,
                                           neap_size capacity, neap_error *error) {
  if (pool >= problem_pool_count(problem))
    return error_set(error, NEAP_ERROR_ARGUMENT, "pool number %zu does not exist", pool);
  if (capacity < -1)
    return error_set(error, NEAP_ERROR_ARGUMENT,
                     "expected a capacity of 0 bytes or more, or -1 for none, found %" PRId64,
                     capacity);
  problem->relations->pools[pool].capacity = capacity;
  return NEAP_OK;
}

bool neap_problem_find_pool(const neap_problem *problem, const char *name, size_t *index) {
  if (problem_pool_count(problem) == 0) return false;
  size_t found = names_find(&problem->relations->pool_names, name, strlen(name));
  if (found != NAMES_NONE) *index = found;
  return found != NAMES_NONE;
}

static neap_status add_reserved(neap_problem *problem, const neap_reserved *reserved,
                                neap_error *error) {
  size_t pools = problem_pool_count(problem);
  if (reserved->pool >= (pools == 0 ? 1 : pools))
    return error_set(error, NEAP_ERROR_INPUT,
                     "reserved bytes are in pool number %zu, which does "
                     "not exist",
                     reserved->pool);
  if (reserved->low < 0 || reserved->high <= reserved->low || reserved->when.start < 0 ||
      reserved->when.end <= reserved->when.start)
    return error_set(error, NEAP_ERROR_INPUT,
                     "expected reserved bytes and times that begin at 0 or more and end later, "
                     "found bytes [%" PRId64 ", %" PRId64 "), times [%" PRId64 ", %" PRId64 ")",
                     reserved->low, reserved->high, reserved->when.start, reserved->when.end);
  struct relations *relations = relations_of(problem);
  if (!relations || !memory_reserve(&relations->reserved, &relations->reserved_capacity,
                                    relations->reserved_count + 1, sizeof *relations->reserved))
    return error_memory(error);
  relations->reserved[relations->reserved_count++] = *reserved;
  return NEAP_OK;
}

neap_status neap_problem_reserve(neap_problem *problem, const neap_reserved *reserved,
                                 neap_error *error) {
  neap_reserved own = NEAP_INIT(neap_reserved);
  neap_status status = SIZED_READ(neap_reserved, own, reserved, error);
  return status == NEAP_OK ? add_reserved(problem, &own, error) : status;
}

bool neap_problem_reserved_at(const neap_problem *problem, size_t index,
                              neap_reserved *reserved) {
  if (!problem->relations || index >= problem->relations->reserved_count) return false;
  return SIZED_FILL(reserved, problem->relations->reserved[index]);
}

/* ---------------------------------------------------------------- earlier offsets */

/* The limits of a buffer, to be modified; NULL when memory is short. */
static struct limits *limits_of(neap_problem *problem, size_t index) {
  struct relations *relations = relations_of(problem);
  if (!relations || !memory_reserve(&relations->limits, &relations->limit_capacity, index + 1,
                                    sizeof *relations->limits))
    return NULL;
  while (relations->limit_count <= index) {
    struct limits *limits = &relations->limits[relations->limit_count++];
    *limits = limits_none;
    limits->pools_begin = limits->pools_end = relations->pool_list_count;
  }
  return &relations->limits[index];
}

neap_status neap_problem_set_near(neap_problem *problem, size_t index, neap_offset offset,
                                  neap_size cost, neap_error *error) {
  assert(index < problem->count);
  if (offset < NEAP_UNPLACED || cost < -1)
    return error_set(error, NEAP_ERROR_INPUT,
                     "an earlier offset and the cost of a move must be 0 or more");
  struct limits *limits = limits_of(problem, index);
  if (!limits) return error_memory(error);
  neap_size moved = cost < 0 ? problem->buffers[index].size : cost;
  problem->relations->near_count -= limits->near_offset != NEAP_UNPLACED;
  bool matters = offset != NEAP_UNPLACED && moved > 0;
  limits->near_offset = matters ? offset : NEAP_UNPLACED;
  limits->move_cost = matters ? moved : 0;
  problem->relations->near_count += matters;
  return NEAP_OK;
}

/* ---------------------------------------------------------------- the objective */

const char *neap_term_name(neap_term term) {
  static const char *const names[NEAP_TERM_COUNT] = {[NEAP_TERM_SPILL] = "spill",
                                                     [NEAP_TERM_PEAK] = "peak",
                                                     [NEAP_TERM_REUSE] = "reuse",
                                                     [NEAP_TERM_MOVED] = "moved"};
  return (size_t)term < NEAP_TERM_COUNT ? names[term] : "unknown";
}

neap_status neap_problem_set_objective(neap_problem *problem,
                                       const neap_term order[NEAP_TERM_COUNT],
                                       neap_error *error) {
  unsigned seen = 0;
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++)
    if ((size_t)order[i] < NEAP_TERM_COUNT) seen |= 1u << order[i];
  if (seen != (1u << NEAP_TERM_COUNT) - 1)
    return error_set(error, NEAP_ERROR_ARGUMENT, "an objective lists each term once");
  struct relations *relations = relations_of(problem);
  if (!relations) return error_memory(error);
  memcpy(relations->objective, order, sizeof relations->objective);
  return NEAP_OK;
}

void neap_problem_objective(const neap_problem *problem, neap_term order[NEAP_TERM_COUNT]) {
  const neap_term *from =
      problem->relations ? problem->relations->objective : relations_usual_objective;
  memcpy(order, from, sizeof relations_usual_objective);
}
