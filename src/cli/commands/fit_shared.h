/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap fit, for several models that share an arena. */
#ifndef CLI_COMMANDS_FIT_SHARED_H
#define CLI_COMMANDS_FIT_SHARED_H

#include "cli/options/arguments.h"

/* Returns the exit code. */
int fit_shared_run(const struct arguments *arguments);

#endif
