/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists the soft terms of a problem in the order in which a certificate numbers them, and tells
 * which of them are due, that is, paid by every plan.
 *
 * Listing takes O(n); the test of a term is linear in the ranges of its buffers and in the reserved
 * bytes.  Offsets are in bytes.
 */
#include "certify/soft_terms.h"

#include <stdlib.h>

#include "core/checked.h"
#include "core/memory.h"
#include "facts/domain.h"
#include "facts/spill.h"

static void list_penalties(struct soft_terms *terms, const struct neap_problem *problem) {
  const neap_relation *relation = NULL;
  while ((relation = problem_next_relation(problem, RELATION_PRICED, relation))) {
    size_t a = relation->first, b = relation->second;
    terms->items[terms->count++] = (struct soft_term){
        NEAP_TERM_REUSE, a < b ? a : b, (int64_t)(a < b ? b : a), relation->bytes};
  }
}

static void list_moves(struct soft_terms *terms, const struct relations *relations) {
  for (size_t i = 0; i < relations->limit_count; i++) {
    const struct limits *limits = &relations->limits[i];
    if (limits->near_offset != NEAP_UNPLACED)
      terms->items[terms->count++] =
          (struct soft_term){NEAP_TERM_MOVED, i, limits->near_offset, limits->move_cost};
  }
}

bool soft_terms_init(struct soft_terms *terms, const struct neap_problem *problem,
                     neap_term kind) {
  const struct relations *relations = problem->relations;
  size_t room =
      relations->count > relations->limit_count ? relations->count : relations->limit_count;
  *terms = (struct soft_terms){.items = memory_array(room, sizeof *terms->items)};
  if (!terms->items) return false;
  if (kind == NEAP_TERM_REUSE) list_penalties(terms, problem);
  else list_moves(terms, relations);
  return true;
}

void soft_terms_clear(struct soft_terms *terms) {
  free(terms->items);
  *terms = (struct soft_terms){0};
}

/* ---------------------------------------------------------------- due terms */

static bool is_reserved(const struct neap_problem *problem, size_t buffer, size_t pool,
                        neap_offset offset) {
  const struct relations *relations = problem->relations;
  neap_size size = problem->buffers[buffer].size;
  for (size_t r = 0; size > 0 && r < relations->reserved_count; r++) {
    const neap_reserved *hole = &relations->reserved[r];
    bool meets = offset < hole->high && (hole->low < offset || hole->low - offset < size);
    if (hole->pool == pool && meets && domain_is_alive(problem, buffer, hole->when))
      return true;
  }
  return false;
}

/*
 * Whether a buffer's own limits allow an offset in a pool; `pool` is 0 if there are no pools.
 */
static bool may_be_at(const struct neap_problem *problem, size_t buffer, size_t pool,
                      neap_offset offset) {
  const struct domain domain = domain_of_limits(problem, buffer);
  if (problem_pool_count(problem) > 0 &&
      offset % problem->relations->pools[pool].alignment != 0)
    return false;
  if (offset > NEAP_MAX - domain.size) return true; /* overflow is not a constraint */
  return domain_has(&domain, offset) && !is_reserved(problem, buffer, pool, offset);
}

static bool may_stay(const struct neap_problem *problem, size_t buffer, neap_offset offset) {
  if (problem_pool_count(problem) == 0) return may_be_at(problem, buffer, 0, offset);
  for (size_t c = 0; c < spill_choice_count(problem, buffer); c++)
    if (may_be_at(problem, buffer, spill_choice(problem, buffer, c), offset)) return true;
  return false;
}

static bool share_in_body(const struct neap_problem *problem, const struct bodies *bodies,
                          size_t a, size_t b) {
  size_t body = bodies_of(bodies, a);
  return body != BODIES_NONE && body == bodies_of(bodies, b) &&
         bodies_share_bytes(bodies, problem, a, b);
}

bool soft_term_is_due(const struct soft_term *term, const struct neap_problem *problem,
                      const struct bodies *bodies) {
  return term->kind == NEAP_TERM_REUSE
             ? share_in_body(problem, bodies, term->first, (size_t)term->second)
             : !may_stay(problem, term->first, term->second);
}
