/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a command line. */
#ifndef CLI_OPTIONS_PARSER_H
#define CLI_OPTIONS_PARSER_H

#include "cli/options/options.h"

/*
 * Reads the command line of a command, whose name is argv[0].  Returns 0, or the exit code of the
 * message it has printed.  The caller calls arguments_clear in both cases.
 */
int arguments_parse(struct arguments *arguments, const struct command *command, int argc,
                    char **argv);
/* Whether to show help on the command instead of running it. */
bool arguments_ask_help(const struct arguments *arguments, const struct command *command);

/*
 * A command line for a shell: " INPUT OPTION..." with the options that were given and that also
 * change what `other` finds out.  Release it with free(); NULL when memory was short.
 */
char *arguments_for(const struct arguments *arguments, const struct command *other);

#endif
