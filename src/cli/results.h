/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How commands print and draw their results. */
#ifndef CLI_RESULTS_H
#define CLI_RESULTS_H

#include "cli/arguments.h"

/* How to write or draw what was read from `path`. */
neap_writing results_writing(const struct arguments *arguments, const char *path);

/* Checks --csv, --json and --svg.  Returns 0, or the exit code of the message it has printed. */
int results_check(const struct arguments *arguments);

/* Whether --svg or --html goes to standard output, which then has no room for a table. */
bool results_take_output(const struct arguments *arguments);

#endif
