/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the relations of two buffers say together about sharing bytes.  Colocations are bodies
 * (facts/bodies); bank separations and reuse penalties do not depend on other relations of the
 * pair.
 */
#ifndef FACTS_PAIR_RULES_H
#define FACTS_PAIR_RULES_H

#include "model/groups.h"

/* Two buffers of at least one byte with an exclusion, a separation or an overlap allowance. */
struct pair_rule {
  uint32_t first, second; /* first < second */
  bool is_excluded;       /* they may share bytes even if they are alive together */
  bool is_separated;      /* they never share a byte */
  bool has_gap;           /* allowances let them share some bytes */
  /*
   * The least offset(second) - offset(first) if `first` is below `second`, and the reverse: the
   * size of the lower one unless an allowance permits less.
   */
  neap_size first_below, second_below;
  /* With has_gap: whether the allowance added first, or any, has this buffer as output. */
  bool second_is_output, first_may_be_output;
};

/* Groups have rules only for excluded buffers that are alive together. */
struct pair_rules {
  struct pair_rule *items; /* by first, then second; each pair once */
  size_t count, gap_count;
  struct group_index apart; /* groups of separated buffers */
};

/* The most buffers alive at one moment that may be excluded from each other. */
#define PAIR_RULES_CROWD_MOST 1024

/* Reports that too many live buffers may share bytes by an exclusion or a colocation. */
neap_status pair_rules_refuse_crowd(neap_error *error);

/*
 * O(n log n) in the number of relations, and of pairs of a group of exclusions that are alive
 * together.  NEAP_ERROR_INPUT: above PAIR_RULES_CROWD_MOST at one moment.
 */
neap_status pair_rules_init(struct pair_rules *rules, const struct neap_problem *problem,
                            neap_error *error);
void pair_rules_clear(struct pair_rules *rules);

/* The rule of two buffers, in either order; NULL if they have none.  O(log n). */
const struct pair_rule *pair_rules_find(const struct pair_rules *rules, uint32_t a, uint32_t b);

/* Whether two buffers are separated, whose rule (or NULL) is known. */
static inline bool pair_rules_separate(const struct pair_rules *rules,
                                       const struct pair_rule *rule, size_t a, size_t b) {
  return rule && rule->is_separated ? true : group_index_share(&rules->apart, a, b);
}

/* The most bytes that two buffers of these sizes can share. */
static inline neap_size pair_rule_saving(const struct pair_rule *rule, neap_size first,
                                         neap_size second) {
  neap_size above = first - rule->first_below, below = second - rule->second_below;
  if (above > second) above = second;
  if (below > first) below = first;
  return above > below ? above : below;
}

#endif
