/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/groups.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/bisection.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sort.h"
#include "core/text.h"

/* ---------------------------------------------------------------- one relation */

static neap_status check_number(const neap_relation *relation, neap_error *error) {
  neap_size low = relation_kinds[relation->kind].low;
  neap_size high = relation_kinds[relation->kind].high;
  if (relation->bytes >= low && relation->bytes <= high) return NEAP_OK;
  return error_set(error, NEAP_ERROR_INPUT,
                   "expected a number of %" PRId64 " to %" PRId64
                   " for this %s, found %" PRId64,
                   low, high, relation_kinds[relation->kind].name, relation->bytes);
}

neap_status groups_check_pair(const struct neap_problem *problem, const neap_relation *relation,
                            neap_error *error) {
  if ((size_t)relation->kind >= NEAP_RELATION_KIND_COUNT)
    return error_set(error, NEAP_ERROR_INPUT, "there is no such kind of relation");
  if (relation->first >= problem->count || relation->second >= problem->count)
    return error_set(error, NEAP_ERROR_INPUT, "this %s names a buffer that does not exist",
                     relation_kinds[relation->kind].name);
  if (relation->first == relation->second) {
    const char *name = problem_name(problem, relation->first);
    char excerpt[TEXT_EXCERPT];
    return error_set(error, NEAP_ERROR_INPUT, "this %s relates %s to itself",
                     relation_kinds[relation->kind].name,
                     text_excerpt(excerpt, name, strlen(name)));
  }
  return check_number(relation, error);
}

/* ---------------------------------------------------------------- adding */

bool groups_keep(neap_relation_kind kind, size_t count) {
  const struct relation_kind *row = &relation_kinds[kind];
  return count > GROUP_PAIRS_MOST && row->symmetry == RELATION_SYMMETRIC && !row->number;
}

static neap_status relate_pairs(struct neap_problem *problem, neap_relation relation,
                                const size_t *members, size_t count, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i + 1 < count; i++)
    for (size_t j = i + 1; j < count && status == NEAP_OK; j++) {
      relation.first = members[i];
      relation.second = members[j];
      status = neap_problem_relate(problem, &relation, error);
    }
  return status;
}

/* Checks neighbours in ascending order as pairs: a buffer listed twice is related to itself. */
static neap_status check_members(struct neap_problem *problem, neap_relation relation,
                                 const size_t *members, size_t count, neap_error *error) {
  size_t *sorted = memory_array(count, sizeof *sorted);
  neap_status status = sorted ? NEAP_OK : error_memory(error);
  if (sorted) {
    memcpy(sorted, members, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, sort_by_index);
  }
  for (size_t i = 1; i < count && status == NEAP_OK; i++) {
    relation.first = sorted[i - 1];
    relation.second = sorted[i];
    status = groups_check_pair(problem, &relation, error);
  }
  free(sorted);
  return status;
}

static neap_status add_group(struct neap_problem *problem, const neap_relation *relation,
                             const size_t *members, size_t count, neap_error *error) {
  if (!problem->relations) problem->relations = relations_new();
  struct relations *relations = problem->relations;
  char *reason = NULL;
  if (!relations ||
      !memory_reserve(&relations->groups, &relations->group_capacity,
                      relations->group_count + 1, sizeof *relations->groups) ||
      !memory_reserve(&relations->members, &relations->member_capacity,
                      relations->member_count + count, sizeof *relations->members) ||
      (relation->reason && !(reason = memory_text(relation->reason, strlen(relation->reason)))))
    return error_memory(error);
  struct relation_group *group = &relations->groups[relations->group_count++];
  *group = (struct relation_group){.relation = *relation,
                                   .begin = relations->member_count,
                                   .end = relations->member_count + count,
                                   .pairs_before = relations->group_pairs};
  group->relation.reason = reason;
  group->relation.first = members[0];
  group->relation.second = members[1];
  memcpy(relations->members + relations->member_count, members, count * sizeof *members);
  relations->member_count += count;
  relations->group_pairs += count * (count - 1) / 2;
  relations->count_of[relation->kind] += count * (count - 1) / 2;
  relations->effects |= relation_kinds[relation->kind].effects;
  return NEAP_OK;
}

neap_status problem_relate_all(struct neap_problem *problem, const neap_relation *relation,
                               const size_t *members, size_t count, neap_error *error) {
  if (!groups_keep(relation->kind, count) || count > UINT32_MAX)
    return relate_pairs(problem, *relation, members, count, error);
  neap_status status = check_members(problem, *relation, members, count, error);
  return status == NEAP_OK ? add_group(problem, relation, members, count, error) : status;
}

neap_status problem_copy_groups(struct neap_problem *to, const struct neap_problem *from,
                                unsigned effects, const size_t *places, neap_error *error) {
  const struct relation_group *group = NULL;
  neap_status status = NEAP_OK;
  while (status == NEAP_OK && (group = problem_next_group(from, effects, group))) {
    size_t count = 0, *members = memory_array(group_size(group), sizeof *members);
    if (!members) return error_memory(error);
    for (size_t m = group->begin; m < group->end; m++) {
      size_t member = from->relations->members[m];
      if (places) member = places[member];
      if (member != SIZE_MAX) members[count++] = member;
    }
    if (count > 1) status = problem_relate_all(to, &group->relation, members, count, error);
    free(members);
  }
  return status;
}

/* ---------------------------------------------------------------- reading */

/* The number of pairs of `count` buffers whose first one is before the `row`-th. */
static size_t pairs_above(size_t count, size_t row) {
  return row % 2 == 0 ? row / 2 * (2 * count - row - 1) : row * ((2 * count - row - 1) / 2);
}

static neap_relation pair_at(const struct relations *relations,
                             const struct relation_group *group, size_t pair) {
  size_t count = group_size(group);
  struct bisection rows = bisection_of(1, count);
  while (bisection_open(&rows))
    bisection_step(&rows, pairs_above(count, rows.middle) <= pair);
  neap_relation relation = group->relation;
  size_t row = rows.low - 1, column = row + 1 + pair - pairs_above(count, row);
  assert(column < count);
  relation.first = relations->members[group->begin + row];
  relation.second = relations->members[group->begin + column];
  return relation;
}

neap_relation relations_at(const struct relations *relations, size_t index) {
  assert(index < relations_total(relations));
  if (index < relations->count) return relations->items[index];
  size_t pair = index - relations->count;
  struct bisection search = bisection_of(1, relations->group_count);
  while (bisection_open(&search))
    bisection_step(&search, relations->groups[search.middle].pairs_before <= pair);
  const struct relation_group *group = &relations->groups[search.low - 1];
  return pair_at(relations, group, pair - group->pairs_before);
}

const struct relation_group *problem_next_group(const struct neap_problem *problem,
                                                unsigned effects,
                                                const struct relation_group *last) {
  const struct relations *relations = problem->relations;
  if (!relations || relations->group_count == 0) return NULL;
  const struct relation_group *end = relations->groups + relations->group_count;
  const struct relation_group *next = last ? last + 1 : relations->groups;
  while (next < end && !relation_has(&next->relation, effects))
    next++;
  return next < end ? next : NULL;
}

bool group_has(const struct relations *relations, const struct relation_group *group,
               size_t buffer) {
  for (size_t m = group->begin; m < group->end; m++)
    if (relations->members[m] == buffer) return true;
  return false;
}

/* ---------------------------------------------------------------- the groups of a buffer */

static void fill_index(struct group_index *index, const struct neap_problem *problem,
                       unsigned effects, size_t *next) {
  const struct relations *relations = problem->relations;
  const struct relation_group *group = NULL;
  for (size_t b = 0; b < problem->count; b++) {
    size_t size = index->ends[b];
    next[b] = b == 0 ? 0 : index->ends[b - 1];
    index->ends[b] = next[b] + size;
  }
  while ((group = problem_next_group(problem, effects, group)))
    for (size_t m = group->begin; m < group->end; m++)
      index->groups[next[relations->members[m]]++] = (uint32_t)(group - relations->groups);
}

bool group_index_init(struct group_index *index, const struct neap_problem *problem,
                      unsigned effects) {
  const struct relation_group *group = NULL;
  size_t total = 0;
  *index = (struct group_index){.ends = NULL};
  if (!problem_next_group(problem, effects, NULL)) return true;
  size_t *next = memory_array(problem->count, sizeof *next);
  index->ends = memory_array(problem->count, sizeof *index->ends);
  while (index->ends && (group = problem_next_group(problem, effects, group))) {
    for (size_t m = group->begin; m < group->end; m++)
      index->ends[problem->relations->members[m]]++;
    total += group_size(group);
  }
  index->groups = memory_array(total, sizeof *index->groups);
  bool done = next && index->ends && index->groups;
  if (done) fill_index(index, problem, effects, next);
  free(next);
  return done;
}

void group_index_clear(struct group_index *index) {
  free(index->ends);
  free(index->groups);
  *index = (struct group_index){.ends = NULL};
}

bool group_index_share(const struct group_index *index, size_t a, size_t b) {
  if (!index->ends) return false;
  size_t i = a == 0 ? 0 : index->ends[a - 1], k = b == 0 ? 0 : index->ends[b - 1];
  while (i < index->ends[a] && k < index->ends[b]) {
    if (index->groups[i] == index->groups[k]) return true;
    if (index->groups[i] < index->groups[k]) i++;
    else k++;
  }
  return false;
}

/* ---------------------------------------------------------------- meetings */

struct arrival {
  neap_range when;
  size_t buffer;
};

static int by_start(const void *left, const void *right) {
  const struct arrival *a = left, *b = right;
  if (a->when.start != b->when.start) return a->when.start < b->when.start ? -1 : 1;
  return a->buffer < b->buffer ? -1 : a->buffer > b->buffer;
}

/* Arrivals that are still alive stay at the front of the list. */
static enum group_meetings visit_all(struct arrival *arrivals, size_t count, size_t most,
                                     group_visit *visit, void *user) {
  size_t alive = 0;
  for (size_t i = 0; i < count; i++) {
    struct arrival self = arrivals[i];
    size_t kept = 0;
    for (size_t k = 0; k < alive; k++) {
      if (arrivals[k].when.end <= self.when.start) continue;
      if (!visit(arrivals[k].buffer, self.buffer, user)) return GROUP_MEETINGS_FAILED;
      arrivals[kept++] = arrivals[k];
    }
    if (kept >= most) return GROUP_MEETINGS_CROWD;
    arrivals[kept++] = self; /* kept <= i + 1 */
    alive = kept;
  }
  return GROUP_MEETINGS_DONE;
}

/* Lists the ranges of time of the members; returns how many there are. */
static size_t list_arrivals(const struct neap_problem *problem,
                            const struct relation_group *group, struct arrival *arrivals) {
  size_t count = 0;
  for (size_t m = group->begin; m < group->end; m++) {
    size_t member = problem->relations->members[m];
    if (problem->buffers[member].size == 0) continue;
    for (size_t r = problem_ranges_begin(problem, member);
         r < problem->buffers[member].ranges_end; r++, count++)
      if (arrivals) arrivals[count] = (struct arrival){problem->ranges[r], member};
  }
  return count;
}

enum group_meetings group_meet(const struct neap_problem *problem,
                               const struct relation_group *group, size_t most,
                               group_visit *visit, void *user) {
  size_t count = list_arrivals(problem, group, NULL);
  struct arrival *arrivals = memory_array(count, sizeof *arrivals);
  if (!arrivals) return GROUP_MEETINGS_FAILED;
  list_arrivals(problem, group, arrivals);
  if (count > 1) qsort(arrivals, count, sizeof *arrivals, by_start);
  enum group_meetings end = visit_all(arrivals, count, most, visit, user);
  free(arrivals);
  return end;
}
