/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ladder (ladder.c) knows which options change the graph and what they do to its bound.  Each
 * option that shares bytes is tried alone, and then the rungs, each with all options below it: the
 * graph is read with them and planned.  What ends a little above a capacity is explained in turn, which
 * finds the smallest change that closes the rest.
 */
#include "cli/explain/levers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/input/splits.h"
#include "cli/output/messages.h"
#include "cli/output/split_facts.h"
#include "cli/run.h"

#define SECONDS "2" /* for the order, for the layout, and for a change */
#define NEAR_MOST 3 /* near misses that are explained */

/* A copy of the arguments, with some levers pulled. */
struct trial {
  struct arguments arguments;
  struct lever lever;
};

struct search {
  const struct levers_wish *wish;
  neap_options *planning;
  struct levers *found;
  struct levers near; /* the lowest peak first */
};

/* False if the command line has the option already. */
static bool pull(struct trial *trial, const struct rung *rung) {
  char *options = trial->lever.options, option[RUNG_OPTION];
  size_t used = strlen(options);
  if (!rung_apply(rung, &trial->arguments.reading, &trial->arguments.scheduling.schedule))
    return false;
  snprintf(options + used, LEVER_TEXT - used, "%s%s", used > 0 ? " " : "",
           rung_option(rung, option));
  if (rung->kind != RUNG_BEST_ORDER) trial->lever.needs_kernels = true;
  return true;
}

/* ---------------------------------------------------------------- trials */

/* Inserts a lever by its peak; the lever owns its problem. */
static void add_near(struct levers *near, const struct lever *lever) {
  size_t place = near->count++;
  for (; place > 0 && near->items[place - 1].peak > lever->peak; place--)
    near->items[place] = near->items[place - 1];
  near->items[place] = *lever;
}

/* Files a lever with its plan; returns whether the problem is kept. */
static bool sort_lever(struct search *search, struct lever *lever, neap_problem *problem,
                       const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  lever->peak = report.peak;
  lever->bound = report.bound;
  if (lever->peak <= search->wish->peak) {
    search->found->items[search->found->count++] = *lever;
    return false;
  }
  if (search->wish->cost == 0) return false;
  lever->problem = problem;
  add_near(&search->near, lever);
  return true;
}

static bool can_try(const struct search *search) {
  return search->found->count + search->near.count < LEVERS_MOST && !run_interrupted();
}

/* Plans a problem, which it takes, as the arguments say; one that cannot be planned is left out. */
static void try_problem(struct search *search, struct trial *trial, neap_problem *problem) {
  const struct arguments *arguments = &trial->arguments;
  neap_plan *plan = NULL;
  bool is_kept = false;
  if (!problem) return;
  neap_size alignment = arguments->reading.alignment;
  bool good = alignment == 0 || neap_problem_align(problem, alignment, 1, NULL) == NEAP_OK;
  if (good && neap_solve(problem, arguments->planning, &plan, NULL) == NEAP_OK)
    is_kept = sort_lever(search, &trial->lever, problem, plan);
  neap_plan_free(plan);
  if (!is_kept) neap_problem_free(problem);
}

static void try_trial(struct search *search, struct trial *trial) {
  if (can_try(search)) try_problem(search, trial, problems_read_again(&trial->arguments));
}

/* The least extra work that fits a capacity, or the lowest peak. */
static void try_bands(struct search *search, struct trial *trial) {
  const struct arguments *arguments = &trial->arguments;
  neap_size capacity = search->wish->cost > 0 ? search->wish->peak : -1;
  char *options = trial->lever.options;
  size_t used = strlen(options);
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_error error;
  if (!can_try(search)) return;
  neap_problem *problem = splits_try(arguments->operand, &arguments->reading,
                                     &arguments->scheduling, capacity, &report, &error);
  if (!problem) return;
  snprintf(options + used, LEVER_TEXT - used, "%s--split%s", used > 0 ? " " : "",
           capacity < 0 ? " --lowest-peak" : "");
  trial->lever.extra_percent = split_facts_extra(&report.before, &report.after);
  try_problem(search, trial, problem);
}

/* Bands alone, and where these do not suffice, with another order and overlaps. */
static void try_all_bands(struct search *search, const struct ladder *ladder,
                          const struct arguments *arguments) {
  struct trial alone = {.arguments = *arguments}, together = alone;
  size_t found = search->found->count;
  try_bands(search, &alone);
  if (search->found->count > found && search->wish->cost > 0) return;
  for (size_t i = 0; i < ladder->count; i++)
    if (ladder->rungs[i].kind == RUNG_BEST_ORDER || ladder->rungs[i].kind == RUNG_OVERLAP)
      pull(&together, &ladder->rungs[i]);
  if (together.lever.options[0]) try_bands(search, &together);
}

static void try_all(struct search *search, const struct ladder *ladder,
                    const struct arguments *arguments) {
  struct trial together = {.arguments = *arguments};
  size_t pulled = 0;
  for (size_t i = 0; i < ladder->count; i++) {
    const struct rung *rung = &ladder->rungs[i];
    struct trial alone = {.arguments = *arguments};
    if (rung->kind == RUNG_BANDS || !pull(&alone, rung)) continue;
    try_trial(search, &alone);
    pull(&together, rung);
    if (++pulled > 1 && rung->lower_bound < ladder->rungs[i - 1].lower_bound)
      try_trial(search, &together);
  }
}

/* ---------------------------------------------------------------- near misses */

static bool go_on(const neap_explain_progress *progress, void *user) {
  (void)progress;
  (void)user;
  return !run_interrupted();
}

bool lever_fix(const struct lever *lever, neap_fix *fix) {
  return lever->explanation && neap_explanation_fix_at(lever->explanation, 0, fix);
}

/* Whether something better is known: options that suffice, and that kernels allow as well. */
static bool is_needless(const struct search *search, const struct lever *lever) {
  for (size_t i = 0; i < search->found->count; i++)
    if (!search->found->items[i].explanation &&
        search->found->items[i].needs_kernels <= lever->needs_kernels)
      return true;
  return false;
}

/* Adds a near miss if a change closes the rest that is smaller than those known. */
static void close_rest(struct search *search, struct lever *lever, neap_size *least) {
  const neap_explaining explaining = {.struct_size = sizeof(neap_explaining),
                                      .progress = go_on};
  neap_fix fix = NEAP_INIT(neap_fix);
  if (is_needless(search, lever) || run_interrupted() ||
      neap_explain(lever->problem, search->planning, &explaining, &lever->explanation, NULL) !=
          NEAP_OK ||
      !lever_fix(lever, &fix) || fix.changes[0].kind == NEAP_CHANGE_CAPACITY ||
      fix.cost >= *least)
    return;
  *least = fix.cost;
  lever->peak = fix.peak;
  search->found->items[search->found->count++] = *lever;
  *lever = (struct lever){.bound = 0}; /* handed over */
}

static int close_rests(struct search *search) {
  neap_size least = search->wish->cost;
  neap_error error;
  char capacity[32];
  snprintf(capacity, sizeof capacity, "%" PRId64, search->wish->peak);
  if (neap_options_set(search->planning, "capacity", capacity, &error) != NEAP_OK)
    return message_error(&error);
  for (size_t i = 0; i < search->near.count && i < NEAR_MOST; i++)
    close_rest(search, &search->near.items[i], &least);
  return 0;
}

/* ---------------------------------------------------------------- all of them */

int levers_find(struct levers *levers, const struct arguments *arguments,
                const neap_problem *problem, const struct levers_wish *wish) {
  struct arguments trial = *arguments;
  struct search search = {.wish = wish, .found = levers};
  struct model_facts model;
  neap_error error;
  *levers = (struct levers){.count = 0};
  if (!neap_problem_graph(problem) || files_is_standard(arguments->operand)) return 0;
  int code = problems_describe_model(arguments, problem, &model);
  if (code != 0) return code;
  search.planning = trial.planning = neap_options_new();
  if (!trial.planning) return message_memory();
  if (neap_options_set(trial.planning, "time-limit", SECONDS, &error) != NEAP_OK)
    code = message_error(&error);
  if (code == 0) {
    try_all(&search, &model.ladder, &trial);
    try_all_bands(&search, &model.ladder, &trial);
  }
  if (code == 0) code = close_rests(&search);
  levers_clear(&search.near);
  neap_options_free(trial.planning);
  return code;
}

void levers_clear(struct levers *levers) {
  for (size_t i = 0; i < levers->count; i++) {
    neap_explanation_free(levers->items[i].explanation);
    neap_problem_free(levers->items[i].problem);
  }
  levers->count = 0;
}
