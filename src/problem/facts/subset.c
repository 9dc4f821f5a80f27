/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Copies a problem through its public functions: pools, then the chosen buffers, then relations
 * and reserved bytes with their indices translated.  So the copy, with its edits, passes the
 * same checks as any other problem.  `originals` and `places` translate indices in both
 * directions.
 */
#include "facts/subset.h"

#include <assert.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "model/groups.h"

void subset_clear(struct subset *subset) {
  neap_problem_free(subset->problem);
  free(subset->originals);
  free(subset->places);
  *subset = (struct subset){0};
}

void subset_forget_places(struct subset *subset) {
  free(subset->places);
  subset->places = NULL;
}

static neap_status copy_pools(neap_problem *problem, const struct neap_problem *whole,
                              neap_error *error) {
  neap_status status = NEAP_OK;
  neap_pool pool = NEAP_INIT(neap_pool);
  for (size_t p = 0; status == NEAP_OK && neap_problem_pool_at(whole, p, &pool); p++)
    status = neap_problem_add_pool(problem, &pool, error);
  return status;
}

static neap_status copy_buffers(struct subset *subset, const struct neap_problem *whole,
                                const struct subset_choice *choice,
                                const struct subset_edits *edits, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; status == NEAP_OK && i < choice->count; i++) {
    neap_buffer buffer = NEAP_INIT(neap_buffer);
    size_t index = choice->indices[i];
    assert(index < whole->count && subset->places[index] == SUBSET_NONE);
    neap_problem_buffer_at(whole, index, &buffer);
    if (choice->pool != SUBSET_NONE) {
      buffer.pools = NULL;
      buffer.pool_count = 0;
    }
    if (edits && edits->buffer) edits->buffer(&buffer, index, edits->user);
    status = neap_problem_add(subset->problem, &buffer, error);
    subset->originals[i] = index;
    subset->places[index] = i;
  }
  return status;
}

static neap_status copy_relations(struct subset *subset, const struct neap_problem *whole,
                                  const struct subset_edits *edits, neap_error *error) {
  const struct relations *relations = whole->relations;
  neap_status status = NEAP_OK;
  for (size_t i = 0; status == NEAP_OK && i < relations->count; i++) {
    neap_relation relation = relations->items[i];
    if (edits && edits->relation && !edits->relation(&relation, i, edits->user)) continue;
    relation.first = subset->places[relation.first];
    relation.second = subset->places[relation.second];
    if (relation.first != SUBSET_NONE && relation.second != SUBSET_NONE)
      status = neap_problem_relate(subset->problem, &relation, error);
  }
  if (status != NEAP_OK) return status;
  return problem_copy_groups(subset->problem, whole, RELATION_ANY, subset->places, error);
}

static neap_status copy_reserved(neap_problem *problem, const struct relations *relations,
                                 size_t pool, const struct subset_edits *edits,
                                 neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; status == NEAP_OK && i < relations->reserved_count; i++) {
    neap_reserved reserved = relations->reserved[i];
    if (edits && edits->reserved && !edits->reserved(i, edits->user)) continue;
    if (pool != SUBSET_NONE && reserved.pool != pool) continue;
    if (pool != SUBSET_NONE) reserved.pool = 0;
    status = neap_problem_reserve(problem, &reserved, error);
  }
  return status;
}

static neap_status align_to_pool(neap_problem *problem, const struct neap_problem *whole,
                                 size_t pool, neap_error *error) {
  if (pool == SUBSET_NONE || pool >= problem_pool_count(whole)) return NEAP_OK;
  return neap_problem_align(problem, whole->relations->pools[pool].alignment, 1, error);
}

static neap_status fill_subset(struct subset *subset, const struct neap_problem *whole,
                               const struct subset_choice *choice,
                               const struct subset_edits *edits, neap_error *error) {
  const struct relations *relations = whole->relations;
  neap_problem *problem = subset->problem;
  neap_status status = NEAP_OK;
  if (choice->pool == SUBSET_NONE) status = copy_pools(problem, whole, error);
  if (status == NEAP_OK) status = copy_buffers(subset, whole, choice, edits, error);
  if (status == NEAP_OK && choice->aligns)
    status = align_to_pool(problem, whole, choice->pool, error);
  if (!relations || status != NEAP_OK) return status;
  status = copy_relations(subset, whole, edits, error);
  if (status == NEAP_OK) status = copy_reserved(problem, relations, choice->pool, edits, error);
  if (status != NEAP_OK || !problem->relations) return status;
  return neap_problem_set_objective(problem, relations->objective, error);
}

neap_status subset_init_edited(struct subset *subset, const struct neap_problem *whole,
                               const struct subset_choice *choice,
                               const struct subset_edits *edits, neap_error *error) {
  *subset = (struct subset){.problem = neap_problem_new(),
                            .originals = memory_array(choice->count, sizeof(size_t)),
                            .places = memory_array(whole->count, sizeof(size_t))};
  neap_status status =
      subset->problem && subset->originals && subset->places ? NEAP_OK : error_memory(error);
  if (status == NEAP_OK) {
    for (size_t i = 0; i < whole->count; i++)
      subset->places[i] = SUBSET_NONE;
    status = fill_subset(subset, whole, choice, edits, error);
  }
  if (status != NEAP_OK) subset_clear(subset);
  return status;
}

neap_status subset_init(struct subset *subset, const struct neap_problem *whole,
                        const struct subset_choice *choice, neap_error *error) {
  return subset_init_edited(subset, whole, choice, NULL, error);
}
