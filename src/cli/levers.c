/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ladder (ladder.c) knows which options change the graph and what they do to its bound.  Each
 * option that shares bytes is tried alone, and then the rungs, each with all options below it: the
 * graph is read with them and planned.
 */
#include "cli/levers.h"

#include <stdio.h>
#include <string.h>

#include "cli/files.h"
#include "cli/messages.h"
#include "cli/problems.h"

#define SECONDS "2" /* for the order, and again for the layout */

/* A copy of the arguments, with some levers pulled. */
struct trial {
  struct arguments arguments;
  char options[LEVER_TEXT];
};

/* False if the command line has the option already. */
static bool pull(struct trial *trial, const struct rung *rung) {
  struct arguments *arguments = &trial->arguments;
  if (strcmp(rung->option, "--schedule") == 0) {
    if (arguments->schedule) return false;
    arguments->schedule = rung->value;
  } else if (strcmp(rung->option, "--in-place") == 0) {
    if (arguments->in_place) return false;
    arguments->in_place = true;
  } else if (strcmp(rung->option, "--overlap") == 0) {
    if (arguments->overlap) return false;
    arguments->overlap = rung->value;
  } else {
    if (arguments->alias) return false;
    arguments->alias = rung->value;
  }
  size_t used = strlen(trial->options);
  snprintf(trial->options + used, LEVER_TEXT - used, "%s%s%s%s", used > 0 ? " " : "",
           rung->option, *rung->value ? " " : "", rung->value);
  return true;
}

/* Plans as the arguments say; a combination that cannot be planned is left out. */
static void try_trial(struct levers *levers, const struct trial *trial, neap_size wanted) {
  const struct arguments *arguments = &trial->arguments;
  neap_problem *problem;
  neap_plan *plan = NULL;
  neap_report report;
  if (levers->count == LEVERS_MOST || problems_read(arguments, &problem) != 0) return;
  bool good = arguments->align == 0 ||
              problems_align(problem, arguments->align, arguments->operand, "") == 0;
  if (good && neap_solve(problem, arguments->planning, &plan, NULL) == NEAP_OK) {
    neap_plan_report(plan, &report);
    struct lever lever = {.bound = report.bound, .peak = report.peak};
    snprintf(lever.options, sizeof lever.options, "%s", trial->options);
    if (report.peak <= wanted) levers->items[levers->count++] = lever;
  }
  neap_plan_free(plan);
  neap_problem_free(problem);
}

static void try_all(struct levers *levers, const struct ladder *ladder,
                    const struct arguments *arguments, neap_size wanted) {
  struct trial together = {.arguments = *arguments};
  size_t pulled = 0;
  for (size_t i = 0; i < ladder->count; i++) {
    const struct rung *rung = &ladder->rungs[i];
    struct trial alone = {.arguments = *arguments};
    if (!rung->option || !pull(&alone, rung)) continue;
    try_trial(levers, &alone, wanted);
    pull(&together, rung);
    if (++pulled > 1 && rung->lower_bound < ladder->rungs[i - 1].lower_bound)
      try_trial(levers, &together, wanted);
  }
}

int levers_find(struct levers *levers, const struct arguments *arguments,
                const neap_problem *problem, neap_size wanted) {
  struct arguments trial = *arguments;
  struct model_facts model;
  neap_error error;
  *levers = (struct levers){.count = 0};
  if (!neap_problem_graph(problem) || files_is_standard(arguments->operand)) return 0;
  int code = problems_describe_model(arguments, problem, &model);
  if (code != 0 || model.ladder.is_fixed) return code;
  trial.planning = neap_options_new();
  if (!trial.planning) return message_memory();
  /* Warnings about the input have been printed before. */
  enum messages_level level = messages_level();
  messages_init(MESSAGES_QUIET);
  if (neap_options_set(trial.planning, "time-limit", SECONDS, &error) != NEAP_OK)
    code = message_error(&error);
  if (code == 0) try_all(levers, &model.ladder, &trial, wanted);
  messages_init(level);
  neap_options_free(trial.planning);
  return code;
}
