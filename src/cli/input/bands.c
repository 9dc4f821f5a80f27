/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/input/bands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/input/files.h"
#include "cli/options/options.h"
#include "cli/output/messages.h"
#include "cli/output/number_text.h"
#include "cli/run.h"

int splits_check(const struct arguments *arguments, const char *what) {
  if (arguments->reading.graph.liveness.in_place)
    return message_usage("%s and --in-place cannot be combined: a model cannot express which "
                         "tensors are one buffer; --overlap can share bytes instead",
                         what);
  const bool takes_pools = strcmp(what, "fit") == 0;
  if ((arguments->pools.count > 0 && !takes_pools) || arguments->objective.given ||
      arguments->max_chunk > 0)
    return message_usage("%s plans one arena for its peak, so --pool, --max-chunk and "
                         "--objective cannot be used with it",
                         what);
  if (files_is_standard(arguments->operand))
    return message_usage("%s copies the model, so it must be a file, not '-'", what);
  return arguments->time_limit
             ? option_set_planning(arguments, "time-limit", arguments->time_limit)
             : 0;
}

static bool watch(const neap_bands_progress *progress, void *user) {
  struct splits_clock *clock = user;
  char text[256], peak[FIGURE_SIZE];
  if (progress->peak != NEAP_UNPLACED && run_wants_status(progress->seconds, &clock->shown)) {
    snprintf(text, sizeof text, "split: peak %s, %zu pieces measured, %.1f s",
             figure_unit(peak, progress->peak), progress->measured, progress->seconds);
    message_status(text);
  }
  return !run_interrupted() && run_seconds() < clock->until;
}

/* Looks for the least work that fits a capacity or, if that is negative, the lowest peak. */
static neap_model_limits limits_for(neap_size capacity) {
  neap_model_limits limits = NEAP_INIT(neap_model_limits);
  limits.goal = capacity < 0 ? NEAP_BANDS_PEAK : NEAP_BANDS_WORK;
  if (capacity >= 0) limits.capacity = capacity > 0 ? capacity : 1;
  return limits;
}

static const char *const goals[] = {"arena", "peak", "work"}; /* by neap_bands_goal */

const char *splits_goal_at(size_t index) {
  return index < sizeof goals / sizeof *goals ? goals[index] : NULL;
}

static bool looks_for(const struct arguments *arguments, neap_bands_goal goal) {
  return arguments->goal && strcmp(arguments->goal, goals[goal]) == 0;
}

/* Only the goal of least extra work takes a capacity. */
static int check_goal(const struct arguments *arguments, neap_size capacity) {
  bool is_work = looks_for(arguments, NEAP_BANDS_WORK);
  if (is_work && capacity < 0) return message_usage("--goal work needs --capacity");
  if (!arguments->goal || is_work || capacity < 0) return 0;
  return message_usage("--goal %s and --capacity cannot be combined: with a capacity, the "
                       "least extra work is looked for",
                       arguments->goal);
}

neap_model_limits splits_how(const struct arguments *arguments, neap_size capacity,
                             struct splits_clock *clock) {
  int64_t millionths;
  *clock = (struct splits_clock){.until = HUGE_VAL};
  if (neap_options_number(arguments->planning, "time-limit", &millionths) && millionths > 0)
    clock->until = run_seconds() + (double)millionths * (arguments->split ? 0.5e-6 : 1e-6);
  neap_model_limits limits = limits_for(capacity);
  if (capacity < 0 && !looks_for(arguments, NEAP_BANDS_PEAK)) limits.goal = NEAP_BANDS_ARENA;
  limits.most_millionths = arguments->max_work;
  limits.keep_on = watch;
  limits.user = clock;
  limits.keep_on_curve = arguments->max_work == 0 && capacity < 0;
  return limits;
}

/* Opens a model and splits it. */
static neap_status open_split(const char *path, const neap_reading *reading,
                              const neap_scheduling *scheduling,
                              const neap_model_limits *limits, neap_bands **bands,
                              neap_error *error) {
  neap_model *model;
  neap_status status = neap_model_open(path, reading, &model, error);
  if (status != NEAP_OK) return status;
  status = neap_model_bands(model, scheduling, limits, bands, error);
  neap_model_free(model);
  return status;
}

neap_status splits_fit(const char *path, const neap_reading *reading,
                       const neap_model_limits *limits, neap_fit **fit, neap_error *error) {
  neap_model *model;
  neap_status status = neap_model_open(path, reading, &model, error);
  if (status != NEAP_OK) return status;
  status = neap_model_fit(model, limits, fit, error);
  neap_model_free(model);
  return status;
}

neap_fit_step splits_best(const neap_fit *fit) {
  neap_fit_report report = NEAP_INIT(neap_fit_report);
  neap_fit_step step = NEAP_INIT(neap_fit_step);
  neap_fit_get_report(fit, &report);
  neap_fit_step_at(fit, report.best, &step);
  return step;
}

int splits_find(const struct arguments *arguments, neap_size capacity, neap_bands **split) {
  neap_error error;
  struct splits_clock clock;
  const neap_model_limits how = splits_how(arguments, capacity, &clock);
  int code = check_goal(arguments, capacity);
  if (code != 0) return code;
  run_catch_signals();
  neap_status status = open_split(arguments->operand, &arguments->reading,
                                  &arguments->scheduling, &how, split, &error);
  message_status("");
  if (status != NEAP_OK) return message_error(&error);
  if (run_interrupted()) message_warning("interrupted: this is the best split so far");
  else if (run_seconds() >= clock.until)
    message_warning("the time limit was reached: this is the best split so far");
  return 0;
}

bool splits_is_early(const neap_bands_progress *progress, void *until) {
  (void)progress;
  return !run_interrupted() && run_seconds() < *(double *)until;
}

neap_problem *splits_try(const struct arguments *arguments, neap_size capacity, double seconds,
                         neap_bands_report *report, neap_error *error) {
  neap_bands *split;
  double until = run_seconds() + seconds;
  neap_reading silent = arguments->reading;
  neap_model_limits how = limits_for(capacity);
  how.keep_on = splits_is_early;
  how.user = &until;
  silent.warn = NULL;
  error->status = NEAP_OK;
  if (files_is_standard(arguments->operand) || silent.graph.liveness.in_place ||
      open_split(arguments->operand, &silent, &arguments->scheduling, &how, &split, error) !=
          NEAP_OK)
    return NULL;
  neap_bands_get_report(split, report);
  neap_problem *problem = report->is_split ? neap_bands_take_problem(split) : NULL;
  neap_bands_free(split);
  return problem;
}
