/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands.  Each is described in a file of its name. */
#ifndef CLI_COMMANDS_COMMANDS_H
#define CLI_COMMANDS_COMMANDS_H

#include "cli/options/options.h"
#include "cli/output/suggest.h"

extern const struct command command_plan, command_check, command_draw, command_info,
    command_explain, command_convert, command_split, command_fit, command_compare,
    command_sweep, command_gen, command_bench, command_help;

/* The commands in the order in which help lists them; NULL past the last. */
const struct command *command_at(size_t index);

/* The command of that name; NULL if there is none. */
const struct command *command_named(const char *name);

/* Offers the names of all commands to a suggestion. */
void commands_offer(struct suggestion *suggestion);

/* Rewords a message of the library with the options of all commands (options_for_members). */
void commands_reword(char *text);

/* The command of that name; NULL after a message that suggests the closest one. */
const struct command *command_find(const char *name);

/* ---------------------------------------------------------------- fit shared */

/* neap fit, for several models that share an arena. */

/* Returns the exit code. */
int fit_shared_run(const struct arguments *arguments);

#endif
