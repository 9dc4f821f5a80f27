/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts/pair_rules.h"

#include <assert.h>
#include <stdlib.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/memory.h"

/* The rule of a single relation, and its place in the list of relations. */
struct single {
  struct pair_rule rule;
  size_t place;
};

static int compare_pairs(const struct pair_rule *a, const struct pair_rule *b) {
  if (a->first != b->first) return a->first < b->first ? -1 : 1;
  return a->second < b->second ? -1 : a->second > b->second;
}

static int by_pair(const void *left, const void *right) {
  const struct single *a = left, *b = right;
  int order = compare_pairs(&a->rule, &b->rule);
  return order != 0 ? order : a->place < b->place ? -1 : a->place > b->place;
}

/* Sets the gaps of an allowance, unless it permits nothing.  Its output is relation->first. */
static void allow(struct pair_rule *rule, const neap_relation *relation) {
  bool ascends = relation->first < relation->second;
  neap_size *gap = ascends ? &rule->first_below : &rule->second_below;
  if (relation->bytes >= *gap) return;
  *gap = relation->bytes;
  rule->has_gap = true;
  rule->second_is_output = !ascends;
  rule->first_may_be_output = ascends;
}

/* Makes the rule of a relation; false if it says nothing about sharing bytes. */
static bool rule_of(const struct neap_problem *problem, const neap_relation *relation,
                    struct pair_rule *rule) {
  bool ascends = relation->first < relation->second;
  size_t first = ascends ? relation->first : relation->second;
  size_t second = ascends ? relation->second : relation->first;
  *rule = (struct pair_rule){.first = (uint32_t)first,
                             .second = (uint32_t)second,
                             .is_excluded = relation->kind == NEAP_EXCLUSION,
                             .is_separated = relation->kind == NEAP_SEPARATION,
                             .first_below = problem->buffers[first].size,
                             .second_below = problem->buffers[second].size};
  if (rule->first_below == 0 || rule->second_below == 0) return false;
  if (relation->kind == NEAP_OVERLAP) allow(rule, relation);
  return rule->is_excluded || rule->is_separated || rule->has_gap;
}

/* Adds a rule of the same pair; of allowances, the smallest gaps count. */
static void merge(struct pair_rule *into, const struct pair_rule *rule) {
  if (!into->has_gap) into->second_is_output = rule->second_is_output;
  into->is_excluded |= rule->is_excluded;
  into->is_separated |= rule->is_separated;
  into->has_gap |= rule->has_gap;
  into->first_may_be_output |= rule->first_may_be_output;
  if (rule->first_below < into->first_below) into->first_below = rule->first_below;
  if (rule->second_below < into->second_below) into->second_below = rule->second_below;
}

/* Merges sorted rules into items; each pair gets one. */
static void merge_pairs(struct pair_rules *rules, const struct single *singles, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct pair_rule *last = rules->count > 0 ? &rules->items[rules->count - 1] : NULL;
    if (last && compare_pairs(last, &singles[i].rule) == 0) merge(last, &singles[i].rule);
    else rules->items[rules->count++] = singles[i].rule;
  }
  for (size_t i = 0; i < rules->count; i++)
    rules->gap_count += rules->items[i].has_gap;
}

neap_status pair_rules_init(struct pair_rules *rules, const struct neap_problem *problem,
                            neap_error *error) {
  const struct relations *relations = problem->relations;
  size_t most = 0, count = 0;
  if (relations)
    most = relations->count_of[NEAP_EXCLUSION] + relations->count_of[NEAP_SEPARATION] +
           relations->count_of[NEAP_OVERLAP];
  *rules = (struct pair_rules){.items = memory_array(most, sizeof *rules->items)};
  struct single *singles = memory_array(most, sizeof *singles);
  neap_status status = rules->items && singles ? NEAP_OK : error_memory(error);
  for (size_t i = 0; status == NEAP_OK && most > 0 && i < relations->count; i++) {
    struct single single = {.place = i};
    if (!rule_of(problem, &relations->items[i], &single.rule)) continue;
    assert(count < most);
    singles[count++] = single;
  }
  if (count > 1) qsort(singles, count, sizeof *singles, by_pair);
  if (status == NEAP_OK) merge_pairs(rules, singles, count);
  free(singles);
  return status;
}

void pair_rules_clear(struct pair_rules *rules) {
  free(rules->items);
  *rules = (struct pair_rules){0};
}

const struct pair_rule *pair_rules_find(const struct pair_rules *rules, uint32_t a,
                                        uint32_t b) {
  const struct pair_rule key = {.first = a < b ? a : b, .second = a < b ? b : a};
  struct bisection search = bisection_of(0, rules->count);
  while (bisection_open(&search))
    bisection_step(&search, compare_pairs(&rules->items[search.middle], &key) < 0);
  if (search.low == rules->count) return NULL;
  const struct pair_rule *found = &rules->items[search.low];
  return compare_pairs(found, &key) == 0 ? found : NULL;
}
