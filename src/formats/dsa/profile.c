/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "formats/dsa/profile.h"

#include <assert.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

/* ---------------------------------------------------------------- what a document can hold */

static neap_status refuse(const char *what, const char *name, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  return error_set(error, NEAP_ERROR_FORMAT, "dsa-solver's documents cannot hold %s %s", what,
                   text_excerpt(excerpt, name, strlen(name)));
}

static size_t choices_of(const struct neap_problem *problem, const neap_buffer *buffer) {
  return buffer->pools ? buffer->pool_count : problem_pool_count(problem);
}

static neap_status check_buffer(const struct neap_problem *problem, size_t index,
                                neap_error *error) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  neap_problem_buffer_at(problem, index, &buffer);
  const char *what = buffer.size == 0        ? "the size of 0 of buffer"
                     : buffer.window_low > 0 ? "the window of buffer"
                     : buffer.window_high < NEAP_MAX && buffer.window_high > 0
                         ? "the window of buffer"
                     : buffer.bank > 0                     ? "the bank of buffer"
                     : buffer.near_offset != NEAP_UNPLACED ? "the earlier offset of buffer"
                     : buffer.fixed_offset != NEAP_UNPLACED && choices_of(problem, &buffer) > 1
                         ? "the fixed offset without a fixed pool of buffer"
                         : NULL;
  return what ? refuse(what, buffer.name, error) : NEAP_OK;
}

/* dsa-solver gives all members of a class of colocated buffers the largest size. */
static neap_status check_relation(const struct neap_problem *problem,
                                  const neap_relation *relation, neap_error *error) {
  const char *name = problem_name(problem, relation->first);
  const struct buffer *buffers = problem->buffers;
  switch (relation->kind) {
  case NEAP_OVERLAP:
    return refuse("the overlap allowed for buffer", name, error);
  case NEAP_BANK_SEPARATION:
    return refuse("the bank separation of buffer", name, error);
  case NEAP_COLOCATION:
    if (relation->bytes != 0)
      return refuse("the colocation at a distance of buffer", name, error);
    if (buffers[relation->first].size == buffers[relation->second].size) return NEAP_OK;
    return refuse("the colocation with a buffer of another size of buffer", name, error);
  case NEAP_SEPARATION:
  case NEAP_EXCLUSION:
  case NEAP_REUSE_PENALTY:
    break;
  }
  return NEAP_OK;
}

static neap_status check_pools(const struct neap_problem *problem, neap_error *error) {
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++) {
    const char *what = pool.alignment != 1 ? "the alignment of pool"
                       : pool.base != 0    ? "the address of pool"
                       : pool.cost != -1   ? "the cost of pool"
                                           : NULL;
    if (what) return refuse(what, pool.name, error);
  }
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  for (size_t i = 0; neap_problem_reserved_at(problem, i, &reserved); i++)
    if (reserved.when.start > 0 || reserved.when.end < NEAP_MAX)
      return error_set(error, NEAP_ERROR_FORMAT,
                       "dsa-solver's documents cannot hold bytes that are reserved for some "
                       "time only");
  return NEAP_OK;
}

neap_status profile_check(const struct neap_problem *problem, neap_error *error) {
  neap_relation relation = NEAP_INIT(neap_relation);
  neap_status status = check_pools(problem, error);
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++)
    status = check_buffer(problem, i, error);
  for (size_t i = 0; status == NEAP_OK && neap_problem_relation_at(problem, i, &relation); i++)
    status = check_relation(problem, &relation, error);
  return status;
}

/* ---------------------------------------------------------------- the profile */

bool profile_has_choices(const struct neap_problem *problem) {
  neap_buffer buffer = NEAP_INIT(neap_buffer);
  for (size_t i = 0; neap_problem_buffer_at(problem, i, &buffer); i++)
    if (choices_of(problem, &buffer) > 1) return true;
  return false;
}

/* One pool, one range of time per buffer, no alignment, and nothing else but penalties. */
static bool is_standard(const struct neap_problem *problem) {
  neap_reserved reserved = NEAP_INIT(neap_reserved);
  neap_relation relation = NEAP_INIT(neap_relation);
  if (problem_pool_count(problem) > 1 || neap_problem_reserved_at(problem, 0, &reserved) ||
      problem->fixed_count > 0 || problem->range_count > problem->count)
    return false;
  for (size_t i = 0; i < problem->count; i++)
    if (problem->buffers[i].alignment != 1) return false;
  for (size_t i = 0; neap_problem_relation_at(problem, i, &relation); i++)
    if (relation.kind != NEAP_REUSE_PENALTY) return false;
  return true;
}

static bool has_capacity(const struct neap_problem *problem) {
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++)
    if (pool.capacity >= 0) return true;
  return false;
}

static bool puts_reuse_first(const struct neap_problem *problem) {
  neap_term order[NEAP_TERM_COUNT];
  neap_problem_objective(problem, order);
  for (size_t i = 0; order[i] != NEAP_TERM_PEAK; i++)
    if (order[i] == NEAP_TERM_REUSE) return true;
  return false;
}

/* The legacy profile permits everything, and claims nothing of a compiler. */
enum profile profile_of(const struct neap_problem *problem) {
  bool has_costs = problem_has(problem, NEAP_REUSE_PENALTY);
  bool reuse_first = puts_reuse_first(problem);
  if (!is_standard(problem)) return PROFILE_STRUCTURED;
  if (!has_costs && !reuse_first) return PROFILE_STANDARD;
  return reuse_first && has_capacity(problem) ? PROFILE_REUSE : PROFILE_STRUCTURED;
}

/* ---------------------------------------------------------------- the objective */

size_t profile_terms(const struct neap_problem *problem, enum profile profile,
                     enum metric terms[METRIC_COUNT]) {
  size_t count = 0;
  bool reuse_first = puts_reuse_first(problem);
  if (has_capacity(problem)) terms[count++] = METRIC_OVERFLOW;
  if (reuse_first) terms[count++] = METRIC_REUSE;
  if (profile != PROFILE_REUSE) terms[count++] = METRIC_TOTAL;
  if (!reuse_first && problem_has(problem, NEAP_REUSE_PENALTY)) terms[count++] = METRIC_REUSE;
  return count;
}

/* Adds a term unless it is in the list. */
static void add_term(neap_term order[NEAP_TERM_COUNT], size_t *count, neap_term term) {
  for (size_t i = 0; i < *count; i++)
    if (order[i] == term) return;
  assert(*count < NEAP_TERM_COUNT);
  order[(*count)++] = term;
}

void profile_order(const enum metric *metrics, size_t count, bool has_choices,
                   neap_term order[NEAP_TERM_COUNT]) {
  static const neap_term usual[] = {NEAP_TERM_SPILL, NEAP_TERM_PEAK, NEAP_TERM_REUSE,
                                    NEAP_TERM_MOVED};
  size_t found = 0;
  if (!has_choices) add_term(order, &found, NEAP_TERM_SPILL);
  for (size_t i = 0; i < count; i++) {
    if (metrics[i] == METRIC_TOTAL || metrics[i] == METRIC_MAX)
      add_term(order, &found, NEAP_TERM_PEAK);
    if (metrics[i] == METRIC_REUSE) add_term(order, &found, NEAP_TERM_REUSE);
  }
  for (size_t i = 0; i < NEAP_TERM_COUNT; i++)
    add_term(order, &found, usual[i]);
}
