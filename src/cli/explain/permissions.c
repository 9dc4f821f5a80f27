/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain/permissions.h"

#include <math.h>
#include <stdio.h>

#include "cli/input/bands.h"
#include "cli/output/messages.h"
#include "cli/run.h"

#define SECONDS_EACH 2
#define SECONDS_ALL 6

struct search {
  const struct arguments *arguments;
  const neap_model_limits *limits;
  double end;                       /* in seconds since the program began */
  neap_size missing, least_missing; /* of the fit, and of the best trial */
  struct permissions *found;
  double shown; /* when the status line was last shown */
};

/* Means that are tried together, with the command line that has their options. */
struct trial {
  struct arguments arguments;
  struct permission permission;
};

/* The bytes by which the best step of a fit exceeds its memories. */
static neap_size missing_of(const neap_fit *fit, const neap_model_limits *limits) {
  const neap_size capacities[] = {limits->capacity, limits->second_capacity};
  const neap_fit_step step = splits_best(fit);
  neap_size missing = 0;
  for (size_t i = 0; i < 2; i++)
    if (step.needs[i] > capacities[i]) missing += step.needs[i] - capacities[i];
  return missing;
}

/* Fits with a trial's options; false if the model cannot be read with them, or is refused. */
static bool measure(const struct search *search, struct trial *trial) {
  double until = fmin(run_seconds() + SECONDS_EACH, search->end);
  neap_reading reading = trial->arguments.reading;
  neap_model_limits limits = *search->limits;
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit *fit;
  neap_error error;
  reading.warn = NULL;
  limits.most_millionths = trial->arguments.max_work;
  limits.keep_on = splits_is_early;
  limits.user = &until;
  if (splits_fit(trial->arguments.operand, &reading, &limits, &fit, &error) != NEAP_OK)
    return false;
  neap_fit_get_report(fit, &report);
  trial->permission.fits = report.fits;
  trial->permission.missing = missing_of(fit, &limits);
  neap_fit_free(fit);
  return !report.is_refused;
}

static void show_trial(struct search *search, const struct trial *trial) {
  char text[MEANS_TEXT + 16];
  if (!run_wants_status(run_seconds(), &search->shown)) return;
  snprintf(text, sizeof text, "fit: with %s", trial->permission.options);
  message_status(text);
}

/* Keeps a trial that leaves fewer bytes missing than `most`. */
static void try_trial(struct search *search, struct trial *trial, neap_size most) {
  if (search->found->count == PERMISSIONS_MOST || run_interrupted() ||
      run_seconds() >= search->end)
    return;
  show_trial(search, trial);
  if (!measure(search, trial) || trial->permission.missing >= most) return;
  search->found->items[search->found->count++] = trial->permission;
  if (trial->permission.missing < search->least_missing)
    search->least_missing = trial->permission.missing;
}

/*
 * Tries each means alone.  If none suffices, more work is also tried together with the first means,
 * and has to be better than all of these.
 */
static void try_all(struct search *search, const neap_problem *problem) {
  const struct trial none = {.arguments = *search->arguments};
  struct trial first = none;
  const struct means *means;
  for (size_t i = 0; (means = means_at(i)) != NULL; i++) {
    struct trial trial = none;
    if (!means->is_asked_for || !means_suits(means, problem) ||
        !means_add(means, problem, &trial.arguments, trial.permission.options))
      continue;
    try_trial(search, &trial, search->missing);
    if (!means->adds_work && !first.permission.options[0]) first = trial;
    else if (means->adds_work && first.permission.options[0] && search->least_missing > 0 &&
             means_add(means, problem, &first.arguments, first.permission.options))
      try_trial(search, &first, search->least_missing);
  }
}

/* Whether other options can help, and the output shows them. */
static bool is_needed(const struct arguments *arguments, const neap_fit *fit) {
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit_get_report(fit, &report);
  return !report.fits && !report.is_open && !report.is_refused && !run_interrupted() &&
         (!arguments->quiet || arguments->json);
}

void permissions_find(struct permissions *found, const struct arguments *arguments,
                      const neap_model_limits *limits, const neap_fit *fit, double until) {
  const neap_size missing = missing_of(fit, limits);
  struct search search = {.arguments = arguments,
                          .limits = limits,
                          .end = fmin(run_seconds() + SECONDS_ALL, until),
                          .missing = missing,
                          .least_missing = missing,
                          .found = found};
  found->count = 0;
  if (!is_needed(arguments, fit)) return;
  try_all(&search, neap_plan_problem(neap_fit_plan(fit)));
  message_status("");
  if (run_interrupted()) found->count = 0;
}
