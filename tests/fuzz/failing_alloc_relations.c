/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Problems with relations, pools and reserved bytes, and plans for them. */
#include <stdio.h>
#include <stdlib.h>

#include "neap-tool.h"
#include "neap/planner.h"
#include "neap/relations.h"
#include "tests/fuzz/failing_alloc.h"
#include "tests/unit/sample.h"

#define COUNT 8

static neap_status add_buffers(neap_problem *problem, bool has_pools, neap_error *error) {
  static const size_t lists[][2] = {{0, 1}, {1, 0}};
  static const char *const names[COUNT] = {"a", "b", "c", "d", "e", "f", "g", "h"};
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < COUNT && status == NEAP_OK; i++) {
    const neap_range range = {(neap_time)i / 2, (neap_time)i / 2 + 2};
    neap_buffer buffer = NEAP_BUFFER_INIT;
    buffer.name = names[i];
    buffer.size = 8;
    buffer.ranges = &range;
    buffer.range_count = 1;
    buffer.bank = i % 3 == 0 ? 32 : 0;
    if (i % 4 == 1) buffer.window_high = 256;
    if (has_pools && i % 2 == 1) buffer.pools = lists[i / 2 % 2];
    buffer.pool_count = buffer.pools ? 2 : 0;
    if (i == 2) buffer.near_offset = 8;
    if (i == 7) buffer.fixed_offset = 64;
    status = neap_problem_add(problem, &buffer, error);
  }
  return status;
}

static neap_status add_relations(neap_problem *problem, neap_error *error) {
  static const neap_relation relations[] = {
      {sizeof(neap_relation), NEAP_SEPARATION, 0, 7, 0, "ping-pong"},
      {sizeof(neap_relation), NEAP_EXCLUSION, 0, 1, 0, NULL},
      {sizeof(neap_relation), NEAP_OVERLAP, 3, 2, 4, NULL},
      {sizeof(neap_relation), NEAP_COLOCATION, 2, 4, 8, "a view"},
      {sizeof(neap_relation), NEAP_BANK_SEPARATION, 5, 6, 32, NULL},
      {sizeof(neap_relation), NEAP_REUSE_PENALTY, 1, 6, 100, "hot"},
      {sizeof(neap_relation), NEAP_COLOCATION, 4, 5, 0, NULL},
  };
  const neap_reserved reserved = {sizeof(neap_reserved), 0, 0, 8, {0, 2}};
  neap_status status = neap_problem_reserve(problem, &reserved, error);
  for (size_t i = 0; i < SAMPLE_COUNT(relations) && status == NEAP_OK; i++)
    status = neap_problem_relate(problem, &relations[i], error);
  return status;
}

static neap_status make_problem(bool has_pools, neap_problem **problem, neap_error *error) {
  static const neap_pool pools[] = {{sizeof(neap_pool), "x", 128, 8, 0, -1},
                                    {sizeof(neap_pool), "y", -1, 4, 4096, 3}};
  static const neap_term order[] = {NEAP_TERM_PEAK, NEAP_TERM_SPILL, NEAP_TERM_MOVED,
                                    NEAP_TERM_REUSE};
  *problem = neap_problem_new();
  neap_status status = NEAP_OK;
  if (!*problem) return no_memory(error);
  for (size_t i = 0; i < SAMPLE_COUNT(pools) && has_pools && status == NEAP_OK; i++)
    status = neap_problem_add_pool(*problem, &pools[i], error);
  if (status == NEAP_OK) status = add_buffers(*problem, has_pools, error);
  if (status == NEAP_OK) status = add_relations(*problem, error);
  if (status == NEAP_OK) status = neap_problem_set_objective(*problem, order, error);
  return status;
}

/* What the model computes without an engine. */
static neap_status ask(neap_problem *problem, uint64_t *fingerprint, neap_error *error) {
  const size_t indices[] = {0, 5};
  neap_size bounds[2];
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = neap_problem_check(problem, error);
  if (status == NEAP_OK) status = neap_problem_bound(problem, &bound, error);
  if (status == NEAP_OK)
    status = neap_problem_bounds_without(problem, indices, 2, bounds, error);
  if (status == NEAP_OK) status = neap_problem_align(problem, 2, 1, error);
  if (status != NEAP_OK) return status;
  fingerprint_number(fingerprint, (uint64_t)bound.bytes);
  fingerprint_number(fingerprint, (uint64_t)bounds[0]);
  fingerprint_number(fingerprint, (uint64_t)bounds[1]);
  fingerprint_problem(fingerprint, problem);
  return NEAP_OK;
}

/* Two layouts: one with collisions in time, and one that also breaks the separation. */
static neap_status judge(const neap_problem *problem, bool has_pools, uint64_t *fingerprint,
                         neap_error *error) {
  static const neap_offset layouts[][COUNT] = {{16, 16, 16, 16, 24, 24, 24, 64},
                                               {64, 72, 16, 8, 24, 24, 32, 64}};
  static const size_t pools[COUNT] = {0, 0, 1, 1, 1, 1, 0, 0};
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < 2 && status == NEAP_OK; i++) {
    neap_plan *plan = NULL;
    neap_collision *collisions = NULL;
    size_t count = 0;
    status = neap_plan_new(problem, layouts[i], &plan, error);
    if (status == NEAP_OK && has_pools) status = neap_plan_set_pools(plan, pools, error);
    if (status == NEAP_OK) status = neap_plan_verify(plan, -1, error);
    if (status == NEAP_ERROR_UNSOUND)
      status = neap_plan_collisions(plan, 100, &collisions, &count, NULL, error);
    if (status == NEAP_OK) {
      neap_report report = NEAP_INIT(neap_report);
      neap_plan_report(plan, &report);
      fingerprint_number(fingerprint, count);
      fingerprint_number(fingerprint, (uint64_t)report.overlapped_bytes);
      fingerprint_plan(fingerprint, plan);
    }
    neap_collisions_free(collisions);
    neap_plan_free(plan);
  }
  return status;
}

static neap_status relate(bool has_pools, uint64_t *fingerprint, neap_error *error) {
  neap_problem *problem;
  neap_status status = make_problem(has_pools, &problem, error);
  if (status == NEAP_OK) status = judge(problem, has_pools, fingerprint, error);
  if (status == NEAP_OK) status = ask(problem, fingerprint, error);
  neap_problem_free(problem);
  return status;
}

neap_status relate_in_one_arena(const struct fixture *fixture, uint64_t *fingerprint,
                                neap_error *error) {
  (void)fixture;
  return relate(false, fingerprint, error);
}

neap_status relate_in_pools(const struct fixture *fixture, uint64_t *fingerprint,
                            neap_error *error) {
  (void)fixture;
  return relate(true, fingerprint, error);
}

/* Fragments in the first pool, so that it is refuted with some buffers; with a body. */
static neap_status make_spilling(neap_problem **problem, neap_error *error) {
  static const struct {
    const char *name;
    neap_size size;
    neap_range when;
  } rows[] = {{"a", 2, {0, 3}}, {"b", 3, {2, 5}}, {"c", 2, {4, 7}}, {"d", 3, {0, 2}},
              {"e", 1, {3, 4}}, {"f", 3, {5, 7}}, {"g", 1, {3, 4}}};
  static const neap_pool pools[] = {{sizeof(neap_pool), "fast", 5, 2, 0, -1},
                                    {sizeof(neap_pool), "slow", 6, 1, 0, -1}};
  const neap_relation body = {sizeof(neap_relation), NEAP_COLOCATION, 4, 6, 0, NULL};
  neap_status status = NEAP_OK;
  if (!(*problem = neap_problem_new())) return no_memory(error);
  for (size_t i = 0; i < SAMPLE_COUNT(pools) && status == NEAP_OK; i++)
    status = neap_problem_add_pool(*problem, &pools[i], error);
  for (size_t i = 0; i < SAMPLE_COUNT(rows) && status == NEAP_OK; i++)
    status = neap_problem_add_simple(*problem, rows[i].name, rows[i].size, rows[i].when.start,
                                     rows[i].when.end, error);
  return status == NEAP_OK ? neap_problem_relate(*problem, &body, error) : status;
}

neap_status choose_pools(const struct fixture *fixture, uint64_t *fingerprint,
                         neap_error *error) {
  neap_problem *problem;
  neap_plan *plan = NULL;
  (void)fixture;
  neap_status status = make_spilling(&problem, error);
  if (status == NEAP_OK) status = neap_solve(problem, NULL, &plan, error);
  if (status == NEAP_OK) fingerprint_plan(fingerprint, plan);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return status;
}

/* Separations that tie different times together, so that pairs are decided (search/orienter). */
static neap_status make_tied(neap_problem **problem, neap_error *error) {
  enum { TIED = 22 };
  neap_status status = NEAP_OK;
  if (!(*problem = neap_problem_new())) return no_memory(error);
  for (size_t i = 0; i < TIED && status == NEAP_OK; i++) {
    char name[24];
    snprintf(name, sizeof name, "b%zu", i);
    status = neap_problem_add_simple(*problem, name, (neap_size)(3 + (5 * i * i + i) % 29),
                                     2 * (neap_time)i, 2 * (neap_time)i + 3, error);
  }
  for (size_t i = 0; i < TIED; i++)
    for (size_t k = 0; k + 1 < i && status == NEAP_OK; k++) {
      const neap_relation relation = {.struct_size = sizeof(neap_relation),
                                      .kind = NEAP_SEPARATION,
                                      .first = k,
                                      .second = i};
      if ((i * i * k + i + 3 * k * k) % 9 == 0)
        status = neap_problem_relate(*problem, &relation, error);
    }
  return status;
}

neap_status decide_pairs(const struct fixture *fixture, uint64_t *fingerprint,
                         neap_error *error) {
  static const char *const options[] = {"engine", "exact", "max-ticks", "4000", NULL};
  neap_problem *problem;
  (void)fixture;
  neap_status status = make_tied(&problem, error);
  if (status == NEAP_OK) status = solve_with(problem, options, fingerprint, error);
  neap_problem_free(problem);
  return status;
}
