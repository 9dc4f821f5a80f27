/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help for people at a terminal, within 80 columns. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli/commands.h"

void help_program(FILE *stream);
void help_command(FILE *stream, const struct command *command, bool all);

#endif
