/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands/commands.h"

#include <string.h>

#include "cli/output/messages.h"

static const struct command *const commands[] = {
    &command_plan,    &command_check, &command_draw, &command_info,    &command_explain,
    &command_convert, &command_split, &command_fit,  &command_compare, &command_sweep,
    &command_gen,     &command_bench, &command_help,
};

const struct command *command_at(size_t index) {
  return index < sizeof commands / sizeof *commands ? commands[index] : NULL;
}

const struct command *command_named(const char *name) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    if (strcmp(command->name, name) == 0) return command;
  return NULL;
}

void commands_reword(char *text) { options_for_members(text, command_at); }

void commands_offer(struct suggestion *suggestion) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    suggestion_offer(suggestion, command->name);
}

const struct command *command_find(const char *name) {
  const struct command *command = command_named(name);
  if (command) return command;
  struct suggestion suggestion = suggestion_for(name);
  commands_offer(&suggestion);
  if (suggestion.nearest)
    message_usage("unknown command '%s'; did you mean '%s'?", name, suggestion.nearest);
  else message_usage("unknown command '%s'; 'neap --help' lists the commands", name);
  return NULL;
}
