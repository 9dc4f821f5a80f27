/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/messages.h"
#include "cli/run.h"

#define LABEL_SIZE (DESIGN_TEXT + 96)

/* "max-rounds 5: ", or "max-rounds 5, seed 3: " if there are several seeds. */
static void write_name(const struct sweep *sweep, size_t setting, size_t seed,
                       char name[LABEL_SIZE]) {
  char text[DESIGN_TEXT];
  design_text(&sweep->design, setting, "", ", ", text);
  if (sweep->design.seed_count == 1) snprintf(name, LABEL_SIZE, "%s: ", text);
  else snprintf(name, LABEL_SIZE, "%s, seed %" PRIu64 ": ", text, sweep->design.seeds[seed]);
}

/* The status line begins with "run 12/40, max-rounds 5, seed 3: ". */
static void write_label(const struct sweep *sweep, size_t setting, size_t seed,
                        char label[LABEL_SIZE]) {
  char name[LABEL_SIZE];
  size_t seeds = sweep->design.seed_count;
  write_name(sweep, setting, seed, name);
  snprintf(label, LABEL_SIZE, "run %zu/%zu, %.300s", setting * seeds + seed + 1,
           sweep->design.setting_count * seeds, name);
}

/* The ticks of the whole run. */
static uint64_t ticks_of(const neap_plan *plan) {
  neap_moment moment = NEAP_INIT(neap_moment);
  uint64_t ticks = 0;
  for (size_t i = 0; neap_plan_moment_at(plan, i, &moment); i++)
    ticks = moment.ticks;
  return ticks;
}

/* Takes ownership of the plan: *kept is the one with the lowest peak so far. */
static void keep_plan(neap_plan **kept, neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report), other = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  if (*kept) neap_plan_report(*kept, &other);
  if (!*kept || report.peak < other.peak) {
    neap_plan *old = *kept;
    *kept = plan;
    plan = old;
  }
  neap_plan_free(plan);
}

/* Takes ownership of the plan, which may be NULL. */
static void add_outcome(struct sweep *sweep, size_t setting, size_t seed, neap_status status,
                        neap_plan *plan, neap_plan **kept) {
  struct outcome *outcome = &sweep->outcomes[setting * sweep->design.seed_count + seed];
  *outcome = (struct outcome){.status = status};
  if (!plan) return;
  outcome->report = (neap_report)NEAP_INIT(neap_report);
  neap_plan_report(plan, &outcome->report);
  outcome->ticks = ticks_of(plan);
  keep_plan(kept, plan);
}

static int plan_once(struct sweep *sweep, size_t setting, size_t seed, neap_plan **kept) {
  char label[LABEL_SIZE], name[LABEL_SIZE];
  neap_error error;
  neap_plan *plan = NULL;
  struct run run = {
      .problem = sweep->problem, .options = sweep->arguments->planning, .label = label};
  write_label(sweep, setting, seed, label);
  write_name(sweep, setting, seed, name);
  int code = design_apply(&sweep->design, sweep->arguments, setting, sweep->design.seeds[seed]);
  if (code != 0) return code;
  neap_status status = run_planner(&run, &plan, &error);
  if (status != NEAP_OK && status != NEAP_NO_PLAN && status != NEAP_INFEASIBLE)
    return message_error(&error);
  if (run_interrupted()) { /* the result of an interrupted run does not belong to its setting */
    neap_plan_free(plan);
    return 0;
  }
  if (!plan) message_warning("%s%s", name, error.text);
  add_outcome(sweep, setting, seed, status, plan, kept);
  return 0;
}

/* Plans with every seed.  Sets *runs to the number of finished runs, and *kept to the best plan. */
static int plan_setting(struct sweep *sweep, size_t setting, size_t *runs, neap_plan **kept) {
  int code = 0;
  for (*runs = 0; *runs < sweep->design.seed_count; ++*runs) {
    code = plan_once(sweep, setting, *runs, kept);
    if (code != 0 || run_interrupted()) break;
  }
  return code;
}

/* Takes ownership of the plan, which may be NULL. */
static void finish_setting(struct sweep *sweep, double *scratch, neap_plan *plan) {
  size_t setting = sweep->done++;
  sweep->statistics[setting] =
      statistics_of(sweep_outcomes(sweep, setting), sweep->design.seed_count, scratch);
  if (plan && sweep->arguments->svg)
    layouts_add(&sweep->layouts, &sweep->design, setting, plan);
  else neap_plan_free(plan);
}

/* Settings without all of their seeds have no row. */
static void note_missing(const struct sweep *sweep, size_t done) {
  const struct design *design = &sweep->design;
  size_t total = design->setting_count * design->seed_count;
  char text[DESIGN_TEXT];
  if (done == total) return;
  design_text(design, sweep->done, "", ", ", text);
  message_warning("interrupted after %zu of %zu runs; missing: %zu of %zu settings, from %s on",
                  done, total, design->setting_count - sweep->done, design->setting_count,
                  text);
  run_note_missing();
}

static int plan_settings(struct sweep *sweep) {
  const struct design *design = &sweep->design;
  double *scratch = calloc(design->seed_count, sizeof *scratch);
  if (!scratch) return message_memory();
  int code = 0;
  size_t runs = 0;
  run_catch_signals();
  while (sweep->done < design->setting_count && code == 0 && !run_interrupted()) {
    neap_plan *best = NULL;
    code = plan_setting(sweep, sweep->done, &runs, &best);
    if (runs < design->seed_count) {
      neap_plan_free(best);
      break;
    }
    finish_setting(sweep, scratch, best);
    runs = 0;
  }
  if (run_interrupted()) note_missing(sweep, sweep->done * design->seed_count + runs);
  free(scratch);
  return code;
}

int sweep_run(struct sweep *sweep) {
  neap_error error;
  size_t settings = sweep->design.setting_count;
  sweep->bound = (neap_bound)NEAP_INIT(neap_bound);
  if (neap_problem_bound(sweep->problem, &sweep->bound, &error) != NEAP_OK)
    return message_error(&error);
  sweep->outcomes = calloc(settings * sweep->design.seed_count, sizeof *sweep->outcomes);
  sweep->statistics = calloc(settings, sizeof *sweep->statistics);
  if (!sweep->outcomes || !sweep->statistics) return message_memory();
  return plan_settings(sweep);
}

void sweep_clear(struct sweep *sweep) {
  layouts_clear(&sweep->layouts);
  free(sweep->statistics);
  free(sweep->outcomes);
  sweep->statistics = NULL;
  sweep->outcomes = NULL;
}
