/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios with relations and pools, certificates, recomputation, and explanations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "neap-tool.h"
#include "neap/planner.h"
#include "tests/fuzz/failing_alloc.h"
#include "tests/support/sample.h"

/* ---------------------------------------------------------------- relations and pools */

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
static neap_status ask(neap_problem *problem, struct attempt *attempt) {
  const size_t indices[] = {0, 5};
  neap_size bounds[2];
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = neap_problem_check(problem, &attempt->error);
  if (status == NEAP_OK) status = neap_problem_bound(problem, &bound, &attempt->error);
  if (status == NEAP_OK)
    status = neap_problem_bounds_without(problem, indices, 2, bounds, &attempt->error);
  if (status == NEAP_OK) status = neap_problem_align(problem, 2, 1, &attempt->error);
  if (status != NEAP_OK) return status;
  fingerprint_number(attempt, (uint64_t)bound.bytes);
  fingerprint_number(attempt, (uint64_t)bounds[0]);
  fingerprint_number(attempt, (uint64_t)bounds[1]);
  fingerprint_problem(attempt, problem);
  return NEAP_OK;
}

/* Two layouts: one with collisions in time, and one that also breaks the separation. */
static neap_status judge(const neap_problem *problem, bool has_pools, struct attempt *attempt) {
  static const neap_offset layouts[][COUNT] = {{16, 16, 16, 16, 24, 24, 24, 64},
                                               {64, 72, 16, 8, 24, 24, 32, 64}};
  static const size_t pools[COUNT] = {0, 0, 1, 1, 1, 1, 0, 0};
  neap_status status = NEAP_OK;
  for (size_t i = 0; i < 2 && status == NEAP_OK; i++) {
    neap_plan *plan = NULL;
    neap_collision *collisions = NULL;
    size_t count = 0;
    status = neap_plan_new(problem, layouts[i], &plan, &attempt->error);
    if (status == NEAP_OK && has_pools)
      status = neap_plan_set_pools(plan, pools, &attempt->error);
    if (status == NEAP_OK) status = neap_plan_verify(plan, -1, &attempt->error);
    if (status == NEAP_ERROR_UNSOUND)
      status = neap_plan_collisions(plan, 100, &collisions, &count, NULL, &attempt->error);
    if (status == NEAP_OK) {
      neap_report report = NEAP_INIT(neap_report);
      neap_plan_report(plan, &report);
      fingerprint_number(attempt, count);
      fingerprint_number(attempt, (uint64_t)report.costs.overlapped_bytes);
      fingerprint_plan(attempt, plan);
    }
    free(collisions);
    neap_plan_free(plan);
  }
  return status;
}

static neap_status relate(bool has_pools, struct attempt *attempt) {
  neap_problem *problem;
  neap_status status = make_problem(has_pools, &problem, &attempt->error);
  if (status == NEAP_OK) status = judge(problem, has_pools, attempt);
  if (status == NEAP_OK) status = ask(problem, attempt);
  neap_problem_free(problem);
  return status;
}

neap_status relate_in_one_arena(struct attempt *attempt) { return relate(false, attempt); }

neap_status relate_in_pools(struct attempt *attempt) { return relate(true, attempt); }

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

neap_status choose_pools(struct attempt *attempt) {
  neap_problem *problem;
  neap_plan *plan = NULL;
  neap_status status = make_spilling(&problem, &attempt->error);
  if (status == NEAP_OK) status = neap_solve(problem, NULL, &plan, &attempt->error);
  if (status == NEAP_OK) fingerprint_plan(attempt, plan);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return status;
}

/* Separations that tie different times together, so that pairs are decided (search/disjunctive). */
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

neap_status decide_pairs(struct attempt *attempt) {
  neap_problem *problem;
  neap_status status = make_tied(&problem, &attempt->error);
  if (status == NEAP_OK) status = solve_with(problem, "engine exact max-ticks 4000", attempt);
  neap_problem_free(problem);
  return status;
}

/* ---------------------------------------------------------------- certificates */

/* Six buffers that do not fit in 43 bytes; only a search can show that. */
static neap_status add_fragments(neap_problem *problem, neap_error *error) {
  static const neap_time starts[] = {2, 5, 4, 5, 4, 8}, ends[] = {8, 8, 7, 9, 5, 10};
  static const neap_size sizes[] = {2, 10, 12, 16, 10, 14},
                         alignments[] = {16, 2, 16, 16, 1, 4};
  const neap_arrays arrays = {
      sizeof(neap_arrays), SAMPLE_COUNT(sizes), starts, ends, sizes, alignments, NULL};
  return neap_problem_add_arrays(problem, &arrays, error);
}

static neap_status certify(const neap_problem *problem, const neap_plan *plan,
                           neap_size capacity, struct attempt *attempt) {
  const neap_certifying how = {.struct_size = sizeof(neap_certifying), .capacity = capacity};
  neap_certificate *certificate = NULL;
  neap_status status = neap_certify(problem, plan, &how, &certificate, &attempt->error);
  if (status == NEAP_OK)
    for (const char *at = neap_certificate_text(certificate); *at; at++)
      fingerprint_number(attempt, (unsigned char)*at);
  neap_certificate_free(certificate);
  return status;
}

neap_status certify_layout(struct attempt *attempt) {
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(&attempt->error);
  neap_status status = add_fragments(problem, &attempt->error);
  if (status == NEAP_OK) status = certify(problem, NULL, 43, attempt);
  neap_problem_free(problem);
  return status;
}

/* Two buffers in different banks do not fit 8 bytes. */
neap_status certify_banks(struct attempt *attempt) {
  static const neap_time starts[] = {0, 1}, ends[] = {1, 2};
  static const neap_size sizes[] = {1, 1};
  const neap_arrays arrays = {sizeof(neap_arrays), 2, starts, ends, sizes, NULL, NULL};
  const neap_relation apart = {.struct_size = sizeof(neap_relation),
                               .kind = NEAP_BANK_SEPARATION,
                               .second = 1,
                               .bytes = 8};
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(&attempt->error);
  neap_status status = neap_problem_add_arrays(problem, &arrays, &attempt->error);
  if (status == NEAP_OK) status = neap_problem_relate(problem, &apart, &attempt->error);
  if (status == NEAP_OK) status = certify(problem, NULL, 8, attempt);
  neap_problem_free(problem);
  return status;
}

neap_status certify_plan(struct attempt *attempt) {
  neap_plan *plan = NULL;
  neap_status status = neap_solve(fixture.problem, NULL, &plan, &attempt->error);
  if (status == NEAP_OK) status = certify(fixture.problem, plan, 0, attempt);
  neap_plan_free(plan);
  return status;
}

/* Two buffers that must share bytes to fit a pool, and pay for it. */
neap_status certify_terms(struct attempt *attempt) {
  static const neap_time starts[] = {0, 1}, ends[] = {1, 2};
  static const neap_size sizes[] = {4, 4};
  const neap_arrays arrays = {sizeof(neap_arrays), 2, starts, ends, sizes, NULL, NULL};
  const neap_relation penalty = {.struct_size = sizeof(neap_relation),
                                 .kind = NEAP_REUSE_PENALTY,
                                 .first = 0,
                                 .second = 1,
                                 .bytes = 3};
  const neap_pool pool = {.struct_size = sizeof(neap_pool),
                          .name = "sram",
                          .capacity = 7,
                          .alignment = 1,
                          .cost = -1};
  neap_problem *problem = neap_problem_new();
  neap_plan *plan = NULL;
  if (!problem) return no_memory(&attempt->error);
  neap_status status = neap_problem_add_pool(problem, &pool, &attempt->error);
  if (status == NEAP_OK) status = neap_problem_add_arrays(problem, &arrays, &attempt->error);
  if (status == NEAP_OK) status = neap_problem_relate(problem, &penalty, &attempt->error);
  if (status == NEAP_OK) status = neap_solve(problem, NULL, &plan, &attempt->error);
  if (status == NEAP_OK) status = certify(problem, plan, 0, attempt);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return status;
}

neap_status certify_order(struct attempt *attempt) {
  const neap_scheduling scheduling = {.schedule = NEAP_SCHEDULE_OPTIMAL, .max_ticks = 100000};
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  neap_status status =
      neap_problem_prepare("branches.tflite", NULL, &scheduling, &problem, &attempt->error);
  if (status == NEAP_OK) status = neap_solve(problem, NULL, &plan, &attempt->error);
  if (status == NEAP_OK) status = certify(problem, plan, 0, attempt);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return status;
}

/* Operators of which pairs have rules: the last reads what others make, and two values stay. */
static neap_status add_pairs(neap_graph *graph, neap_error *error) {
  static const neap_size sizes[] = {5, 85, 20, 63, 4, 12, 66};
  static const size_t inputs[][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 3}, {1, 3}, {5, 5}};
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < SAMPLE_COUNT(sizes) && status == NEAP_OK; t++) {
    const neap_tensor tensor = {.struct_size = sizeof(neap_tensor),
                                .bytes = sizes[t],
                                .alignment = 1,
                                .is_input = t == 0,
                                .is_output = t == 2 || t == 4 || t == 6};
    char name[8];
    snprintf(name, sizeof name, "t%zu", t);
    status = neap_graph_add_tensor(graph, name, &tensor, error);
    if (status != NEAP_OK || t == 0) continue;
    status = neap_graph_add_operator(graph, "op", error);
    for (size_t i = 0; i < 2 && status == NEAP_OK; i++)
      if (i == 0 || inputs[t - 1][1] != inputs[t - 1][0])
        status = neap_graph_add_link(graph, NEAP_LINK_INPUT, inputs[t - 1][i], error);
    if (status == NEAP_OK) status = neap_graph_add_link(graph, NEAP_LINK_OUTPUT, t, error);
  }
  return status;
}

neap_status certify_rules(struct attempt *attempt) {
  static const size_t given[] = {0, 1, 2, 3, 4, 5};
  const neap_operator_order start = {
      .struct_size = sizeof start, .given = given, .count = SAMPLE_COUNT(given)};
  const neap_scheduling scheduling = {.schedule = NEAP_SCHEDULE_OPTIMAL, .start = &start};
  neap_graph *graph = neap_graph_new();
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  if (!graph) return no_memory(&attempt->error);
  neap_status status = add_pairs(graph, &attempt->error);
  if (status == NEAP_OK) status = neap_graph_reorder(graph, &scheduling, NULL, &attempt->error);
  if (status == NEAP_OK) status = neap_graph_to_problem(graph, NULL, &problem, &attempt->error);
  if (status == NEAP_OK) status = neap_solve(problem, NULL, &plan, &attempt->error);
  if (status == NEAP_OK) status = certify(problem, plan, 0, attempt);
  neap_plan_free(plan);
  neap_problem_free(problem);
  neap_graph_free(graph);
  return status;
}

/* ---------------------------------------------------------------- recomputation */

/* A chain whose first large value the last operator reads again. */
static neap_status add_chain(neap_graph *graph, neap_error *error) {
  neap_status status = NEAP_OK;
  for (size_t t = 0; t < 6 && status == NEAP_OK; t++) {
    const neap_tensor tensor = {.struct_size = sizeof(neap_tensor),
                                .bytes = t == 1 || t == 3 ? 8 : 2,
                                .alignment = 1,
                                .is_input = t == 0,
                                .is_output = t == 5};
    char name[8];
    snprintf(name, sizeof name, "t%zu", t);
    status = neap_graph_add_tensor(graph, name, &tensor, error);
    if (status != NEAP_OK || t == 0) continue;
    status = neap_graph_add_operator(graph, "op", error);
    if (status == NEAP_OK) status = neap_graph_time_operator(graph, (int64_t)t, error);
    if (status == NEAP_OK) status = neap_graph_add_link(graph, NEAP_LINK_INPUT, t - 1, error);
    if (status == NEAP_OK && t == 5)
      status = neap_graph_add_link(graph, NEAP_LINK_INPUT, 1, error);
    if (status == NEAP_OK) status = neap_graph_add_link(graph, NEAP_LINK_OUTPUT, t, error);
  }
  return status;
}

neap_status recompute(struct attempt *attempt) {
  const neap_scheduling scheduling = {.max_ticks = 400, .recompute = true, .capacity = 12};
  neap_graph *graph = neap_graph_new();
  neap_problem *problem = NULL;
  if (!graph) return no_memory(&attempt->error);
  neap_status status = add_chain(graph, &attempt->error);
  if (status == NEAP_OK)
    status = neap_graph_recompute(graph, &scheduling, NULL, &attempt->error);
  if (status == NEAP_OK) fingerprint_number(attempt, neap_graph_operator_count(graph));
  if (status == NEAP_OK) status = neap_graph_to_problem(graph, NULL, &problem, &attempt->error);
  if (status == NEAP_OK) fingerprint_problem(attempt, problem);
  neap_problem_free(problem);
  neap_graph_free(graph);
  return status;
}

neap_status repeat_operators(struct attempt *attempt) {
  const struct scenario *scenario = attempt->scenario;
  const bool is_onnx = strcmp(scenario->from, "skip.onnx") == 0;
  const neap_reading reading = {.struct_size = sizeof(neap_reading),
                                .graph.target = is_onnx ? NULL : "tflm"};
  const neap_scheduling scheduling = {
      .max_ticks = 400, .recompute = true, .capacity = is_onnx ? 320 : 2000};
  const neap_writing writing = {
      .struct_size = sizeof(neap_writing), .model = scenario->from, .reading = &reading};
  neap_problem *problem = NULL;
  neap_plan *plan = NULL;
  neap_status status =
      neap_problem_prepare(scenario->from, &reading, &scheduling, &problem, &attempt->error);
  if (status == NEAP_OK) status = neap_solve(problem, NULL, &plan, &attempt->error);
  if (status == NEAP_OK)
    status = neap_plan_write(plan, attempt->scenario->output, &writing, &attempt->error);
  neap_plan_free(plan);
  neap_problem_free(problem);
  return status;
}

/* ---------------------------------------------------------------- explanations */

/* Three buffers whose sizes suffice for 280 bytes, but whose alignments do not. */
static neap_status add_aligned(neap_problem *problem, neap_error *error) {
  static const neap_time starts[] = {3, 2, 4}, ends[] = {6, 5, 7};
  static const neap_size sizes[] = {120, 90, 64}, alignments[] = {64, 64, 1};
  const neap_arrays arrays = {
      sizeof(neap_arrays), SAMPLE_COUNT(sizes), starts, ends, sizes, alignments, NULL};
  return neap_problem_add_arrays(problem, &arrays, error);
}

static void note(const neap_explanation *explanation, struct attempt *attempt) {
  neap_explanation_report report = NEAP_INIT(neap_explanation_report);
  neap_fix fix = NEAP_INIT(neap_fix);
  size_t buffer;
  neap_explanation_get_report(explanation, &report);
  fingerprint_number(attempt, (uint64_t)report.verdict);
  fingerprint_number(attempt, (uint64_t)report.required);
  for (size_t i = 0; neap_explanation_core_at(explanation, i, &buffer); i++)
    fingerprint_number(attempt, buffer);
  for (size_t i = 0; neap_explanation_fix_at(explanation, i, &fix); i++)
    fingerprint_number(attempt, (uint64_t)fix.cost);
}

static neap_status explain(neap_problem *problem, const char *capacity,
                           const neap_explaining *explaining, struct attempt *attempt) {
  neap_options *options = neap_options_new();
  neap_explanation *explanation = NULL;
  if (!options) return no_memory(&attempt->error);
  neap_status status = neap_options_set(options, "capacity", capacity, &attempt->error);
  if (status == NEAP_OK)
    status = neap_options_set(options, "max-ticks", "1000000", &attempt->error);
  if (status == NEAP_OK)
    status = neap_explain(problem, options, explaining, &explanation, &attempt->error);
  if (status == NEAP_OK) note(explanation, attempt);
  neap_explanation_free(explanation);
  neap_options_free(options);
  return status;
}

neap_status explain_set(struct attempt *attempt) {
  const neap_explaining explaining = {.struct_size = sizeof(neap_explaining), .no_fixes = true};
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(&attempt->error);
  neap_status status = add_aligned(problem, &attempt->error);
  if (status == NEAP_OK) status = explain(problem, "280", &explaining, attempt);
  neap_problem_free(problem);
  return status;
}

neap_status explain_sum(struct attempt *attempt) {
  const neap_explaining explaining = {.struct_size = sizeof(neap_explaining), .fixes = 1};
  neap_problem *problem = neap_problem_new();
  if (!problem) return no_memory(&attempt->error);
  neap_status status = neap_problem_add_simple(problem, "a", 10, 0, 2, &attempt->error);
  if (status == NEAP_OK)
    status = neap_problem_add_simple(problem, "b", 20, 1, 3, &attempt->error);
  if (status == NEAP_OK) status = explain(problem, "25", &explaining, attempt);
  neap_problem_free(problem);
  return status;
}
