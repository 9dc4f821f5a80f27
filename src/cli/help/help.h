/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help at the terminal, within 80 columns. */
#ifndef CLI_HELP_HELP_H
#define CLI_HELP_HELP_H

#include <stdio.h>

#include "cli/commands/commands.h"
#include "cli/help/topics.h"

/* Lists the commands and the topics. */
void help_program(FILE *stream);

/* With `all`, options for research are shown as well. */
void help_command(FILE *stream, const struct command *command, bool all);

void help_topic(FILE *stream, const struct topic *topic);

#endif
