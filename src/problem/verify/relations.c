/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each rule is checked by itself, as the public header states it: first those of single buffers,
 * then those of pairs, then reserved bytes.  Nothing is taken from an engine.
 */
#include "verify/relations.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "facts/relation_text.h"
#include "facts/reserved.h"

static const char *pool_text(const neap_plan *plan, size_t pool, char excerpt[TEXT_EXCERPT]) {
  const char *name = names_text(&plan->problem->relations->pool_names, pool);
  return text_excerpt(excerpt, name, strlen(name));
}

/* ---------------------------------------------------------------- single buffers */

static neap_status verify_limits(const neap_plan *plan, size_t index, neap_error *error) {
  const struct limits *limits = problem_limits(plan->problem, index);
  neap_offset offset = plan->offsets[index], end = plan_end(plan, index);
  char excerpt[TEXT_EXCERPT];
  if (offset < limits->window_low || end > limits->window_high)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s is at bytes [%" PRId64 ", %" PRId64 "), outside its window [%" PRId64
                     ", %" PRId64 ")",
                     problem_excerpt(plan->problem, index, excerpt), offset, end,
                     limits->window_low, limits->window_high);
  if (limits->bank > 0 && end > offset && offset / limits->bank != (end - 1) / limits->bank)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s is at bytes [%" PRId64 ", %" PRId64
                     "), in more than one bank of %" PRId64 " bytes",
                     problem_excerpt(plan->problem, index, excerpt), offset, end, limits->bank);
  return NEAP_OK;
}

static bool allows_pool(const neap_plan *plan, size_t index, size_t pool) {
  const struct limits *limits = problem_limits(plan->problem, index);
  bool allowed = limits->pools_begin == limits->pools_end;
  for (size_t p = limits->pools_begin; p < limits->pools_end && !allowed; p++)
    allowed = plan->problem->relations->pool_lists[p] == pool;
  return allowed;
}

static neap_status verify_pool(const neap_plan *plan, size_t index, neap_error *error) {
  size_t number = neap_plan_pool(plan, index);
  char name[TEXT_EXCERPT], excerpt[TEXT_EXCERPT];
  assert(number < problem_pool_count(plan->problem));
  const neap_pool *pool = &plan->problem->relations->pools[number];
  neap_offset offset = plan->offsets[index], end = plan_end(plan, index);
  if (!allows_pool(plan, index, number))
    return error_set(error, NEAP_ERROR_UNSOUND, "%s is in pool %s, which it does not allow",
                     problem_excerpt(plan->problem, index, name),
                     pool_text(plan, number, excerpt));
  if (offset % pool->alignment != 0)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s is at offset %" PRId64 ", which is not a multiple of %" PRId64
                     ", the alignment of pool %s",
                     problem_excerpt(plan->problem, index, name), offset, pool->alignment,
                     pool_text(plan, number, excerpt));
  if (pool->capacity >= 0 && end > pool->capacity)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s ends at %" PRId64 ", above the capacity of %" PRId64
                     " bytes of pool %s",
                     problem_excerpt(plan->problem, index, name), end, pool->capacity,
                     pool_text(plan, number, excerpt));
  return NEAP_OK;
}

static neap_status verify_buffers(const neap_plan *plan, neap_error *error) {
  bool has_pools = problem_pool_count(plan->problem) > 0;
  for (size_t i = 0; i < plan->problem->count; i++) {
    neap_status status = verify_limits(plan, i, error);
    if (status == NEAP_OK && has_pools) status = verify_pool(plan, i, error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- pairs of buffers */

static neap_status verify_colocation(const neap_plan *plan, const neap_relation *relation,
                                     neap_error *error) {
  size_t first = relation->first, second = relation->second;
  size_t pool = neap_plan_pool(plan, first), other = neap_plan_pool(plan, second);
  char name[TEXT_EXCERPT], there[TEXT_EXCERPT], words[RELATION_TEXT], pair[TEXT_EXCERPT];
  neap_offset wanted;
  if (pool != other)
    return error_set(error, NEAP_ERROR_UNSOUND,
                     "%s is in pool %s and %s is in pool %s, against %s",
                     problem_excerpt(plan->problem, first, name), pool_text(plan, pool, there),
                     problem_excerpt(plan->problem, second, pair),
                     pool_text(plan, other, (char[TEXT_EXCERPT]){0}),
                     relation_text(plan->problem, relation, words));
  if (checked_add(plan->offsets[first], relation->bytes, &wanted) &&
      plan->offsets[second] == wanted)
    return NEAP_OK;
  return error_set(error, NEAP_ERROR_UNSOUND,
                   "%s is at offset %" PRId64 " and %s at offset %" PRId64 ", against %s",
                   problem_excerpt(plan->problem, first, name), plan->offsets[first],
                   problem_excerpt(plan->problem, second, pair), plan->offsets[second],
                   relation_text(plan->problem, relation, words));
}

/* The banks that a buffer has bytes in: *low to *high. */
static void find_banks(const neap_plan *plan, size_t index, neap_size bank, neap_offset *low,
                       neap_offset *high) {
  *low = plan->offsets[index] / bank;
  *high = (plan_end(plan, index) - 1) / bank;
}

static neap_status verify_banks(const neap_plan *plan, const neap_relation *relation,
                                neap_error *error) {
  size_t first = relation->first, second = relation->second;
  const struct buffer *buffers = plan->problem->buffers;
  neap_offset low, high, other_low, other_high;
  char name[TEXT_EXCERPT], pair[TEXT_EXCERPT], words[RELATION_TEXT];
  if (buffers[first].size == 0 || buffers[second].size == 0 ||
      neap_plan_pool(plan, first) != neap_plan_pool(plan, second))
    return NEAP_OK;
  find_banks(plan, first, relation->bytes, &low, &high);
  find_banks(plan, second, relation->bytes, &other_low, &other_high);
  if (high < other_low || other_high < low) return NEAP_OK;
  return error_set(error, NEAP_ERROR_UNSOUND,
                   "%s at bytes [%" PRId64 ", %" PRId64 ") and %s at bytes [%" PRId64
                   ", %" PRId64 ") are both in bank %" PRId64 ", against %s",
                   problem_excerpt(plan->problem, first, name), plan->offsets[first],
                   plan_end(plan, first), problem_excerpt(plan->problem, second, pair),
                   plan->offsets[second], plan_end(plan, second),
                   low > other_low ? low : other_low,
                   relation_text(plan->problem, relation, words));
}

static neap_status verify_pair(const neap_plan *plan, const neap_relation *relation,
                               neap_error *error) {
  if (relation->kind == NEAP_COLOCATION) return verify_colocation(plan, relation, error);
  if (relation->kind == NEAP_BANK_SEPARATION) return verify_banks(plan, relation, error);
  return NEAP_OK;
}

static neap_status verify_pairs(const neap_plan *plan, neap_error *error) {
  const struct relations *relations = plan->problem->relations;
  for (size_t i = 0; i < relations->count; i++) {
    neap_status status = verify_pair(plan, &relations->items[i], error);
    if (status != NEAP_OK) return status;
  }
  return NEAP_OK;
}

/* ---------------------------------------------------------------- reserved bytes */

/* Sets *user to the buffer that uses reserved bytes, if any. */
static neap_status verify_reserved(const neap_plan *plan, size_t *user, neap_error *error) {
  const struct placement placement = {plan->problem, plan->offsets, plan->pools};
  struct reserved_use use;
  bool found;
  neap_status status = reserved_first(&placement, &use, &found, error);
  if (status == NEAP_OK && found) *user = use.buffer;
  if (status != NEAP_OK || !found) return status;
  char text[RESERVED_TEXT];
  return error_set(error, NEAP_ERROR_UNSOUND, "%s", reserved_text(plan->problem, &use, text));
}

neap_status verify_relations(const neap_plan *plan, neap_error *error) {
  if (!plan->problem->relations) return NEAP_OK;
  neap_status status = verify_buffers(plan, error);
  if (status == NEAP_OK) status = verify_pairs(plan, error);
  size_t user;
  if (status == NEAP_OK) status = verify_reserved(plan, &user, error);
  return status;
}

/* ---------------------------------------------------------------- all faults */

/* Lists a fault if `status` says that there is one. */
static void list_fault(struct relation_faults *faults, size_t limit, neap_status status,
                       const struct relation_fault *fault, const neap_error *error) {
  if (status != NEAP_ERROR_UNSOUND) return;
  if (faults->count < limit) {
    struct relation_fault *item = &faults->items[faults->count++];
    *item = *fault;
    snprintf(item->text, sizeof item->text, "%.*s", (int)sizeof item->text - 1, error->text);
  }
  faults->total++;
}

static void list_buffers(const neap_plan *plan, struct relation_faults *faults, size_t limit) {
  bool has_pools = problem_pool_count(plan->problem) > 0;
  for (size_t i = 0; i < plan->problem->count; i++) {
    const struct limits *limits = problem_limits(plan->problem, i);
    neap_error error;
    bool is_outside =
        plan->offsets[i] < limits->window_low || plan_end(plan, i) > limits->window_high;
    struct relation_fault fault = {.first = i, .second = SIZE_MAX};
    fault.name = is_outside ? "window" : "bank";
    list_fault(faults, limit, verify_limits(plan, i, &error), &fault, &error);
    fault.name = "pool";
    if (has_pools) list_fault(faults, limit, verify_pool(plan, i, &error), &fault, &error);
  }
}

static void list_pairs(const neap_plan *plan, struct relation_faults *faults, size_t limit) {
  for (size_t i = 0; i < plan->problem->relations->count; i++) {
    const neap_relation *relation = &plan->problem->relations->items[i];
    const struct relation_fault fault = {.first = relation->first,
                                         .second = relation->second,
                                         .name = relation_kinds[relation->kind].words.one};
    neap_error error;
    list_fault(faults, limit, verify_pair(plan, relation, &error), &fault, &error);
  }
}

neap_status verify_relations_all(const neap_plan *plan, size_t limit,
                                 struct relation_faults *faults, neap_error *error) {
  *faults = (struct relation_faults){0};
  if (!plan->problem->relations) return NEAP_OK;
  struct relation_fault fault = {.second = SIZE_MAX, .name = "reserved bytes"};
  neap_error text = {0};
  neap_status status = verify_reserved(plan, &fault.first, &text);
  if (status == NEAP_ERROR_MEMORY) return error_memory(error);
  faults->items = memory_array(limit, sizeof *faults->items);
  if (!faults->items) return error_memory(error);
  list_buffers(plan, faults, limit);
  list_pairs(plan, faults, limit);
  list_fault(faults, limit, status, &fault, &text);
  return NEAP_OK;
}
