/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of model/relations.h that libneap-io also needs: the table of kinds, relations by
 * effect, and the limits of a buffer without limits.
 */
#include "model/problem.h"

const struct relation_kind relation_kinds[NEAP_RELATION_KIND_COUNT] = {
    [NEAP_SEPARATION] = {.name = "separation",
                         .words = {"separation", "separations", "separations"},
                         .effects = RELATION_APART},
    [NEAP_EXCLUSION] = {.name = "exclusion",
                        .words = {"exclusion", "exclusions", "exclusions"},
                        .effects = RELATION_FREES},
    [NEAP_OVERLAP] = {.name = "overlap",
                      .words = {"overlap", "overlaps", "overlaps"},
                      .number = "bytes",
                      .needs_number = true,
                      .high = NEAP_MAX,
                      .symmetry = RELATION_DIRECTED,
                      .effects = RELATION_GAP},
    [NEAP_COLOCATION] = {.name = "colocation",
                         .words = {"colocation", "colocations", "colocations"},
                         .number = "offset",
                         .low = -NEAP_MAX,
                         .high = NEAP_MAX,
                         .symmetry = RELATION_MIRRORED,
                         .effects = RELATION_JOINS | RELATION_FREES},
    [NEAP_BANK_SEPARATION] = {.name = "bank_separation",
                              .words = {"bank separation", "bank separations",
                                        "bank_separations"},
                              .number = "bank",
                              .needs_number = true,
                              .low = 1,
                              .high = NEAP_MAX,
                              .effects = RELATION_BANKS},
    [NEAP_REUSE_PENALTY] = {.name = "reuse_penalty",
                            .words = {"reuse penalty", "reuse penalties", "reuse_penalties"},
                            .number = "cost",
                            .needs_number = true,
                            .high = NEAP_MAX,
                            .effects = RELATION_PRICED},
};

neap_relation relation_separating(size_t first, size_t second) {
  return (neap_relation){.struct_size = sizeof(neap_relation),
                         .kind = NEAP_SEPARATION,
                         .first = first,
                         .second = second};
}

const neap_relation *problem_next_relation(const struct neap_problem *problem, unsigned effects,
                                           const neap_relation *last) {
  if (!problem_has(problem, effects)) return NULL;
  const neap_relation *end = problem->relations->items + problem->relations->count;
  const neap_relation *next = last ? last + 1 : problem->relations->items;
  while (next < end && !relation_has(next, effects))
    next++;
  return next < end ? next : NULL;
}

size_t problem_count_relations(const struct neap_problem *problem, unsigned effects) {
  size_t count = 0;
  if (!problem_has(problem, effects)) return 0;
  const neap_relation *relation = NULL;
  while ((relation = problem_next_relation(problem, effects, relation)))
    count++;
  return count;
}

const struct limits limits_none = {0, NEAP_MAX, 0, 0, 0, NEAP_UNPLACED, 0};
