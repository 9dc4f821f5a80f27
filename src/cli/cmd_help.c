/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap help */
#include <stddef.h>

#include "cli/commands.h"
#include "cli/exits.h"
#include "cli/help.h"
#include "cli/manual.h"

static const struct option_row options[] = {
    {"man", '\0', OPTION_FLAG, offsetof(struct arguments, manual), NULL, 0, false,
     "print the manual, neap(1), in the language of man pages"},
};

static const struct example examples[] = {
    {"neap help plan", "What does 'neap plan' take?"},
    {"neap help --man", "The manual that is installed."},
};

static int run(const struct arguments *arguments) {
  if (arguments->manual) {
    manual_print(stdout);
    return EXIT_DONE;
  }
  if (!arguments->operand) {
    help_program(stdout);
    return EXIT_DONE;
  }
  const struct command *command = command_find(arguments->operand);
  if (!command) return EXIT_USAGE;
  help_command(stdout, command, arguments->help_all);
  return EXIT_DONE;
}

const struct command command_help = {
    .name = "help",
    .summary = "say what a command does and takes",
    .operand = "COMMAND",
    .operand_optional = true,
    .usage = "[COMMAND] [OPTION...]",
    .description = "Says what COMMAND does and takes, or which commands there are.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run,
};
