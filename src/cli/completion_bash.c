/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bash completes by calling a function that fills COMPREPLY.  The functions in completion.bash need
 * nothing but bash 4: the package bash-completion only has to load them.
 */
#include <stdio.h>
#include <string.h>

#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/outputs.h"

/* The words are names of commands, options, choices and extensions: none needs quoting. */

/* ---------------------------------------------------------------- commands and options */

static void print_commands(FILE *stream) {
  const struct command *command;
  fputs("  echo '", stream);
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    fprintf(stream, "%s ", command->name);
  fputs("--help --version'\n", stream);
}

static void print_options(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    struct option_list options;
    options_list(command, &options);
    fprintf(stream, "    %s) echo '", command->name);
    for (size_t o = 0; o < options.count; o++)
      if (!options.views[o].planning.is_advanced)
        fprintf(stream, "%s--%s", o > 0 ? " " : "", options.views[o].name);
    fputs("' ;;\n", stream);
  }
}

/* ---------------------------------------------------------------- values */

static void print_choices(FILE *stream, const struct option_view *view) {
  struct topic_entry choice;
  fprintf(stream, "_neap_%s \"$3\" '", choices_are_list(view) ? "list" : "words");
  for (size_t i = 0; choice_at(view, i, &choice); i++)
    fprintf(stream, "%s%s", i > 0 ? " " : "", choice.term);
  fputc('\'', stream);
}

static void print_files(FILE *stream, enum option_kind kind, int argument) {
  const char *ending;
  fprintf(stream, "_neap_files \"$%d\"", argument);
  for (size_t i = 0; (ending = outputs_ending_at(kind, i)) != NULL; i++)
    fprintf(stream, " %s", ending);
}

/* A branch of _neap_value; what can have any value, such as a number, completes nothing. */
static void print_value(FILE *stream, const struct command *command,
                        const struct option_view *view) {
  struct topic_entry choice;
  const char *name = command->name;
  fprintf(stream, "    '%s --%s'", name, view->name);
  if (view->letter) fprintf(stream, " | '%s -%c'", name, view->letter);
  fputs(") ", stream);
  if (choice_at(view, 0, &choice)) print_choices(stream, view);
  else if (view->row && outputs_ending_at(view->row->kind, 0))
    print_files(stream, view->row->kind, 3);
  fputs(" ;;\n", stream);
}

static void print_values(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    struct option_list options;
    options_list(command, &options);
    for (size_t o = 0; o < options.count; o++)
      if (options.views[o].argument) print_value(stream, command, &options.views[o]);
  }
}

/* ---------------------------------------------------------------- operands */

static void print_operand(FILE *stream, const struct command *command) {
  const char *word;
  fprintf(stream, "    %s) ", command->name);
  if (command->operand_at) {
    fputs("_neap_words \"$2\" '", stream);
    for (size_t i = 0; (word = command->operand_at(i)) != NULL; i++)
      fprintf(stream, "%s%s", i > 0 ? " " : "", word);
    fputc('\'', stream);
  } else {
    print_files(stream, OPTION_INPUT_FILE, 2);
    if (command->ending) fprintf(stream, " %s", command->ending);
  }
  fputs(" ;;\n", stream);
}

static void print_operands(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    print_operand(stream, command);
}

const struct completion_part completion_bash_parts[] = {
    {.name = "commands", .print = print_commands},
    {.name = "options", .print = print_options},
    {.name = "values", .print = print_values},
    {.name = "operands", .print = print_operands},
    {.name = NULL},
};
