/* SPDX-License-Identifier: GPL-3.0-or-later */
/* zsh completes by _arguments, which takes one specification for each option. */
#include <stdio.h>
#include <string.h>

#include "cli/choices.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/outputs.h"

/* ---------------------------------------------------------------- quoting */

/* Text within single quotes, in which the characters of `special` get a backslash. */
static void print_escaped(FILE *stream, const char *text, const char *special) {
  for (; *text; text++) {
    if (*text == '\'') fputs("'\\''", stream);
    else {
      if (strchr(special, *text)) fputc('\\', stream);
      fputc(*text, stream);
    }
  }
}

/* ---------------------------------------------------------------- values */

/* "auto", or with its explanation as _arguments wants it: auto\:"an explanation". */
static void print_choice(FILE *stream, const struct topic_entry *choice) {
  fputs(choice->term, stream);
  if (!choice->text) return;
  fputs("\\:\"", stream);
  print_escaped(stream, choice->text, "\\\"$`:");
  fputc('"', stream);
}

static void print_choices(FILE *stream, const struct option_view *view) {
  struct topic_entry choice;
  bool is_list = choices_are_list(view);
  choice_at(view, 0, &choice);
  fputs(is_list ? "_values -s , value" : choice.text ? "((" : "(", stream);
  for (size_t i = 0; choice_at(view, i, &choice); i++) {
    if (i > 0 || is_list) fputc(' ', stream);
    if (is_list) fputs(choice.term, stream);
    else print_choice(stream, &choice);
  }
  if (!is_list) fputs(choice.text ? "))" : ")", stream);
}

/* _files, with the extensions of a kind of files, and another one unless that is NULL. */
static void print_files(FILE *stream, enum option_kind kind, const char *also) {
  const char *ending;
  fputs("_files -g \"*.(#i)(", stream);
  for (size_t i = 0; (ending = outputs_ending_at(kind, i)) != NULL; i++)
    fprintf(stream, "%s%s", i > 0 ? "|" : "", ending + 1);
  if (also) fprintf(stream, "|%s", also + 1);
  fputs(")\"", stream);
}

static void print_value(FILE *stream, const struct option_view *view) {
  struct topic_entry choice;
  fputc(':', stream);
  print_escaped(stream, view->argument, "\\:");
  fputc(':', stream);
  if (choice_at(view, 0, &choice)) print_choices(stream, view);
  else if (view->row && outputs_ending_at(view->row->kind, 0))
    print_files(stream, view->row->kind, NULL);
  else fputc(' ', stream);
}

/* ---------------------------------------------------------------- specifications */

static void print_option(FILE *stream, const struct option_view *view) {
  const char *equals = view->argument ? "=" : "";
  fputs("        ", stream);
  if (view->letter)
    fprintf(stream, "'(-%c --%s)'{-%c%s,--%s%s}'", view->letter, view->name, view->letter,
            view->argument ? "+" : "", view->name, equals);
  else {
    bool repeats = view->row && view->row->kind == OPTION_POOLS;
    fprintf(stream, "'%s--%s%s", repeats ? "*" : "", view->name, equals);
  }
  fputc('[', stream);
  print_escaped(stream, view->help, "\\[]");
  fputc(']', stream);
  if (view->argument) print_value(stream, view);
  fputs("' \\\n", stream);
}

static void print_operand(FILE *stream, const struct command *command) {
  const char *word;
  fprintf(stream, "        '%s:", command->takes_many ? "*" : "1");
  print_escaped(stream, command->operand, "\\:");
  fputc(':', stream);
  if (command->operand_at) {
    fputc('(', stream);
    for (size_t i = 0; (word = command->operand_at(i)) != NULL; i++)
      fprintf(stream, "%s%s", i > 0 ? " " : "", word);
    fputc(')', stream);
  } else {
    print_files(stream, OPTION_INPUT_FILE, command->ending);
  }
  fputs("' && ret=0\n", stream);
}

static void print_command(FILE *stream, const struct command *command) {
  struct option_list options;
  options_list(command, &options);
  fprintf(stream, "    %s)\n      _arguments -s -S \\\n", command->name);
  for (size_t o = 0; o < options.count; o++)
    if (!options.views[o].planning.is_advanced) print_option(stream, &options.views[o]);
  print_operand(stream, command);
  fputs("      ;;\n", stream);
}

static void print_commands(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    fprintf(stream, "    '%s:", command->name);
    print_escaped(stream, command->summary, "\\:");
    fputs("'\n", stream);
  }
}

static void print_arguments(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    print_command(stream, command);
}

const struct completion_part completion_zsh_parts[] = {
    {.name = "commands", .print = print_commands},
    {.name = "arguments", .print = print_arguments},
    {.name = NULL},
};
