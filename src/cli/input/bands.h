/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Splitting models with a command's options.  Functions return 0, or the exit code of the message
 * they have printed.
 */
#ifndef CLI_INPUT_BANDS_H
#define CLI_INPUT_BANDS_H

#include "cli/options/arguments.h"
#include "neap-tool.h"
#include "neap/models.h"

/* Refuses options that do not go with splitting; `what` asks for it: "split" or "--split". */
int splits_check(const struct arguments *arguments, const char *what);

/*
 * When a search is to end, in seconds since the program began, and when it last showed its status
 * line.
 */
struct splits_clock {
  double until, shown;
};

/* The words of --goal, those of neap_bands_goal; NULL past the last. */
const char *splits_goal_at(size_t index);

/* How to split, with the status line, the first signal and --time-limit as everywhere. */
neap_model_limits splits_how(const struct arguments *arguments, neap_size capacity,
                             struct splits_clock *clock);

/* Opens a model and makes it fit. */
neap_status splits_fit(const char *path, const neap_reading *reading,
                       const neap_model_limits *limits, neap_fit **fit, neap_error *error);

/* The best step of a fit. */
neap_fit_step splits_best(const neap_fit *fit);

/* Goes on until `until`, a double in seconds since the program began, or a signal. */
bool splits_is_early(const neap_bands_progress *progress, void *until);

/* Splits a command's operand; a negative capacity asks for the lowest arena or peak. */
int splits_find(const struct arguments *arguments, neap_size capacity, neap_bands **split);

/*
 * Splits the operand for at most so many seconds, and prints nothing.  Returns the problem of the
 * best choice, or NULL.  If that is an error, error->status is the reason: NEAP_ERROR_INPUT if the
 * input is not such a model.  It is NEAP_OK if no choice is better, for standard input, and if the
 * reading is in place, which a model cannot express.
 */
neap_problem *splits_try(const struct arguments *arguments, neap_size capacity, double seconds,
                         neap_bands_report *report, neap_error *error);

#endif
