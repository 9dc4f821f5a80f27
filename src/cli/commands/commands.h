/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands.  Each is described in a file of its name. */
#ifndef CLI_COMMANDS_COMMANDS_H
#define CLI_COMMANDS_COMMANDS_H

#include "cli/options/arguments.h"
#include "cli/options/options.h"
#include "cli/output/words.h"

struct example {
  const char *line; /* a command line that works in examples/ */
  const char *what; /* what it does */
};

/* What a command's operand is. */
enum command_input {
  INPUT_NONE,  /* a word, or files that other processes read */
  INPUT_PLAIN, /* a file to read */
  INPUT_TABLE, /* one that may be a table, so that the options for tables apply */
  INPUT_GRAPH  /* one that may also be a graph, so that all input options apply */
};

struct command {
  const char *name;
  const char *summary; /* one line, without a full stop */
  const char *operand; /* what it works on, such as "INPUT" */
  bool operand_optional, takes_many;
  enum command_input input; /* standard input takes the place of a file if it is piped */
  const char *(*operand_at)(size_t index); /* the words to choose from; NULL for files */
  const char *usage;       /* what follows its name on the command line */
  const char *description; /* paragraphs, separated by empty lines */
  const struct option_row *options;
  size_t option_count;
  const char *const *brief; /* the options that -h shows, up to a NULL */
  bool shows_help;    /* --help-all is about its operand */
  bool plans;         /* accepts the planning options */
  const char *engine; /* the default of --engine if it differs from the library's, or NULL */
  const struct example *examples;
  size_t example_count;
  int (*run)(const struct arguments *arguments); /* returns the exit code */
};

extern const struct command command_plan, command_check, command_draw, command_info,
    command_explain, command_convert, command_split, command_fit, command_compare,
    command_sweep, command_gen, command_bench, command_help;

/* The commands in the order in which help lists them; NULL past the last. */
const struct command *command_at(size_t index);

/* The command of that name; NULL if there is none. */
const struct command *command_named(const char *name);

/* Offers the names of all commands to a suggestion. */
void commands_offer(struct suggestion *suggestion);

/* The command of that name; NULL after a message that suggests the closest one. */
const struct command *command_find(const char *name);

/* ---------------------------------------------------------------- fit shared */

/* neap fit, for several models that share an arena. */

/* Returns the exit code. */
int fit_shared_run(const struct arguments *arguments);

#endif
