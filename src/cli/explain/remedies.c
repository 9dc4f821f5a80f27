/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ladder (output/ladder.c) tells which means change the graph, and how far each lowers its
 * bound.  Here the graph is read and planned with each of them alone, and then with all before
 * it.  A plan that ends a little above the capacity is explained in turn, to find the smallest
 * change that closes the gap.
 */
#include "cli/explain/explanation_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/input/bands.h"
#include "cli/input/files.h"
#include "cli/input/problems.h"
#include "cli/options/means.h"
#include "cli/output/bands.h"
#include "cli/output/ladder.h"
#include "cli/output/messages.h"
#include "cli/run.h"

#define SECONDS "2" /* for the order, for the layout, and for a change */
#define BAND_SECONDS 2.0
#define NEAR_MOST 3 /* the most near misses that are explained */

/* A copy of the arguments with some means applied, and the remedy that these make up. */
struct trial {
  struct arguments arguments;
  struct remedy remedy;
};

struct search {
  const neap_problem *problem; /* of the command line */
  const struct remedies_wish *wish;
  neap_options *planning;
  struct remedies *found;
  struct remedies near; /* the lowest peak first */
};

/* Applies a means; false if the command line has the option already. */
static bool pull(const struct search *search, struct trial *trial, const struct means *means) {
  if (!means_add(means, search->problem, &trial->arguments, trial->remedy.options))
    return false;
  if (means->needs_kernels) trial->remedy.needs_kernels = true;
  return true;
}

/* ---------------------------------------------------------------- trials */

/* Inserts a remedy by its peak; the remedy owns its problem. */
static void add_near(struct remedies *near, const struct remedy *remedy) {
  size_t place = near->count++;
  for (; place > 0 && near->items[place - 1].peak > remedy->peak; place--)
    near->items[place] = near->items[place - 1];
  near->items[place] = *remedy;
}

/* Files a remedy with its plan; returns whether the problem is kept. */
static bool sort_remedy(struct search *search, struct remedy *remedy, neap_problem *problem,
                        const neap_plan *plan) {
  neap_report report = NEAP_INIT(neap_report);
  neap_plan_report(plan, &report);
  remedy->peak = report.peak;
  remedy->bound = report.bound;
  if (remedy->peak <= search->wish->peak) {
    search->found->items[search->found->count++] = *remedy;
    return false;
  }
  if (search->wish->cost == 0) return false;
  remedy->problem = problem;
  add_near(&search->near, remedy);
  return true;
}

static bool can_try(const struct search *search) {
  return search->found->count + search->near.count < LEVERS_MOST && !run_interrupted();
}

/* Plans and takes ownership of a problem; ignores one that cannot be planned. */
static void try_problem(struct search *search, struct trial *trial, neap_problem *problem) {
  const struct arguments *arguments = &trial->arguments;
  neap_plan *plan = NULL;
  bool is_kept = false;
  if (!problem) return;
  neap_size alignment = arguments->reading.graph.alignment;
  bool good = alignment == 0 || neap_problem_align(problem, alignment, 1, NULL) == NEAP_OK;
  if (good && neap_solve(problem, arguments->planning, &plan, NULL) == NEAP_OK)
    is_kept = sort_remedy(search, &trial->remedy, problem, plan);
  neap_plan_free(plan);
  if (!is_kept) neap_problem_free(problem);
}

static void try_trial(struct search *search, struct trial *trial) {
  if (can_try(search)) try_problem(search, trial, problems_read_again(&trial->arguments));
}

/* Tries bands with the least extra work that fits a capacity, or with the lowest peak. */
static void try_bands(struct search *search, const struct means *bands, struct trial *trial) {
  neap_size capacity = search->wish->cost > 0 ? search->wish->peak : -1;
  neap_bands_report report = NEAP_INIT(neap_bands_report);
  neap_error error;
  if (!can_try(search)) return;
  neap_problem *problem =
      splits_try(&trial->arguments, capacity, BAND_SECONDS, &report, &error);
  if (!problem) return;
  means_append(trial->remedy.options, bands->option);
  if (capacity < 0) means_append(trial->remedy.options, bands->value);
  trial->remedy.extra_percent = bands_extra(&report.before, &report.after);
  try_problem(search, trial, problem);
}

/* The bands of the ladder, in whatever order the command line asks for. */
static const struct means *find_bands(void) {
  size_t i = 0;
  while (!means_at(i)->key || !means_at(i)->adds_work)
    i++;
  return means_at(i);
}

/* Tries bands alone, and if they do not suffice, all means of the ladder that bands allow. */
static void try_all_bands(struct search *search, const struct ladder *ladder,
                          const struct arguments *arguments) {
  const struct means *bands = find_bands();
  struct trial alone = {.arguments = *arguments}, together = alone;
  size_t found = search->found->count;
  try_bands(search, bands, &alone);
  if (search->found->count > found && search->wish->cost > 0) return;
  for (size_t i = 0; i < ladder->count; i++)
    if (ladder->rungs[i].means->is_in_models) pull(search, &together, ladder->rungs[i].means);
  if (together.remedy.options[0]) try_bands(search, bands, &together);
}

static void try_all(struct search *search, const struct ladder *ladder,
                    const struct arguments *arguments) {
  struct trial together = {.arguments = *arguments};
  size_t pulled = 0;
  for (size_t i = 0; i < ladder->count; i++) {
    const struct rung *rung = &ladder->rungs[i];
    struct trial alone = {.arguments = *arguments};
    if (!pull(search, &alone, rung->means)) continue;
    try_trial(search, &alone);
    pull(search, &together, rung->means);
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

bool remedy_fix(const struct remedy *remedy, neap_fix *fix) {
  return remedy->explanation && neap_explanation_fix_at(remedy->explanation, 0, fix);
}

/* Whether better options are known: they suffice alone, and need no more of the kernels. */
static bool is_needless(const struct search *search, const struct remedy *remedy) {
  for (size_t i = 0; i < search->found->count; i++)
    if (!search->found->items[i].explanation &&
        search->found->items[i].needs_kernels <= remedy->needs_kernels)
      return true;
  return false;
}

/* Adds a near miss if some change closes its gap and is smaller than those known. */
static void close_rest(struct search *search, struct remedy *remedy, neap_size *least) {
  const neap_explaining explaining = {.struct_size = sizeof(neap_explaining),
                                      .progress = go_on};
  neap_fix fix = NEAP_INIT(neap_fix);
  if (is_needless(search, remedy) || run_interrupted() ||
      neap_explain(remedy->problem, search->planning, &explaining, &remedy->explanation,
                   NULL) != NEAP_OK ||
      !remedy_fix(remedy, &fix) || fix.changes[0].kind == NEAP_CHANGE_CAPACITY ||
      fix.cost >= *least)
    return;
  *least = fix.cost;
  remedy->peak = fix.peak;
  search->found->items[search->found->count++] = *remedy;
  *remedy = (struct remedy){.bound = 0}; /* handed over */
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

int remedies_find(struct remedies *remedies, const struct arguments *arguments,
                  const neap_problem *problem, const struct remedies_wish *wish) {
  struct arguments trial = *arguments;
  struct search search = {.problem = problem, .wish = wish, .found = remedies};
  struct ladder ladder;
  neap_error error;
  *remedies = (struct remedies){.count = 0};
  if (!neap_problem_graph(problem) || files_is_standard(arguments->operand)) return 0;
  int code = ladder_find(&ladder, arguments, problem, false);
  if (code != 0) return code;
  search.planning = trial.planning = neap_options_new();
  if (!trial.planning) return message_memory();
  if (neap_options_set(trial.planning, "time-limit", SECONDS, &error) != NEAP_OK)
    code = message_error(&error);
  if (code == 0) {
    try_all(&search, &ladder, &trial);
    try_all_bands(&search, &ladder, &trial);
  }
  if (code == 0) code = close_rests(&search);
  remedies_clear(&search.near);
  neap_options_free(trial.planning);
  return code;
}

void remedies_clear(struct remedies *remedies) {
  for (size_t i = 0; i < remedies->count; i++) {
    neap_explanation_free(remedies->items[i].explanation);
    neap_problem_free(remedies->items[i].problem);
  }
  remedies->count = 0;
}
