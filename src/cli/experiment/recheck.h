/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares what the library of public instances states with what the program finds now. */
#ifndef CLI_EXPERIMENT_RECHECK_H
#define CLI_EXPERIMENT_RECHECK_H

#include "cli/options/arguments.h"

/*
 * Plans all instances that are at hand in a folder as in library.h, and prints what is better, worse or
 * missing.  Returns 0, EXIT_NO_PLAN if something is worse, EXIT_UNSOUND if a peak and a bound contradict
 * each other, or the exit code of the message it has printed.
 */
int recheck_library(const struct arguments *arguments, const char *folder);

#endif
