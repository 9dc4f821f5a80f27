/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks three things: pairs that are both separated and permitted to share bytes; limits of a
 * buffer that exclude each other; and the layout of the buffers whose offsets and pools are
 * certain.
 */
#include "verify/contradictions.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/checked.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/text.h"
#include "facts/relation_text.h"
#include "facts/reserved.h"
#include "model/groups.h"
#include "verify/collide.h"

/* "... contradicts ..." */
static neap_status refuse_both(const struct neap_problem *problem, const neap_relation *one,
                               const neap_relation *other, neap_error *error) {
  char words[RELATION_TEXT], others[RELATION_TEXT];
  return error_set(error, NEAP_ERROR_INPUT, "%s contradicts %s",
                   relation_text(problem, one, words), relation_text(problem, other, others));
}

/* ---------------------------------------------------------------- separated and excluded */

static size_t lower(const neap_relation *relation) {
  return relation->first < relation->second ? relation->first : relation->second;
}

static size_t upper(const neap_relation *relation) {
  return relation->first < relation->second ? relation->second : relation->first;
}

static int compare_pairs(const neap_relation *a, const neap_relation *b) {
  if (lower(a) != lower(b)) return lower(a) < lower(b) ? -1 : 1;
  if (upper(a) != upper(b)) return upper(a) < upper(b) ? -1 : 1;
  return 0;
}

/* By pair, then kind, then as they were added. */
static int by_pair(const void *left, const void *right) {
  const neap_relation *a = *(const neap_relation *const *)left;
  const neap_relation *b = *(const neap_relation *const *)right;
  int order = compare_pairs(a, b);
  if (order != 0) return order;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* The relations with no effects other than these, sorted; NULL when memory is short. */
static const neap_relation **sort_relations(const struct neap_problem *problem,
                                            unsigned effects, size_t *count) {
  const struct relations *relations = problem->relations;
  const neap_relation **sorted = memory_array(relations->count, sizeof *sorted);
  *count = 0;
  if (!sorted) return NULL;
  for (size_t i = 0; i < relations->count; i++)
    if (!relation_has(&relations->items[i], ~effects))
      sorted[(*count)++] = &relations->items[i];
  qsort(sorted, *count, sizeof *sorted, by_pair);
  return sorted;
}

/* A buffer in a group of separations and in one of exclusions. */
struct crossing {
  size_t apart, free; /* numbers of groups */
  size_t buffer;
};

static int by_groups(const void *left, const void *right) {
  const struct crossing *a = left, *b = right;
  if (a->apart != b->apart) return a->apart < b->apart ? -1 : 1;
  if (a->free != b->free) return a->free < b->free ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

/* A pair of a group as a relation. */
static neap_relation pair_of(const struct neap_problem *problem, size_t group, size_t first,
                             size_t second) {
  neap_relation relation = problem->relations->groups[group].relation;
  relation.first = first;
  relation.second = second;
  return relation;
}

/* Refuses two buffers that are both in a group of separations and in one of exclusions. */
static neap_status compare_groups(const struct neap_problem *problem,
                                  const struct crossing *crossings, size_t count,
                                  neap_error *error) {
  for (size_t i = 1; i < count; i++) {
    const struct crossing *a = &crossings[i - 1], *b = &crossings[i];
    if (a->apart != b->apart || a->free != b->free) continue;
    neap_relation apart = pair_of(problem, a->apart, a->buffer, b->buffer);
    neap_relation free = pair_of(problem, a->free, a->buffer, b->buffer);
    return refuse_both(problem, &apart, &free, error);
  }
  return NEAP_OK;
}

/* Lists the groups of each buffer crosswise; false when memory is short. */
static bool list_crossings(const struct neap_problem *problem, const struct group_index *apart,
                           const struct group_index *free, struct crossing **crossings,
                           size_t *count) {
  size_t capacity = 0;
  for (size_t b = 0; b < problem->count && apart->ends && free->ends; b++)
    for (size_t i = b == 0 ? 0 : apart->ends[b - 1]; i < apart->ends[b]; i++)
      for (size_t k = b == 0 ? 0 : free->ends[b - 1]; k < free->ends[b]; k++) {
        if (!memory_reserve(crossings, &capacity, *count + 1, sizeof **crossings)) return false;
        (*crossings)[(*count)++] = (struct crossing){apart->groups[i], free->groups[k], b};
      }
  return true;
}

/* Refuses a relation whose buffers are in one of the groups, which contradict it. */
static neap_status compare_with(const struct neap_problem *problem, unsigned effect,
                                const struct group_index *index, unsigned other,
                                neap_error *error) {
  const neap_relation *relation = NULL;
  neap_relation found;
  while (index->ends && (relation = problem_next_relation(problem, effect, relation)))
    if (!relation_has(relation, RELATION_JOINS) &&
        group_index_share(index, relation->first, relation->second) &&
        relation_between(problem, other, relation->first, relation->second, &found))
      return refuse_both(problem, relation, &found, error);
  return NEAP_OK;
}

static neap_status check_groups(const struct neap_problem *problem, neap_error *error) {
  struct group_index apart, free_ones = {.ends = NULL};
  struct crossing *crossings = NULL;
  size_t count = 0;
  bool ready = group_index_init(&apart, problem, RELATION_APART) &&
               group_index_init(&free_ones, problem, RELATION_FREES) &&
               list_crossings(problem, &apart, &free_ones, &crossings, &count);
  if (ready && count > 1) qsort(crossings, count, sizeof *crossings, by_groups);
  neap_status status =
      ready ? compare_groups(problem, crossings, count, error) : error_memory(error);
  if (status == NEAP_OK)
    status = compare_with(problem, RELATION_APART, &free_ones, RELATION_FREES, error);
  if (status == NEAP_OK)
    status = compare_with(problem, RELATION_FREES, &apart, RELATION_APART, error);
  free(crossings);
  group_index_clear(&apart);
  group_index_clear(&free_ones);
  return status;
}

/* Separations and exclusions of a pair are neighbours once they are sorted. */
static neap_status check_exclusions(const struct neap_problem *problem, neap_error *error) {
  size_t count;
  if (!problem_has(problem, RELATION_APART) || !problem_has(problem, RELATION_FREES))
    return NEAP_OK;
  neap_status status = check_groups(problem, error);
  if (status != NEAP_OK) return status;
  const neap_relation **sorted =
      sort_relations(problem, RELATION_APART | RELATION_FREES, &count);
  if (!sorted) return error_memory(error);
  for (size_t i = 1; i < count && status == NEAP_OK; i++)
    if (compare_pairs(sorted[i - 1], sorted[i]) == 0 && sorted[i - 1]->kind != sorted[i]->kind)
      status = refuse_both(problem, sorted[i - 1], sorted[i], error);
  free(sorted);
  return status;
}

/* ---------------------------------------------------------------- separated and colocated */

/* Reports a relation that colocated buffers cannot satisfy. */
static neap_status refuse_colocated(const struct known *known, const neap_relation *relation,
                                    neap_error *error) {
  neap_relation colocation;
  char words[RELATION_TEXT], distance[DISTANCE_TEXT];
  if (relation_between(known->problem, RELATION_JOINS, relation->first, relation->second,
                       &colocation))
    return refuse_both(known->problem, relation, &colocation, error);
  return error_set(error, NEAP_ERROR_INPUT, "%s contradicts colocations, which yield %s",
                   relation_text(known->problem, relation, words),
                   contradictions_distance(known, relation->first, relation->second, distance));
}

/*
 * Whether some offset of a body puts two of its buffers into different banks.  Let `last` be
 * the last byte of the lower buffer.  Modulo g, the common divisor of the bank size and of the
 * step between possible offsets, `last` is known.  In the best case, `last` is so close to the
 * end of its bank that only the bytes up to the next multiple of g remain, and the upper buffer
 * must begin beyond these.
 */
static bool banks_fit_in_body(const struct known *known, size_t a, size_t b, neap_size bank) {
  const neap_offset *inner = known->bodies.inner;
  const struct body *body = &known->bodies.items[known->bodies.of[a]];
  if (bodies_share_bytes(&known->bodies, known->problem, a, b)) return false;
  size_t below = inner[a] < inner[b] ? a : b, above = below == a ? b : a;
  neap_offset last = inner[below] + known->problem->buffers[below].size - 1;
  neap_size step = common_divisor(body->bases.step, bank);
  uint64_t rest = (uint64_t)(body->bases.rest % step) + (uint64_t)(last % step);
  neap_size left = step - (neap_size)(rest % (uint64_t)step);
  return inner[above] - last >= left;
}

static bool have_bytes(const struct known *known, const neap_relation *relation) {
  return known->problem->buffers[relation->first].size > 0 &&
         known->problem->buffers[relation->second].size > 0;
}

/* Whether two buffers at certain offsets have bytes in the same bank. */
static bool meet_in_bank(const struct known *known, size_t a, size_t b, neap_size bank) {
  neap_offset a_low = known->offsets[a], b_low = known->offsets[b];
  neap_offset a_last = a_low + known->problem->buffers[a].size - 1;
  neap_offset b_last = b_low + known->problem->buffers[b].size - 1;
  return a_low / bank <= b_last / bank && b_low / bank <= a_last / bank;
}

static neap_status check_banks(const struct known *known, const neap_relation *relation,
                               neap_error *error) {
  size_t a = relation->first, b = relation->second, body = bodies_of(&known->bodies, a);
  bool is_body = body != BODIES_NONE && body == bodies_of(&known->bodies, b);
  bool is_certain =
      known->offsets[a] != NEAP_UNPLACED && known->offsets[b] != NEAP_UNPLACED &&
      (is_body || (known->pools[a] != KNOWN_NO_POOL && known->pools[a] == known->pools[b]));
  char words[RELATION_TEXT], name[TEXT_EXCERPT], other[TEXT_EXCERPT];
  if (!have_bytes(known, relation)) return NEAP_OK;
  if (is_body && !banks_fit_in_body(known, a, b, relation->bytes))
    return refuse_colocated(known, relation, error);
  if (!is_certain || !meet_in_bank(known, a, b, relation->bytes)) return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT,
                   "%s contradicts fixed offsets, which put %s at offset %" PRId64
                   " and %s at offset %" PRId64,
                   relation_text(known->problem, relation, words),
                   problem_excerpt(known->problem, a, name), known->offsets[a],
                   problem_excerpt(known->problem, b, other), known->offsets[b]);
}

/* Allowances, by pair, that permit the bytes that colocated buffers share. */
struct allowances {
  const neap_relation **items;
  size_t count;
};

static bool allows(const struct known *known, const neap_relation *gap) {
  const neap_offset *inner = known->bodies.inner;
  size_t body = bodies_of(&known->bodies, gap->first);
  return body != BODIES_NONE && body == bodies_of(&known->bodies, gap->second) &&
         inner[gap->second] - inner[gap->first] >= gap->bytes;
}

static neap_status list_allowances(const struct known *known, struct allowances *allowances,
                                   neap_error *error) {
  size_t count;
  allowances->items = sort_relations(known->problem, RELATION_GAP, &count);
  if (!allowances->items) return error_memory(error);
  for (size_t i = 0; i < count; i++)
    if (allows(known, allowances->items[i]))
      allowances->items[allowances->count++] = allowances->items[i];
  return NEAP_OK;
}

static bool is_allowed(const struct allowances *allowances, const neap_relation *separation) {
  struct bisection search = bisection_of(0, allowances->count);
  while (bisection_open(&search))
    bisection_step(&search, compare_pairs(allowances->items[search.middle], separation) < 0);
  return search.low < allowances->count &&
         compare_pairs(allowances->items[search.low], separation) == 0;
}

static neap_status check_separation(const struct known *known,
                                    const struct allowances *allowances,
                                    const neap_relation *relation, neap_error *error) {
  size_t a = relation->first, b = relation->second, body = bodies_of(&known->bodies, a);
  if (body == BODIES_NONE || body != bodies_of(&known->bodies, b) ||
      !bodies_share_bytes(&known->bodies, known->problem, a, b) ||
      is_allowed(allowances, relation))
    return NEAP_OK;
  return refuse_colocated(known, relation, error);
}

/* The members of a group that are in one body must not share bytes either. */
static neap_status check_apart(const struct known *known, const struct allowances *allowances,
                               neap_error *error) {
  const struct neap_problem *problem = known->problem;
  const struct relation_group *group = NULL;
  neap_status status = NEAP_OK;
  while (known->bodies.count > 0 && status == NEAP_OK &&
         (group = problem_next_group(problem, RELATION_APART, group))) {
    const size_t *members = problem->relations->members;
    for (size_t i = group->begin; i < group->end; i++)
      for (size_t k = group->begin; k < i && status == NEAP_OK &&
                                    bodies_of(&known->bodies, members[i]) != BODIES_NONE;
           k++) {
        neap_relation relation = group->relation;
        relation.first = members[k];
        relation.second = members[i];
        status = check_separation(known, allowances, &relation, error);
      }
  }
  return status;
}

static neap_status check_separations(const struct known *known, neap_error *error) {
  const struct relations *relations = known->problem->relations;
  struct allowances allowances = {.count = 0};
  if (!problem_has(known->problem, RELATION_APART | RELATION_BANKS)) return NEAP_OK;
  neap_status status = list_allowances(known, &allowances, error);
  for (size_t i = 0; i < relations->count && status == NEAP_OK; i++) {
    const neap_relation *relation = &relations->items[i];
    if (relation->kind == NEAP_SEPARATION)
      status = check_separation(known, &allowances, relation, error);
    if (relation->kind == NEAP_BANK_SEPARATION) status = check_banks(known, relation, error);
  }
  if (status == NEAP_OK) status = check_apart(known, &allowances, error);
  free(allowances.items);
  return status;
}

/* ---------------------------------------------------------------- limits of a buffer */

static neap_status check_limits(const struct neap_problem *problem, size_t index,
                                neap_error *error) {
  const struct buffer *buffer = &problem->buffers[index];
  const struct limits *limits = &problem->relations->limits[index];
  const struct domain domain = domain_of_limits(problem, index);
  char name[TEXT_EXCERPT];
  if (domain_is_plain(&domain) || domain_next(&domain, 0) != NEAP_UNPLACED) return NEAP_OK;
  problem_excerpt(problem, index, name);
  if (limits->bank == 0)
    return error_set(error, NEAP_ERROR_INPUT,
                     "%s: no offset in the window [%" PRId64 ", %" PRId64 ") suits its %" PRId64
                     " bytes and its alignment %" PRId64,
                     name, limits->window_low, limits->window_high, buffer->size,
                     buffer->alignment);
  return error_set(error, NEAP_ERROR_INPUT,
                   "%s: no offset in the window [%" PRId64 ", %" PRId64 ") suits its %" PRId64
                   " bytes, its alignment %" PRId64 " and its bank of %" PRId64 " bytes",
                   name, limits->window_low, limits->window_high, buffer->size,
                   buffer->alignment, limits->bank);
}

/* An offset that is certain must suit the alignment of a pool that is allowed. */
static neap_status check_pool_alignment(const struct known *known, size_t index,
                                        neap_error *error) {
  const struct relations *relations = known->problem->relations;
  const struct limits *limits = problem_limits(known->problem, index);
  size_t listed = limits->pools_end - limits->pools_begin;
  size_t count = listed > 0 ? listed : relations->pool_names.count;
  char name[TEXT_EXCERPT];
  for (size_t p = 0; p < count; p++) {
    size_t pool = listed > 0 ? relations->pool_lists[limits->pools_begin + p] : p;
    if (known->offsets[index] % relations->pools[pool].alignment == 0) return NEAP_OK;
  }
  return error_set(error, NEAP_ERROR_INPUT,
                   "%s is fixed to offset %" PRId64
                   ", which is not a multiple of the alignment of %s",
                   problem_excerpt(known->problem, index, name), known->offsets[index],
                   count == 1 ? "its pool" : "any of its pools");
}

static neap_status check_buffers(const struct known *known, neap_error *error) {
  const struct neap_problem *problem = known->problem;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < problem->relations->limit_count && status == NEAP_OK; i++)
    status = check_limits(problem, i, error);
  if (problem_pool_count(problem) == 0) return status;
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++)
    if (known->offsets[i] != NEAP_UNPLACED) status = check_pool_alignment(known, i, error);
  return status;
}

/* ---------------------------------------------------------------- what is certain */

/* A buffer whose pool is uncertain counts as not placed. */
static neap_status check_layout(struct known *known, neap_error *error) {
  const struct placement placement = {known->problem, known->offsets, known->pools};
  struct reserved_use use;
  neap_collision collision;
  bool used, collides;
  char text[COLLIDE_TEXT];
  for (size_t i = 0; i < known->problem->count; i++)
    if (known->pools[i] == KNOWN_NO_POOL) known->offsets[i] = NEAP_UNPLACED;
  neap_status status = collide_first(&placement, &collision, &collides, error);
  if (status == NEAP_OK && collides)
    return error_set(error, NEAP_ERROR_INPUT, "fixed offsets collide: %s",
                     collide_text(known->problem, &collision, text));
  if (status == NEAP_OK) status = reserved_first(&placement, &use, &used, error);
  if (status == NEAP_OK && used)
    return error_set(error, NEAP_ERROR_INPUT, "at its fixed offset, %s",
                     reserved_text(known->problem, &use, text));
  return status;
}

static neap_status check_known(struct known *known, neap_error *error) {
  neap_status status = contradictions_of_bodies(known, error);
  if (status == NEAP_OK) status = check_separations(known, error);
  if (status == NEAP_OK) status = check_buffers(known, error);
  if (status == NEAP_OK) status = check_layout(known, error);
  return status;
}

neap_status contradictions_check(const struct neap_problem *problem, neap_error *error) {
  struct known known = {.problem = problem};
  if (!problem->relations) return NEAP_OK;
  neap_status status = check_exclusions(problem, error);
  if (status != NEAP_OK) return status;
  known.offsets = memory_array(problem->count, sizeof *known.offsets);
  known.pools = memory_array(problem->count, sizeof *known.pools);
  status = known.offsets && known.pools ? NEAP_OK : error_memory(error);
  for (size_t i = 0; i < problem->count && status == NEAP_OK; i++)
    known.offsets[i] = problem->buffers[i].fixed_offset;
  if (status == NEAP_OK) status = check_known(&known, error);
  bodies_clear(&known.bodies);
  free(known.offsets);
  free(known.pools);
  return status;
}
