/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every question gets a limit in ticks.  So answers are deterministic unless the explanation
 * reaches its time limit.
 */
#include "explain/oracle.h"

#include <stddef.h>

#include "core/error.h"
#include "engine/options.h"
#include "engine/planner.h"

/* Ticks for a question: at least, and per buffer for the first layouts. */
#define TICKS_AT_LEAST 100000
#define TICKS_PER_BUFFER 24

void oracle_init(struct oracle *oracle, const neap_options *options,
                 const neap_explaining *explaining) {
  *oracle = (struct oracle){.explaining = explaining};
  if (options) oracle->options = *options;
  else option_table_set_defaults(&oracle->options);
  uint64_t ticks = (uint64_t)oracle->options.value[OPTION_MAX_TICKS];
  oracle->seconds = (double)oracle->options.value[OPTION_TIME_LIMIT] / OPTION_MILLIONTHS;
  if (oracle->seconds <= 0 && ticks == 0) oracle->seconds = NEAP_EXPLAIN_SECONDS;
  budget_init(&oracle->budget, ticks, oracle->seconds);
}

void oracle_stage(struct oracle *oracle, const char *name, double share) {
  oracle->progress.stage = name;
  oracle->stage_end = oracle->seconds * share;
  oracle->stage_ticks = (uint64_t)((double)oracle->budget.max_ticks * share);
  if (oracle->budget.max_ticks > 0 && oracle->stage_ticks == 0) oracle->stage_ticks = 1;
}

static bool look(struct oracle *oracle) {
  const neap_explaining *explaining = oracle->explaining;
  oracle->progress.seconds = budget_seconds(&oracle->budget);
  if (explaining->progress && !explaining->progress(&oracle->progress, explaining->user))
    budget_cancel(&oracle->budget);
  return budget_look(&oracle->budget);
}

bool oracle_has_left(struct oracle *oracle) {
  bool left = look(oracle);
  if (oracle->stage_end > 0 && oracle->progress.seconds >= oracle->stage_end) left = false;
  if (oracle->stage_ticks > 0 && oracle->budget.ticks >= oracle->stage_ticks) left = false;
  if (!left) oracle->was_limited = true;
  return left;
}

uint64_t oracle_ticks_for(const struct neap_problem *problem) {
  return TICKS_AT_LEAST + TICKS_PER_BUFFER * (uint64_t)problem->count;
}

/* ---------------------------------------------------------------- one question */

struct asking {
  struct oracle *oracle;
  neap_planner *planner;
  uint64_t before; /* ticks of the oracle */
};

static void watch(const neap_progress *progress, void *user) {
  struct asking *asking = user;
  asking->oracle->progress.ticks = asking->before + progress->ticks;
  if (!look(asking->oracle)) neap_planner_cancel(asking->planner);
}

static void set_limits(const struct oracle *oracle, const struct question *question,
                       struct neap_options *options) {
  uint64_t ticks = question->ticks, used = oracle->budget.ticks;
  if (oracle->stage_ticks > 0) {
    uint64_t left = oracle->stage_ticks > used ? oracle->stage_ticks - used : 1;
    if (left < ticks) ticks = left;
  }
  options->value[OPTION_MAX_TICKS] = (int64_t)ticks;
  options->value[OPTION_TIME_LIMIT] = 0;
  if (oracle->stage_end <= 0) return;
  double left = oracle->stage_end - budget_seconds(&oracle->budget);
  options->value[OPTION_TIME_LIMIT] = left > 0 ? (int64_t)(left * OPTION_MILLIONTHS) + 1 : 1;
}

static neap_status run_planner(neap_planner *planner, neap_error *error) {
  neap_status status = NEAP_OK;
  for (bool done = false; status == NEAP_OK && !done;)
    status = neap_planner_step(planner, &done, error);
  return status;
}

static neap_status take_plan(const neap_planner *planner, bool wants_plan, struct reply *reply,
                             neap_error *error) {
  neap_plan *plan = NULL;
  neap_report report = NEAP_INIT(neap_report);
  reply->lower_bound = planner_lower_bound(planner);
  neap_status status = neap_planner_plan(planner, &plan, error);
  if (status != NEAP_OK) return status;
  neap_plan_report(plan, &report);
  reply->peak = report.peak;
  if (wants_plan) reply->plan = plan;
  else neap_plan_free(plan);
  return NEAP_OK;
}

/* The answer that a status of the planner gives to the question. */
static neap_status interpret(neap_status status, struct oracle *oracle, struct reply *reply) {
  reply->answer = ANSWER_OPEN;
  if (status == NEAP_OK) reply->answer = ANSWER_FITS;
  if (status == NEAP_INFEASIBLE) reply->answer = ANSWER_REFUTED;
  if (reply->answer == ANSWER_OPEN) oracle->was_limited = true;
  bool is_known = status == NEAP_OK || status == NEAP_INFEASIBLE || status == NEAP_NO_PLAN ||
                  status == NEAP_ERROR_INPUT;
  return is_known ? NEAP_OK : status;
}

neap_status oracle_ask(struct oracle *oracle, const struct question *question, bool wants_plan,
                       struct reply *reply, neap_error *error) {
  struct asking asking = {.oracle = oracle, .before = oracle->budget.ticks};
  struct neap_options options = oracle->options;
  neap_status status = NEAP_OK;
  *reply = (struct reply){ANSWER_OPEN, NULL, NEAP_UNPLACED, 0};
  options.value[OPTION_CAPACITY] = question->capacity;
  options.value[OPTION_KEEP_LAYOUTS] = 0;
  options.value[OPTION_UNTIL_FITS] = question->capacity >= 0;
  set_limits(oracle, question, &options);
  if (question->is_exact && problem_pool_count(question->problem) == 0)
    status = neap_options_set(&options, "engine", "exact", error);
  if (status != NEAP_OK) return status;
  status = neap_planner_new(question->problem, &options, &asking.planner, error);
  if (status == NEAP_OK) {
    neap_planner_on_progress(asking.planner, watch, &asking);
    status = run_planner(asking.planner, error);
    if (status == NEAP_OK) status = take_plan(asking.planner, wants_plan, reply, error);
    budget_spend(&oracle->budget, planner_ticks(asking.planner));
    neap_planner_free(asking.planner);
  }
  oracle->progress.ticks = oracle->budget.ticks;
  return interpret(status, oracle, reply);
}
