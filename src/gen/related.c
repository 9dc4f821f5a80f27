/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random buffers with relations, as compilers ask for them: some must not share bytes although
 * one ends before the other begins, for what writes to one may still run; others continue in
 * the place of another.  Partners are neighbours in time.  No buffer has two relations, so none
 * contradict.
 */
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "gen/kind.h"

/* Buffers per relation. */
#define PER_SEPARATION 100
#define PER_COLOCATION 500

/* Partners are at most this far from each other in the order in which buffers begin. */
#define NEAREST_MOST 200
#define ATTEMPTS 20

struct relating {
  neap_problem *problem;
  struct random *random;
  size_t *by_start;
  bool *has_relation; /* per buffer */
};

static int by_start(const void *left, const void *right, void *context) {
  const struct neap_problem *problem = context;
  size_t a = *(const size_t *)left, b = *(const size_t *)right;
  neap_time x = problem_hull(problem, a).start, y = problem_hull(problem, b).start;
  if (x != y) return x < y ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Draws two buffers without relations, of which the first ends before the second begins. */
static bool draw_pair(const struct relating *relating, neap_relation *relation) {
  const struct neap_problem *problem = relating->problem;
  int64_t last = (int64_t)problem->count - 1;
  for (int i = 0; i < ATTEMPTS; i++) {
    int64_t first = kind_between(relating->random, 0, last);
    int64_t second = first + kind_between(relating->random, 1, NEAREST_MOST);
    if (second > last) continue;
    relation->first = relating->by_start[first];
    relation->second = relating->by_start[second];
    if (!relating->has_relation[relation->first] && !relating->has_relation[relation->second] &&
        problem_hull(problem, relation->first).end <=
            problem_hull(problem, relation->second).start)
      return true;
  }
  return false;
}

static neap_status relate(const struct relating *relating, neap_relation_kind kind,
                          size_t count, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < count && status == NEAP_OK; i++) {
    neap_relation relation = {.struct_size = sizeof(neap_relation), .kind = kind};
    if (!draw_pair(relating, &relation)) continue;
    relating->has_relation[relation.first] = relating->has_relation[relation.second] = true;
    status = neap_problem_relate(relating->problem, &relation, error);
  }
  return status;
}

static neap_status relate_all(struct relating *relating, neap_error *error) {
  size_t count = relating->problem->count;
  for (size_t i = 0; i < count; i++)
    relating->by_start[i] = i;
  qsort_r(relating->by_start, count, sizeof *relating->by_start, by_start, relating->problem);
  neap_status status = relate(relating, NEAP_SEPARATION, count / PER_SEPARATION, error);
  if (status == NEAP_OK)
    status = relate(relating, NEAP_COLOCATION, count / PER_COLOCATION, error);
  return status;
}

neap_status related_fill(neap_problem *problem, size_t count, struct random *random,
                         neap_error *error) {
  neap_status status = uniform_fill(problem, count, random, error);
  if (status != NEAP_OK) return status;
  struct relating relating = {.problem = problem,
                              .random = random,
                              .by_start = memory_array(count, sizeof(size_t)),
                              .has_relation = memory_array(count, sizeof(bool))};
  status = relating.by_start && relating.has_relation ? relate_all(&relating, error)
                                                      : error_memory(error);
  free(relating.by_start);
  free(relating.has_relation);
  return status;
}
