/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Groups: lists of buffers of which every two have the same relation.  A group of n buffers is
 * stored as n numbers, not as n^2 / 2 relations.  To callers of the API it is these relations,
 * after all others; modules in which a group could take long ask for groups.
 */
#ifndef MODEL_GROUPS_H
#define MODEL_GROUPS_H

#include "model/problem.h"

/* Lists of up to this many buffers become relations, as do lists of directed or numbered kinds. */
#define GROUP_PAIRS_MOST 32

/* Checks the kind, the buffers and the number of a relation. */
neap_status groups_check_pair(const struct neap_problem *problem, const neap_relation *relation,
                              neap_error *error);

/* Whether buffers that are listed together are stored as a group. */
bool groups_keep(neap_relation_kind kind, size_t count);

/*
 * Relates all pairs of a list of buffers like `relation`, whose own buffers are ignored.  The
 * errors are those of neap_problem_relate.
 */
neap_status problem_relate_all(struct neap_problem *problem, const neap_relation *relation,
                               const size_t *members, size_t count, neap_error *error);

/*
 * Copies the groups with one of the effects to another problem.  `places` maps buffers to their
 * numbers there (SIZE_MAX: absent); NULL: the numbers are the same.
 */
neap_status problem_copy_groups(struct neap_problem *to, const struct neap_problem *from,
                                unsigned effects, const size_t *places, neap_error *error);

/* The number of relations, each pair of a group being one. */
static inline size_t relations_total(const struct relations *relations) {
  return relations ? relations->count + relations->group_pairs : 0;
}

/* A relation by its number below relations_total.  O(log n) in a group, otherwise O(1). */
neap_relation relations_at(const struct relations *relations, size_t index);

static inline size_t group_size(const struct relation_group *group) {
  return group->end - group->begin;
}

/* The number of a group's first pair. */
static inline size_t group_first_pair(const struct relations *relations,
                                      const struct relation_group *group) {
  return relations->count + group->pairs_before;
}

/* The next group with one of the effects after `last` (NULL: the first); NULL: there is none. */
const struct relation_group *problem_next_group(const struct neap_problem *problem,
                                                unsigned effects,
                                                const struct relation_group *last);

/* Whether a group has a buffer.  O(n). */
bool group_has(const struct relations *relations, const struct relation_group *group,
               size_t buffer);

/* The groups of each buffer. */
struct group_index {
  size_t *ends; /* per buffer: one past its last in `groups`; NULL: there are none */
  uint32_t *groups; /* numbers, ascending for each buffer */
};

/* Indexes the groups with one of the effects; false when memory is short.  Clear it in any case. */
bool group_index_init(struct group_index *index, const struct neap_problem *problem,
                      unsigned effects);
void group_index_clear(struct group_index *index);

/* Whether two buffers are in one group.  Linear in the number of groups of each. */
bool group_index_share(const struct group_index *index, size_t a, size_t b);

enum group_meetings {
  GROUP_MEETINGS_DONE,
  GROUP_MEETINGS_CROWD,
  GROUP_MEETINGS_FAILED /* memory is short, or `visit` returned false */
};

/*
 * Visits the pairs of members of at least one byte that are alive together, once for each range of
 * time that begins during one of the other.  GROUP_MEETINGS_CROWD: more than `most` are alive at
 * one moment.  O(n log n) for n ranges, and for each range those alive when it begins.
 */
typedef bool group_visit(size_t a, size_t b, void *user);
enum group_meetings group_meet(const struct neap_problem *problem,
                               const struct relation_group *group, size_t most,
                               group_visit *visit, void *user);

#endif
