/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bash completes by calling a function that fills COMPREPLY.  The functions in completion.bash
 * need nothing but bash 4: the package bash-completion only has to load them.  zsh completes by
 * _arguments, which takes one specification for each option.
 */
#include "cli/help/completion.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/options/choices.h"
#include "cli/options/outputs.h"

/* A line @name@ of a template, and what to print instead. */
struct part {
  const char *name;
  void (*print)(FILE *stream);
};

/* The words are names of commands, options, choices and extensions: none needs quoting. */

/* ---------------------------------------------------------------- bash: commands and options */

static void bash_print_commands(FILE *stream) {
  const struct command *command;
  fputs("  echo '", stream);
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    fprintf(stream, "%s ", command->name);
  fputs("--help --version'\n", stream);
}

static void bash_print_options(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    struct option_list options;
    options_list(command, &options);
    fprintf(stream, "    %s) echo '", command->name);
    for (size_t o = 0; o < options.count; o++)
      if (!options.views[o].is_advanced)
        fprintf(stream, "%s--%s", o > 0 ? " " : "", options.views[o].name);
    fputs("' ;;\n", stream);
  }
}

/* ---------------------------------------------------------------- bash: values */

static void bash_print_choices(FILE *stream, const struct option_view *view) {
  struct topic_entry choice;
  fprintf(stream, "_neap_%s \"$3\" '", choices_are_list(view) ? "list" : "words");
  for (size_t i = 0; choice_at(view, i, &choice); i++)
    fprintf(stream, "%s%s", i > 0 ? " " : "", choice.term);
  fputc('\'', stream);
}

static void bash_print_files(FILE *stream, enum option_kind kind, int argument) {
  const char *ending;
  fprintf(stream, "_neap_files \"$%d\"", argument);
  for (size_t i = 0; (ending = outputs_ending_at(kind, i)) != NULL; i++)
    fprintf(stream, " %s", ending);
}

/* A branch of _neap_value; an option that takes any value, such as a number, gets none. */
static void bash_print_value(FILE *stream, const struct command *command,
                             const struct option_view *view) {
  struct topic_entry choice;
  const char *name = command->name;
  fprintf(stream, "    '%s --%s'", name, view->name);
  if (view->letter) fprintf(stream, " | '%s -%c'", name, view->letter);
  fputs(") ", stream);
  if (choice_at(view, 0, &choice)) bash_print_choices(stream, view);
  else if (view->row && outputs_ending_at(view->row->kind, 0))
    bash_print_files(stream, view->row->kind, 3);
  fputs(" ;;\n", stream);
}

static void bash_print_values(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    struct option_list options;
    options_list(command, &options);
    for (size_t o = 0; o < options.count; o++)
      if (options.views[o].argument) bash_print_value(stream, command, &options.views[o]);
  }
}

/* ---------------------------------------------------------------- bash: operands */

static void bash_print_operand(FILE *stream, const struct command *command) {
  const char *word;
  fprintf(stream, "    %s) ", command->name);
  if (command->operand_at) {
    fputs("_neap_words \"$2\" '", stream);
    for (size_t i = 0; (word = command->operand_at(i)) != NULL; i++)
      fprintf(stream, "%s%s", i > 0 ? " " : "", word);
    fputc('\'', stream);
  } else {
    bash_print_files(stream, OPTION_INPUT_FILE, 2);
  }
  fputs(" ;;\n", stream);
}

static void bash_print_operands(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    bash_print_operand(stream, command);
}

static const struct part bash_parts[] = {
    {.name = "commands", .print = bash_print_commands},
    {.name = "options", .print = bash_print_options},
    {.name = "values", .print = bash_print_values},
    {.name = "operands", .print = bash_print_operands},
    {.name = NULL},
};

/* ---------------------------------------------------------------- zsh: quoting */

/* Text within single quotes, in which the characters of `special` get a backslash. */
static void zsh_print_escaped(FILE *stream, const char *text, const char *special) {
  for (; *text; text++) {
    if (*text == '\'') fputs("'\\''", stream);
    else {
      if (strchr(special, *text)) fputc('\\', stream);
      fputc(*text, stream);
    }
  }
}

/* ---------------------------------------------------------------- zsh: values */

/* "auto", or with its explanation as _arguments wants it: auto\:"an explanation". */
static void zsh_print_choice(FILE *stream, const struct topic_entry *choice) {
  fputs(choice->term, stream);
  if (!choice->text) return;
  fputs("\\:\"", stream);
  zsh_print_escaped(stream, choice->text, "\\\"$`:");
  fputc('"', stream);
}

static void zsh_print_choices(FILE *stream, const struct option_view *view) {
  struct topic_entry choice;
  bool is_list = choices_are_list(view);
  choice_at(view, 0, &choice);
  fputs(is_list ? "_values -s , value" : choice.text ? "((" : "(", stream);
  for (size_t i = 0; choice_at(view, i, &choice); i++) {
    if (i > 0 || is_list) fputc(' ', stream);
    if (is_list) fputs(choice.term, stream);
    else zsh_print_choice(stream, &choice);
  }
  if (!is_list) fputs(choice.text ? "))" : ")", stream);
}

/* _files, with the extensions of a kind of files, and another one unless that is NULL. */
static void zsh_print_files(FILE *stream, enum option_kind kind) {
  const char *ending;
  fputs("_files -g \"*.(#i)(", stream);
  for (size_t i = 0; (ending = outputs_ending_at(kind, i)) != NULL; i++)
    fprintf(stream, "%s%s", i > 0 ? "|" : "", ending + 1);
  fputs(")\"", stream);
}

static void zsh_print_value(FILE *stream, const struct option_view *view) {
  struct topic_entry choice;
  fputc(':', stream);
  zsh_print_escaped(stream, view->argument, "\\:");
  fputc(':', stream);
  if (choice_at(view, 0, &choice)) zsh_print_choices(stream, view);
  else if (view->row && outputs_ending_at(view->row->kind, 0))
    zsh_print_files(stream, view->row->kind);
  else fputc(' ', stream);
}

/* ---------------------------------------------------------------- zsh: specifications */

static void zsh_print_option(FILE *stream, const struct option_view *view) {
  const char *equals = view->argument ? "=" : "";
  char help[OPTION_HELP_SIZE];
  fputs("        ", stream);
  if (view->letter)
    fprintf(stream, "'(-%c --%s)'{-%c%s,--%s%s}'", view->letter, view->name, view->letter,
            view->argument ? "+" : "", view->name, equals);
  else {
    bool repeats = view->row && view->row->kind == OPTION_POOLS;
    fprintf(stream, "'%s--%s%s", repeats ? "*" : "", view->name, equals);
  }
  fputc('[', stream);
  zsh_print_escaped(stream, option_help(view, help), "\\[]");
  fputc(']', stream);
  if (view->argument) zsh_print_value(stream, view);
  fputs("' \\\n", stream);
}

static void zsh_print_operand(FILE *stream, const struct command *command) {
  const char *word;
  fprintf(stream, "        '%s:", command->takes_many ? "*" : "1");
  zsh_print_escaped(stream, command->operand, "\\:");
  fputc(':', stream);
  if (command->operand_at) {
    fputc('(', stream);
    for (size_t i = 0; (word = command->operand_at(i)) != NULL; i++)
      fprintf(stream, "%s%s", i > 0 ? " " : "", word);
    fputc(')', stream);
  } else {
    zsh_print_files(stream, OPTION_INPUT_FILE);
  }
  fputs("' && ret=0\n", stream);
}

static void zsh_print_command(FILE *stream, const struct command *command) {
  struct option_list options;
  options_list(command, &options);
  fprintf(stream, "    %s)\n      _arguments -s -S \\\n", command->name);
  for (size_t o = 0; o < options.count; o++)
    if (!options.views[o].is_advanced) zsh_print_option(stream, &options.views[o]);
  zsh_print_operand(stream, command);
  fputs("      ;;\n", stream);
}

static void zsh_print_commands(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    fprintf(stream, "    '%s:", command->name);
    zsh_print_escaped(stream, command->summary, "\\:");
    fputs("'\n", stream);
  }
}

static void zsh_print_arguments(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    zsh_print_command(stream, command);
}

static const struct part zsh_parts[] = {
    {.name = "commands", .print = zsh_print_commands},
    {.name = "arguments", .print = zsh_print_arguments},
    {.name = NULL},
};

/* ---------------------------------------------------------------- scripts */

static const struct shell {
  const char *name, *template;
  const struct part *parts;
} shells[] = {
    {.name = "bash", .template = completion_bash_template, .parts = bash_parts},
    {.name = "zsh", .template = completion_zsh_template, .parts = zsh_parts},
};
#define SHELLS (sizeof shells / sizeof *shells)

const char *completion_shell_at(size_t index) {
  return index < SHELLS ? shells[index].name : NULL;
}

/* The part whose line begins the text, or NULL. */
static const struct part *find_part(const struct part *parts, const char *text) {
  for (; parts->name; parts++) {
    size_t length = strlen(parts->name);
    if (strncmp(text + 1, parts->name, length) == 0 && text[1 + length] == '@') return parts;
  }
  return NULL;
}

static void print_script(FILE *stream, const struct shell *shell) {
  const char *end;
  for (const char *line = shell->template; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    const struct part *part = *line == '@' ? find_part(shell->parts, line) : NULL;
    assert(part || *line != '@');
    if (part) part->print(stream);
    else fwrite(line, 1, (size_t)(end + 1 - line), stream);
  }
}

void completion_print(const char *shell) {
  for (size_t i = 0; i < SHELLS; i++)
    if (strcmp(shells[i].name, shell) == 0) print_script(stdout, &shells[i]);
}
