/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains a verdict in four stages, each within its share of the limits:
 *
 *   decide       does it fit?  The planner finds a plan, or proves that there is none.
 *   measure      how much is needed?  The planner without a capacity.
 *   shrink       which buffers cannot fit together?  (core.c)
 *   look         which changes make it fit?  (fixes.c)
 *
 * Without a capacity the question is why the peak is not lower: if it is proven to be optimal, the
 * capacity that is refused is one byte less.
 */
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"
#include "core/sized.h"
#include "explain/core.h"
#include "explain/fixes.h"
#include "explain/oracle.h"
#include "explain/spanning.h"
#include "explain/variant.h"
#include "neap/planner.h"
#include "plan/plan.h"

/* The shares of the limits that are used up at the end of each stage. */
#define DECIDED 0.4
#define MEASURED 0.5
#define SHRUNK 0.75

/* Most questions that matter are answered within this many ticks. */
#define DECIDING_TICKS 20000000
#define MEASURING_TICKS 1000000
#define SPARING_TICKS 4000000 /* added if a plan fits */

struct neap_explanation {
  const neap_problem *problem; /* the caller's, or `hard` if the caller's has costs */
  struct subset hard;
  neap_explanation_report report;
  struct core core;
  size_t *alive;
  struct fixes fixes;
  neap_plan *plan;
  struct subset core_problem;
  neap_plan *core_plan;
};

/* ---------------------------------------------------------------- deciding and measuring */

static bool has_pools(const neap_explanation *explanation) {
  return problem_pool_count(explanation->problem) > 0;
}

static void take_reply(neap_explanation *explanation, struct reply *reply) {
  neap_explanation_report *report = &explanation->report;
  bool counts = reply->lower_bound < NEAP_MAX && !has_pools(explanation);
  if (counts && reply->lower_bound > report->required) report->required = reply->lower_bound;
  if (!reply->plan) return;
  if (explanation->plan && reply->peak >= report->peak) {
    neap_plan_free(reply->plan);
    return;
  }
  neap_plan_free(explanation->plan);
  explanation->plan = reply->plan;
  report->peak = reply->peak;
}

static neap_size capacity_of(const struct oracle *oracle) {
  return oracle->options.value[OPTION_CAPACITY];
}

static neap_status decide(neap_explanation *explanation, struct oracle *oracle,
                          neap_error *error) {
  static const neap_verdict verdicts[] = {[ANSWER_FITS] = NEAP_VERDICT_FITS,
                                          [ANSWER_REFUTED] = NEAP_VERDICT_DOES_NOT_FIT,
                                          [ANSWER_OPEN] = NEAP_VERDICT_UNKNOWN};
  struct question question = {explanation->problem, capacity_of(oracle), DECIDING_TICKS, false};
  struct reply reply;
  oracle_stage(oracle, "deciding", DECIDED);
  neap_status status = oracle_ask(oracle, &question, true, &reply, error);
  explanation->report.verdict = verdicts[reply.answer];
  take_reply(explanation, &reply);
  return status;
}

/* Plans without a capacity, for the bytes needed or, if a plan fits, the bytes to spare. */
static neap_status measure(neap_explanation *explanation, struct oracle *oracle,
                           neap_error *error) {
  struct question question = {explanation->problem, -1, MEASURING_TICKS, false};
  struct reply reply;
  question.ticks += oracle_ticks_for(explanation->problem);
  oracle_stage(oracle, "measuring", MEASURED);
  neap_size capacity = capacity_of(oracle);
  bool is_lowest = explanation->plan && explanation->report.peak <= explanation->report.required;
  if (capacity < 0 || is_lowest || !oracle_has_left(oracle)) return NEAP_OK;
  if (explanation->plan) question.ticks += SPARING_TICKS;
  neap_status status = oracle_ask(oracle, &question, true, &reply, error);
  take_reply(explanation, &reply);
  if (status == NEAP_OK && explanation->plan)
    status = neap_plan_set_capacity(explanation->plan, capacity, error);
  return status;
}

/* ---------------------------------------------------------------- the conflicting set */

/* Plans the set alone without a capacity, for a drawing of it. */
static neap_status lay_out_core(neap_explanation *explanation, struct oracle *oracle,
                                neap_error *error) {
  const neap_explanation_report *report = &explanation->report;
  struct variant_choice choice = {.indices = explanation->core.members,
                                  .count = explanation->core.count};
  struct reply reply;
  if (choice.count == 0) return NEAP_OK;
  neap_status status =
      variant_init(&explanation->core_problem, explanation->problem, &choice, error);
  if (status != NEAP_OK || has_pools(explanation)) return status;
  struct question question = {explanation->core_problem.problem, -1,
                              oracle_ticks_for(explanation->core_problem.problem), false};
  status = oracle_ask(oracle, &question, true, &reply, error);
  explanation->core_plan = reply.plan;
  if (status != NEAP_OK || !reply.plan || report->refused < 0) return status;
  reply.plan->missing = report->required - report->refused;
  reply.plan->is_missing_exact = report->peak == report->required;
  return neap_plan_set_capacity(reply.plan, report->refused, error);
}

static neap_status find_core(neap_explanation *explanation, struct oracle *oracle,
                             neap_error *error) {
  neap_explanation_report *report = &explanation->report;
  oracle_stage(oracle, "shrinking the set", SHRUNK);
  neap_status status =
      core_find(&explanation->core, explanation->problem, report->refused, oracle, error);
  report->reason = explanation->core.reason;
  report->core_count = oracle->progress.core_count = explanation->core.count;
  report->is_minimal = explanation->core.is_minimal;
  if (report->reason == NEAP_REASON_POOLS) {
    report->available = explanation->core.available;
    report->required = explanation->core.required;
  }
  return status == NEAP_OK ? lay_out_core(explanation, oracle, error) : status;
}

/* Sets the crowded time: that of the set, unless the sum of all buffers is the reason. */
static neap_status locate(neap_explanation *explanation, const neap_bound *bound,
                          neap_error *error) {
  neap_explanation_report *report = &explanation->report;
  neap_bound dense = *bound;
  neap_status status = NEAP_OK;
  if (report->reason != NEAP_REASON_SUM && explanation->core_problem.problem)
    status = neap_problem_bound(explanation->core_problem.problem, &dense, error);
  if (status != NEAP_OK) return status;
  report->when = (neap_range){dense.start, dense.end};
  if (dense.start == dense.end) return NEAP_OK;
  explanation->alive = core_alive(explanation->problem, dense.start, &report->alive_count);
  return explanation->alive ? NEAP_OK : error_memory(error);
}

/* ---------------------------------------------------------------- fixes */

/* Moves buffers alive throughout a time to the front; returns how many there are. */
static size_t covering_first(const neap_problem *problem, neap_range when, size_t *buffers,
                             size_t count) {
  size_t covering = 0;
  for (size_t i = 0; i < count; i++) {
    size_t buffer = buffers[i];
    neap_range hull = problem_hull(problem, buffer);
    if (hull.start > when.start || hull.end < when.end) continue;
    for (size_t j = i; j > covering; j--)
      buffers[j] = buffers[j - 1];
    buffers[covering++] = buffer;
  }
  return covering;
}

static neap_status add_capacity(neap_explanation *explanation, neap_error *error) {
  const neap_explanation_report *report = &explanation->report;
  neap_fix fix = {.struct_size = sizeof(neap_fix), .change_count = 1, .peak = report->peak};
  if (report->available < 0 || report->peak <= report->available || has_pools(explanation))
    return NEAP_OK;
  fix.cost = report->peak - report->available;
  fix.changes[0] = (neap_change){.kind = NEAP_CHANGE_CAPACITY,
                                 .buffer = NEAP_NO_BUFFER,
                                 .other = NEAP_NO_BUFFER,
                                 .bytes = fix.cost};
  return fixes_add(&explanation->fixes, &fix, error);
}

/* Keeps the cheapest fixes, and always the change of the capacity. */
static void limit_fixes(neap_explanation *explanation, size_t limit) {
  struct fixes *fixes = &explanation->fixes;
  fixes_sort(fixes, explanation->report.verdict == NEAP_VERDICT_FITS);
  if (fixes->count <= limit) return;
  const neap_fix *last = &fixes->items[fixes->count - 1];
  if (last->changes[0].kind == NEAP_CHANGE_CAPACITY) fixes->items[limit - 1] = *last;
  fixes->count = limit;
}

/* Tells the search for fixes what the sum of sizes proves, if it is the reason. */
static neap_status prepare_sum(const neap_explanation *explanation, struct fixes_task *task,
                               size_t *focus, neap_error *error) {
  const neap_explanation_report *report = &explanation->report;
  neap_status status =
      spanning_find(&task->spanning, explanation->problem, report->refused, error);
  if (status != NEAP_OK) return status;
  size_t covering =
      covering_first(explanation->problem, task->spanning.when, focus, task->focus_count);
  task->sizes_only = true;
  if (covering == 0) return NEAP_OK;
  task->focus_count = covering;
  task->when = task->spanning.when;
  if (report->bound > report->refused) task->least = report->bound - report->refused;
  return NEAP_OK;
}

static neap_status find_fixes(neap_explanation *explanation, size_t limit,
                              struct oracle *oracle, neap_error *error) {
  const neap_explanation_report *report = &explanation->report;
  bool is_sum = report->reason == NEAP_REASON_SUM, by_core = !is_sum && report->core_count > 0;
  struct fixes_task task = {.problem = explanation->problem,
                            .capacity = has_pools(explanation) ? -1 : report->available,
                            .peak = report->verdict == NEAP_VERDICT_FITS ? report->peak
                                                                         : NEAP_UNPLACED,
                            .least = 1,
                            .focus_count = by_core ? report->core_count : report->alive_count,
                            .limit = limit};
  const size_t *from = by_core ? explanation->core.members : explanation->alive;
  size_t *focus = memory_array(task.focus_count, sizeof *focus);
  if (!focus) return error_memory(error);
  for (size_t i = 0; i < task.focus_count; i++)
    focus[i] = from[i];
  task.focus = focus;
  oracle_stage(oracle, "looking for fixes", 1);
  neap_status status = is_sum ? prepare_sum(explanation, &task, focus, error) : NEAP_OK;
  if (status == NEAP_OK) status = fixes_find(&explanation->fixes, &task, oracle, error);
  free(focus);
  if (status == NEAP_OK) status = add_capacity(explanation, error);
  limit_fixes(explanation, limit);
  return status;
}

/* ---------------------------------------------------------------- what is hard */

static bool has_costs(const neap_problem *problem) {
  const struct relations *relations = problem->relations;
  return relations && (problem_has(problem, RELATION_PRICED) || relations->near_count > 0);
}

/*
 * Drops penalties and earlier offsets, which never decide what fits.  If they came before the peak,
 * the planner would prove the lowest peak of only the cheapest layouts.
 */
static neap_status choose_problem(neap_explanation *explanation, const neap_problem *problem,
                                  neap_error *error) {
  static const struct variant_choice all = {.indices = NULL};
  explanation->problem = problem;
  if (!has_costs(problem)) return NEAP_OK;
  neap_status status = variant_init(&explanation->hard, problem, &all, error);
  if (status == NEAP_OK) explanation->problem = explanation->hard.problem;
  return status;
}

/* Counts relations as in the caller's problem, which also has the penalties. */
static void restore_indices(neap_explanation *explanation, const neap_problem *problem) {
  for (size_t f = 0; explanation->problem != problem && f < explanation->fixes.count; f++) {
    neap_change *change = &explanation->fixes.items[f].changes[0];
    if (change->kind != NEAP_CHANGE_RELATION) continue;
    size_t left = change->index + 1, at = 0;
    for (; left > 0; at++)
      left -= !relation_has(&problem->relations->items[at], RELATION_PRICED);
    change->index = at - 1;
  }
}

/* ---------------------------------------------------------------- all of it */

/* The capacity that the set does not fit: the given one, or one byte less than the optimum. */
static void choose_refused(neap_explanation *explanation, const struct oracle *oracle) {
  neap_explanation_report *report = &explanation->report;
  report->refused = -1;
  if (has_pools(explanation)) return;
  report->refused = capacity_of(oracle);
  bool is_optimal = report->peak > 0 && report->peak == report->required;
  if (report->refused < 0 && report->verdict == NEAP_VERDICT_FITS && is_optimal)
    report->refused = report->peak - 1;
}

/* The capacity of the arena, or of all pools together. */
static neap_size find_available(const neap_explanation *explanation,
                                const struct oracle *oracle) {
  neap_pool pool = NEAP_INIT(neap_pool);
  neap_size sum = 0;
  if (!has_pools(explanation)) return capacity_of(oracle);
  for (size_t p = 0; neap_problem_pool_at(explanation->problem, p, &pool); p++) {
    if (pool.capacity < 0 || pool.capacity > NEAP_MAX - sum) return -1;
    sum += pool.capacity;
  }
  return sum;
}

static neap_status explain(neap_explanation *explanation, struct oracle *oracle,
                           const neap_explaining *explaining, neap_error *error) {
  neap_explanation_report *report = &explanation->report;
  size_t limit = explaining->fixes > 0 ? explaining->fixes : NEAP_FIXES_DEFAULT;
  neap_bound bound = NEAP_INIT(neap_bound);
  neap_status status = neap_problem_bound(explanation->problem, &bound, error);
  if (status != NEAP_OK) return status;
  report->bound = bound.bytes;
  report->required = has_pools(explanation) ? -1 : bound.lower_bound;
  report->peak = NEAP_UNPLACED;
  report->available = find_available(explanation, oracle);
  status = decide(explanation, oracle, error);
  if (status == NEAP_OK) status = measure(explanation, oracle, error);
  if (status != NEAP_OK) return status;
  choose_refused(explanation, oracle);
  bool asks_peak = capacity_of(oracle) < 0 && !has_pools(explanation);
  if (report->verdict == NEAP_VERDICT_DOES_NOT_FIT || (asks_peak && report->refused >= 0))
    status = find_core(explanation, oracle, error);
  if (status == NEAP_OK) status = locate(explanation, &bound, error);
  bool wants_fixes = !explaining->no_fixes;
  if (status == NEAP_OK && wants_fixes && (asks_peak || report->verdict != NEAP_VERDICT_FITS))
    status =
        find_fixes(explanation, limit < NEAP_FIXES_MAX ? limit : NEAP_FIXES_MAX, oracle, error);
  report->fix_count = explanation->fixes.count;
  report->is_complete = !oracle->was_limited;
  report->seconds = budget_seconds(&oracle->budget);
  return status;
}

neap_status neap_explain(const neap_problem *problem, const neap_options *options,
                         const neap_explaining *explaining, neap_explanation **explanation,
                         neap_error *error) {
  struct oracle oracle;
  neap_explaining own = NEAP_INIT(neap_explaining);
  neap_status status =
      explaining ? SIZED_READ(neap_explaining, own, explaining, error) : NEAP_OK;
  if (status != NEAP_OK) return status;
  neap_explanation *made = memory_array(1, sizeof *made);
  if (!made) return error_memory(error);
  oracle_init(&oracle, options, &own);
  status = neap_problem_check(problem, error);
  if (status == NEAP_OK) status = choose_problem(made, problem, error);
  if (status == NEAP_OK) status = explain(made, &oracle, &own, error);
  if (status == NEAP_OK) restore_indices(made, problem);
  if (status == NEAP_OK) *explanation = made;
  else neap_explanation_free(made);
  return status;
}

void neap_explanation_free(neap_explanation *explanation) {
  if (!explanation) return;
  core_clear(&explanation->core);
  fixes_clear(&explanation->fixes);
  free(explanation->alive);
  neap_plan_free(explanation->plan);
  neap_plan_free(explanation->core_plan);
  subset_clear(&explanation->core_problem);
  subset_clear(&explanation->hard);
  free(explanation);
}

/* ---------------------------------------------------------------- results */

void neap_explanation_get_report(const neap_explanation *explanation,
                                 neap_explanation_report *report) {
  SIZED_FILL(report, explanation->report);
}

bool neap_explanation_alive_at(const neap_explanation *explanation, size_t index,
                               size_t *buffer) {
  if (index >= explanation->report.alive_count) return false;
  *buffer = explanation->alive[index];
  return true;
}

bool neap_explanation_core_at(const neap_explanation *explanation, size_t index,
                              size_t *buffer) {
  if (index >= explanation->core.count) return false;
  *buffer = explanation->core.members[index];
  return true;
}

bool neap_explanation_fix_at(const neap_explanation *explanation, size_t index, neap_fix *fix) {
  if (index >= explanation->fixes.count) return false;
  return SIZED_FILL(fix, explanation->fixes.items[index]);
}

const neap_plan *neap_explanation_plan(const neap_explanation *explanation) {
  return explanation->plan;
}

const neap_plan *neap_explanation_core_plan(const neap_explanation *explanation) {
  return explanation->core_plan;
}
