/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap help */

#include <stdio.h>

#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/exits.h"
#include "cli/help.h"
#include "cli/manual.h"
#include "cli/messages.h"

static const struct option_row options[] = {
    {.name = "man",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(manual),
     .argument = "PART",
     .help = "print a generated part of the manual page in roff, such as commands or a topic; "
             "the build assembles neap(1) from them"},
    {.name = "completion",
     .kind = OPTION_SHELL,
     .field = OPTION_FIELD(completion),
     .argument = "SHELL",
     .help = "print the completion script for SHELL: bash or zsh"},
};

static const struct example examples[] = {
    {"neap help plan", "Show what 'neap plan' does and which options it accepts."},
    {"neap help plan --help-all", "Also show the options for research."},
    {"neap help engines", "List the engines."},
};

static int refuse_name(const char *name) {
  struct suggestion suggestion = suggestion_for(name);
  const struct topic *topic;
  commands_offer(&suggestion);
  for (size_t i = 0; (topic = topic_at(i)) != NULL; i++)
    suggestion_offer(&suggestion, topic->name);
  if (suggestion.nearest)
    return message_usage("unknown command or topic '%s'; did you mean '%s'?", name,
                         suggestion.nearest);
  return message_usage("unknown command or topic '%s'; 'neap help' lists them", name);
}

static int print_operand(const char *name, bool all) {
  const struct command *command = command_named(name);
  const struct topic *topic = topic_find(name);
  if (command) help_command(stdout, command, all);
  else if (topic) help_topic(stdout, topic);
  else return refuse_name(name);
  return EXIT_DONE;
}

/* The names of all commands, and then of all topics. */
static const char *name_at(size_t index) {
  size_t count = 0;
  while (command_at(count))
    count++;
  if (index < count) return command_at(index)->name;
  const struct topic *topic = topic_at(index - count);
  return topic ? topic->name : NULL;
}

static int print_part(const char *name) {
  if (manual_print_part(stdout, name)) return EXIT_DONE;
  return message_usage("--man: the manual has no generated part '%s'", name);
}

static int run_help(const struct arguments *arguments) {
  if (arguments->manual) return print_part(arguments->manual);
  if (arguments->completion) return completion_print(arguments->completion);
  if (arguments->operand) return print_operand(arguments->operand, arguments->help_all);
  if (arguments->help_all) help_command(stdout, &command_help, true);
  else help_program(stdout);
  return EXIT_DONE;
}

const struct command command_help = {
    .name = "help",
    .summary = "show help on a command or a topic",
    .operand = "COMMAND or TOPIC",
    .operand_optional = true,
    .operand_at = name_at,
    .shows_help = true,
    .usage = "[COMMAND | TOPIC] [OPTION...]",
    .description =
        "Shows what COMMAND does and which options it accepts, or explains TOPIC, such "
        "as engines, orders or formats. Without an argument, lists the commands and "
        "the topics.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_help,
};
