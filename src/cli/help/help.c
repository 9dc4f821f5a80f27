/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/help/help.h"
#include "cli/options/remarks.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------- lines that fit a terminal */

#define LAST_COLUMN 79

/* Prints `count` spaces. */
static void wrap_pad(FILE *stream, int count) {
  fprintf(stream, "%*s", count > 0 ? count : 0, "");
}

/*
 * Prints text (ASCII), starting in `column`, and ends the line.  Lines are broken
 * between words before column 80 and begin in column `indent`; an empty line in the text
 * separates paragraphs.
 */
static void wrap(FILE *stream, const char *text, int column, int indent) {
  for (bool first = true;; first = false) {
    int length = (int)strcspn(text, " \n");
    bool paragraph = text[length] == '\n';
    if (!first && column + 1 + length > LAST_COLUMN) {
      fputc('\n', stream);
      wrap_pad(stream, indent);
      column = indent;
    } else if (!first && column > indent) {
      fputc(' ', stream);
      column++;
    }
    fprintf(stream, "%.*s", length, text);
    column += length;
    text += length;
    if (!*text) break;
    text += strspn(text, " \n");
    if (!paragraph) continue;
    fputs("\n\n", stream);
    wrap_pad(stream, indent);
    column = indent;
  }
  fputc('\n', stream);
}

/* ---------------------------------------------------------------- help */

/* Where the texts about commands, options and terms of topics begin. */
#define COMMAND_COLUMN 15
#define OPTION_COLUMN 26
#define TERM_COLUMN_MAX 26

/* Prints text from `column` on, beside the `used` columns already printed, or below them. */
static void print_beside(FILE *stream, const char *text, int used, int column) {
  if (used + 2 > column) {
    fputc('\n', stream);
    used = 0;
  }
  wrap_pad(stream, column - used);
  wrap(stream, text, column, column);
}

#define TEXT_SIZE 1024

/* The help on an option, with its values and where to read more about them in brackets. */
static void describe_option(char text[TEXT_SIZE], const struct option_view *view) {
  char values[OPTION_REMARK_SIZE], words[OPTION_HELP_SIZE];
  const char *help = option_help(view, words);
  bool is_planning = !view->row || view->row->kind == OPTION_LIST;
  const struct topic *topic = is_planning ? topic_of_option(view->name) : NULL;
  option_remark(view, values);
  if (topic)
    snprintf(text, TEXT_SIZE, "%s (%s%ssee 'neap help %s')", help, values, *values ? "; " : "",
             topic->name);
  else if (*values) snprintf(text, TEXT_SIZE, "%s (%s)", help, values);
  else snprintf(text, TEXT_SIZE, "%s", help);
}

/* Prints an option, with its letter and its placeholder, and `text` beside it. */
static void print_option(FILE *stream, const struct option_view *view, const char *text) {
  int used = view->letter ? fprintf(stream, "  -%c, --%s", view->letter, view->name)
                          : fprintf(stream, "      --%s", view->name);
  if (view->argument) used += fprintf(stream, " %s", view->argument);
  print_beside(stream, text, used, OPTION_COLUMN);
}

/* The headings of options, in this order; the command's own options come first. */
#define OWN_HEADING "Options"
static const char *const headings[] = {
    OWN_HEADING, "Output", "Pictures", "Input", "Constraints", "Pools",  "Graph",
    "Target",    "Limits", "Engine",   "Tuner", "Research",    "General"};

void help_options(const struct command *command, struct option_list *options) {
  struct option_list given;
  options_list(command, &given);
  options->count = 0;
  for (size_t h = 0; h < sizeof headings / sizeof *headings; h++)
    for (size_t i = 0; i < given.count; i++) {
      const char *heading = given.views[i].heading ? given.views[i].heading : OWN_HEADING;
      if (strcmp(heading, headings[h]) != 0) continue;
      options->views[options->count] = given.views[i];
      options->views[options->count++].heading = headings[h];
    }
  assert(options->count == given.count);
}

bool help_begins_heading(const char **heading, const struct option_view *view) {
  bool begins = !*heading || strcmp(*heading, view->heading) != 0;
  *heading = view->heading;
  return begins;
}

static void print_options(FILE *stream, const struct command *command, bool all) {
  struct option_list options;
  const char *heading = NULL;
  help_options(command, &options);
  for (size_t i = 0; i < options.count; i++) {
    char text[TEXT_SIZE];
    const struct option_view *view = &options.views[i];
    if (view->is_advanced && !all) continue;
    if (help_begins_heading(&heading, view)) fprintf(stream, "\n%s:\n", heading);
    describe_option(text, view);
    print_option(stream, view, text);
  }
}

static void print_example(FILE *stream, const struct example *example) {
  fprintf(stream, "  %s\n      ", example->line);
  wrap(stream, example->what, 6, 6);
}

void help_command(FILE *stream, const struct command *command, bool all) {
  int used = fprintf(stream, "Usage: neap %s ", command->name);
  wrap(stream, command->usage, used, used);
  fputc('\n', stream);
  wrap(stream, command->description, 0, 0);
  print_options(stream, command, all);
  fputs("\nExamples:\n", stream);
  for (size_t i = 0; i < command->example_count; i++)
    print_example(stream, &command->examples[i]);
}

/* ---------------------------------------------------------------- help on one screen */

#define EXAMPLES_SHOWN 3

/* Prints the options that most users of a command need, each with the first clause of its help. */
static void print_brief_options(FILE *stream, const struct command *command) {
  struct option_list options;
  options_list(command, &options);
  for (const char *const *name = command->brief; *name; name++) {
    char text[TEXT_SIZE], words[OPTION_HELP_SIZE];
    size_t i = 0;
    while (i < options.count && strcmp(options.views[i].name, *name) != 0)
      i++;
    assert(i < options.count);
    const struct option_view *view = &options.views[i];
    const char *help = option_help(view, words);
    snprintf(text, sizeof text, "%.*s", (int)strcspn(help, ";"), help);
    print_option(stream, view, text);
  }
}

void help_brief(FILE *stream, const struct command *command) {
  int used = fprintf(stream, "Usage: neap %s ", command->name);
  wrap(stream, command->usage, used, used);
  fprintf(stream, "\n%c%s.\n", toupper((unsigned char)command->summary[0]),
          command->summary + 1);
  fputs("\nOptions that most users need:\n", stream);
  print_brief_options(stream, command);
  fputs("\nExamples:\n", stream);
  for (size_t i = 0; i < command->example_count && i < EXAMPLES_SHOWN; i++)
    print_example(stream, &command->examples[i]);
  fprintf(stream, "\n'neap %s --help' shows all options; 'man neap' is the manual.\n",
          command->name);
}

/* ---------------------------------------------------------------- topics and the program */

/* Prints a file, indented, below its name. */
static void print_file(FILE *stream, const neap_format_example *example) {
  fprintf(stream, "\n%s:\n", example->name);
  for (const char *line = example->text; *line; line = strchr(line, '\n') + 1)
    fprintf(stream, "    %.*s\n", (int)strcspn(line, "\n"), line);
}

void help_topic(FILE *stream, const struct topic *topic) {
  struct topic_entry entry;
  int column = 0;
  for (size_t i = 0; topic->entry(i, &entry); i++) {
    int needed = (int)strlen(entry.term) + 4;
    if (needed > column) column = needed;
  }
  if (column > TERM_COLUMN_MAX) column = TERM_COLUMN_MAX;
  if (topic->intro) wrap(stream, topic->intro, 0, 0);
  for (size_t i = 0; topic->entry(i, &entry); i++) {
    char text[TEXT_SIZE];
    if (entry.heading) fprintf(stream, "\n%s:\n", entry.heading);
    else if (i == 0 && topic->intro) fputc('\n', stream);
    if (entry.remark) snprintf(text, sizeof text, "%s (%s)", entry.text, entry.remark);
    else snprintf(text, sizeof text, "%s", entry.text);
    print_beside(stream, text, fprintf(stream, "  %s", entry.term), column);
  }
  for (size_t i = 0; topic->entry(i, &entry); i++)
    for (const neap_format_example *e = entry.examples; e && e->name; e++)
      print_file(stream, e);
  if (!topic->outro) return;
  fputc('\n', stream);
  wrap(stream, topic->outro, 0, 0);
}

static void print_commands(FILE *stream, bool apart) {
  const struct command *command;
  for (int part = 0; part <= apart; part++) {
    fputs(part == 0 ? "\nCommands:\n" : "\nModels:\n", stream);
    for (size_t i = 0; (command = command_at(i)) != NULL; i++)
      if (!apart || command->rewrites_models == part)
        print_beside(stream, command->summary, fprintf(stream, "  %s", command->name),
                     COMMAND_COLUMN);
  }
}

void help_program_brief(FILE *stream) {
  fputs("Usage: neap COMMAND [ARGUMENT...]\n", stream);
  print_commands(stream, false);
  fputs("\nOptions of 'neap plan' that most users need:\n", stream);
  print_brief_options(stream, &command_plan);
  fputs("\nExamples:\n", stream);
  print_example(stream, &command_plan.examples[0]);
  print_example(stream, &command_info.examples[0]);
  print_example(stream, &command_explain.examples[0]);
  fputs("\n'neap COMMAND -h' and 'neap --help' show more; 'man neap' is the manual.\n", stream);
}

void help_program(FILE *stream) {
  fputs("Usage: neap COMMAND [ARGUMENT...]\n\n", stream);
  wrap(
      stream,
      "neap plans memory offline. It gives each of a set of buffers, whose sizes and lifetimes "
      "are known, an offset in one arena. No two buffers that are alive at the same time share "
      "a byte, and the arena's peak is as low as possible.",
      0, 0);
  print_commands(stream, true);
  fputs("\nOptions:\n"
        "  -h             show the options that most users need, and examples, and exit\n"
        "      --help     show this help and exit\n"
        "  -V, --version  print the version and exit\n"
        "\nHelp topics:\n",
        stream);
  const struct topic *topic;
  for (size_t i = 0; (topic = topic_at(i)) != NULL; i++)
    print_beside(stream, topic->summary, fprintf(stream, "  %s", topic->name), COMMAND_COLUMN);
  fputs("\n'neap help COMMAND' and 'neap help TOPIC' show more. The manual has three\n"
        "pages: neap(1), neap-formats(5) and neap-planning(7).\n",
        stream);
}
