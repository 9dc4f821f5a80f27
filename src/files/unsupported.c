/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "files/unsupported.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "facts/relation_text.h"
#include "model/groups.h"

static neap_status refuse(const char *format, const char *what, neap_error *error) {
  return error_set(error, NEAP_ERROR_FORMAT, "%s cannot hold %s; use .json", format, what);
}

static neap_status refuse_relation(const neap_problem *problem, const neap_relation *relation,
                                   unsigned kept, const char *format, neap_error *error) {
  unsigned needed =
      relation_has(relation, RELATION_PRICED) ? SUPPORTED_PENALTIES : SUPPORTED_RELATIONS;
  char text[RELATION_TEXT];
  if (kept & needed) return NEAP_OK;
  return refuse(format, relation_text(problem, relation, text), error);
}

static neap_status refuse_relations(const neap_problem *problem, unsigned kept,
                                    const char *format, neap_error *error) {
  const struct relations *relations = problem->relations;
  const struct relation_group *group = NULL;
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < relations->count && status == NEAP_OK; i++)
    status = refuse_relation(problem, &relations->items[i], kept, format, error);
  while (status == NEAP_OK && (group = problem_next_group(problem, RELATION_ANY, group)))
    status = refuse_relation(problem, &group->relation, kept, format, error);
  return status;
}

static neap_status refuse_limit(const neap_problem *problem, size_t index, const char *format,
                                const char *what, neap_error *error) {
  const char *name = problem_name(problem, index);
  char excerpt[TEXT_EXCERPT], text[TEXT_EXCERPT + 64];
  text_excerpt(excerpt, name, strlen(name));
  snprintf(text, sizeof text, "%s of buffer %s", what, excerpt);
  return refuse(format, text, error);
}

static neap_status refuse_limits(const neap_problem *problem, unsigned kept, const char *format,
                                 neap_error *error) {
  for (size_t i = 0; i < problem->relations->limit_count; i++) {
    const struct limits *limits = problem_limits(problem, i);
    bool has_window = limits->window_low > 0 || limits->window_high < NEAP_MAX;
    if (!(kept & SUPPORTED_LIMITS) && has_window)
      return refuse_limit(problem, i, format, "the window", error);
    if (!(kept & SUPPORTED_LIMITS) && limits->bank > 0)
      return refuse_limit(problem, i, format, "the bank", error);
    if (!(kept & SUPPORTED_NEAR) && limits->near_offset != NEAP_UNPLACED)
      return refuse_limit(problem, i, format, "the earlier offset", error);
  }
  return NEAP_OK;
}

static neap_status refuse_pools(const neap_problem *problem, unsigned kept, const char *format,
                                neap_error *error) {
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t i = 0; neap_problem_pool_at(problem, i, &pool); i++) {
    bool has_facts =
        pool.capacity >= 0 || pool.alignment != 1 || pool.base > 0 || pool.cost >= 0;
    char excerpt[TEXT_EXCERPT], text[TEXT_EXCERPT + 64];
    text_excerpt(excerpt, pool.name, strlen(pool.name));
    if (i == 1 && !(kept & SUPPORTED_POOLS)) return refuse(format, "several pools", error);
    if (kept & SUPPORTED_POOL_FACTS || !has_facts) continue;
    snprintf(text, sizeof text, "the capacity, alignment, base or cost of pool %s", excerpt);
    return refuse(format, text, error);
  }
  return NEAP_OK;
}

static neap_status refuse_objective(const neap_problem *problem, const char *format,
                                    neap_error *error) {
  for (int i = 0; i < NEAP_TERM_COUNT; i++)
    if (problem->relations->objective[i] != (neap_term)i)
      return refuse(format, "the order of the objective", error);
  return NEAP_OK;
}

neap_status unsupported_refuse(const neap_problem *problem, unsigned kept, const char *format,
                               neap_error *error) {
  if (!problem->relations) return NEAP_OK;
  neap_status status = refuse_relations(problem, kept, format, error);
  if (status == NEAP_OK) status = refuse_limits(problem, kept, format, error);
  if (status == NEAP_OK) status = refuse_pools(problem, kept, format, error);
  if (status == NEAP_OK && !(kept & SUPPORTED_RESERVED) &&
      problem->relations->reserved_count > 0)
    status = refuse(format, "reserved bytes", error);
  if (status == NEAP_OK && !(kept & SUPPORTED_OBJECTIVE))
    status = refuse_objective(problem, format, error);
  return status;
}
