/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts/pair_rules.h"

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
  for (size_t i = 0; i < rules->count; i++) {
    struct pair_rule *rule = &rules->items[i];
    rules->gap_count += rule->has_gap;
    rule->is_separated |= group_index_share(&rules->apart, rule->first, rule->second);
  }
}

/* The rules of single relations. */
struct singles {
  const struct neap_problem *problem;
  struct single *items;
  size_t count, capacity;
  neap_relation relation; /* of a group */
  size_t place;
};

/* Adds the rule of a relation, if it has one; false when memory is short. */
static bool add_single(struct singles *singles, const neap_relation *relation, size_t place) {
  struct single single = {.place = place};
  if (!rule_of(singles->problem, relation, &single.rule)) return true;
  if (!memory_reserve(&singles->items, &singles->capacity, singles->count + 1,
                      sizeof *singles->items))
    return false;
  singles->items[singles->count++] = single;
  return true;
}

static bool add_meeting(size_t a, size_t b, void *user) {
  struct singles *singles = user;
  singles->relation.first = a;
  singles->relation.second = b;
  return add_single(singles, &singles->relation, singles->place);
}

static neap_status add_groups(struct singles *singles, neap_error *error) {
  const struct neap_problem *problem = singles->problem;
  const struct relation_group *group = NULL;
  while ((group = problem_next_group(problem, RELATION_FREES, group))) {
    singles->relation = group->relation;
    singles->place = group_first_pair(problem->relations, group);
    enum group_meetings end =
        group_meet(problem, group, PAIR_RULES_CROWD_MOST, add_meeting, singles);
    if (end == GROUP_MEETINGS_CROWD) return pair_rules_refuse_crowd(error);
    if (end != GROUP_MEETINGS_DONE) return error_memory(error);
  }
  return NEAP_OK;
}

static neap_status list_singles(struct singles *singles, neap_error *error) {
  const struct relations *relations = singles->problem->relations;
  for (size_t i = 0; relations && i < relations->count; i++)
    if (!add_single(singles, &relations->items[i], i)) return error_memory(error);
  return add_groups(singles, error);
}

neap_status pair_rules_refuse_crowd(neap_error *error) {
  return error_set(error, NEAP_ERROR_INPUT,
                   "more than %d buffers that are alive at one moment, or too many in total, "
                   "may share bytes with another by an exclusion or a colocation",
                   PAIR_RULES_CROWD_MOST);
}

neap_status pair_rules_init(struct pair_rules *rules, const struct neap_problem *problem,
                            neap_error *error) {
  struct singles singles = {.problem = problem};
  *rules = (struct pair_rules){.count = 0};
  neap_status status = list_singles(&singles, error);
  if (status == NEAP_OK) {
    rules->items = memory_array(singles.count, sizeof *rules->items);
    if (!rules->items || !group_index_init(&rules->apart, problem, RELATION_APART))
      status = error_memory(error);
  }
  if (singles.count > 1 && status == NEAP_OK)
    qsort(singles.items, singles.count, sizeof *singles.items, by_pair);
  if (status == NEAP_OK) merge_pairs(rules, singles.items, singles.count);
  free(singles.items);
  return status;
}

void pair_rules_clear(struct pair_rules *rules) {
  free(rules->items);
  group_index_clear(&rules->apart);
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
