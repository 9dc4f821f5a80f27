/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands.  Each is described in its own file, cmd_NAME.c. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/arguments.h"
#include "cli/options.h"

struct example {
  const char *line; /* a command line that works in the folder of examples */
  const char *what; /* what it does */
};

struct command {
  const char *name;
  const char *summary; /* one line, without a full stop */
  const char *operand; /* what it works on, such as "INPUT" */
  bool operand_optional, takes_many;
  const char *usage;       /* what follows its name on the command line */
  const char *description; /* paragraphs, parted by empty lines */
  const struct option_row *options;
  size_t option_count;
  bool plans;         /* takes the options of planning */
  const char *engine; /* the default of --engine, where it is not the library's; or NULL */
  const struct example *examples;
  size_t example_count;
  int (*run)(const struct arguments *arguments); /* returns the exit code */
};

extern const struct command command_plan, command_check, command_draw, command_info,
    command_convert, command_compare, command_sweep, command_gen, command_bench, command_help;

/* The commands in the order in which help lists them; NULL past the last. */
const struct command *command_at(size_t index);

/* NULL after a message that names the nearest one. */
const struct command *command_find(const char *name);

#endif
