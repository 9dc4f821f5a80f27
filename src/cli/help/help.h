/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help at the terminal, within 80 columns. */
#ifndef CLI_HELP_HELP_H
#define CLI_HELP_HELP_H

#include <stdio.h>

#include "cli/commands/commands.h"
#include "cli/help/topics.h"

/* -h: the options that most users need, and three examples, on one screen. */
void help_brief(FILE *stream, const struct command *command);
void help_program_brief(FILE *stream);

/* --help: all options under headings; with `all`, also those for research. */
void help_command(FILE *stream, const struct command *command, bool all);

/* The options of a command in the order of their headings, none of which is NULL. */
void help_options(const struct command *command, struct option_list *options);

/*
 * Whether an option comes under another heading than those before it; sets *heading, NULL at
 * first.
 */
bool help_begins_heading(const char **heading, const struct option_view *view);

/* Lists the commands and the topics. */
void help_program(FILE *stream);

void help_topic(FILE *stream, const struct topic *topic);

#endif
