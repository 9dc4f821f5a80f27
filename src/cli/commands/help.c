/* SPDX-License-Identifier: GPL-3.0-or-later */
/* neap help */

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/help/completion.h"
#include "cli/help/help.h"
#include "cli/help/topics.h"
#include "cli/options/remarks.h"
#include "cli/output/messages.h"

/* ---------------------------------------------------------------- parts of the manual */

/*
 * The parts of the manual that are generated from the tables of commands, options, topics and
 * formats, in roff.  doc/manual.sh puts them into its pages.
 */

/* ---------------------------------------------------------------- roff */

/* How to write a character that roff would interpret or typeset differently; NULL for others. */
static const char *escape_of(char character) {
  switch (character) {
  case '\\':
    return "\\[rs]";
  case '-':
    return "\\-";
  case '\'':
    return "\\(aq";
  case '`':
    return "\\(ga";
  case '^':
    return "\\(ha";
  case '~':
    return "\\(ti";
  default:
    return NULL;
  }
}

static bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

static void print_escaped(FILE *stream, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) {
    const char *escape = escape_of(text[i]);
    if (escape) fputs(escape, stream);
    else fputc(text[i], stream);
  }
}

/* The length of an option such as "--align" or "-o" at the beginning of the text; or 0. */
static size_t option_length(const char *text) {
  if (text[0] != '-') return 0;
  if (is_letter(text[1])) return is_letter(text[2]) ? 0 : 2;
  if (text[1] != '-' || !is_letter(text[2])) return 0;
  size_t length = 3;
  while (is_letter(text[length]) || (text[length] == '-' && is_letter(text[length + 1])))
    length++;
  return length;
}

/*
 * Text with options in bold.  Each sentence begins a line, because roff sets the space
 * between sentences; an empty line begins a paragraph.
 */
static void print_text(FILE *stream, const char *text) {
  for (const char *at = text; *at;) {
    bool begins_word = at == text || strchr(" ('", at[-1]);
    size_t length = begins_word ? option_length(at) : 0;
    if (length > 0) {
      fputs("\\fB", stream);
      print_escaped(stream, at, length);
      fputs("\\fR", stream);
      at += length;
    } else if (at[0] == '\n' && at[1] == '\n') {
      fputs("\n.PP\n", stream);
      at += 2;
    } else if (at[0] == ' ' && at > text + 1 && at[-1] == '.' && at[-2] != '.') {
      fputc('\n', stream);
      at++;
    } else {
      print_escaped(stream, at++, 1);
    }
  }
}

static void print_line(FILE *stream, const char *text) {
  print_text(stream, text);
  fputc('\n', stream);
}

static void print_styled(FILE *stream, char font, const char *text) {
  fprintf(stream, "\\f%c", font);
  print_escaped(stream, text, strlen(text));
  fputs("\\fR", stream);
}

/* The tag of a list's item, in bold. */
static void print_tag(FILE *stream, const char *tag) {
  fputs(".TP\n", stream);
  print_styled(stream, 'B', tag);
  fputc('\n', stream);
}

/* ---------------------------------------------------------------- options */

static void print_option(FILE *stream, const struct option_view *view) {
  char remark[OPTION_REMARK_SIZE], help[OPTION_HELP_SIZE];
  fputs(".TP\n", stream);
  if (view->letter) fprintf(stream, "\\fB\\-%c\\fR, ", view->letter);
  fputs("\\fB\\-\\-\\fR", stream);
  print_styled(stream, 'B', view->name);
  if (view->argument) {
    fputc(' ', stream);
    print_styled(stream, 'I', view->argument);
  }
  fputc('\n', stream);
  print_text(stream, option_help(view, help));
  if (*option_remark(view, remark)) {
    fputs(" (", stream);
    print_text(stream, remark);
    fputc(')', stream);
  }
  fputc('\n', stream);
}

static void print_options(FILE *stream, const struct command *command,
                          enum option_group group) {
  struct option_list options;
  const char *heading = NULL;
  help_options(command, &options);
  for (size_t i = 0; i < options.count; i++) {
    const struct option_view *view = &options.views[i];
    if (view->group != group) continue;
    if (help_begins_heading(&heading, view) && group != OPTION_COMMON)
      fprintf(stream, ".PP\n%s:\n", heading);
    print_option(stream, view);
  }
}

static void print_common_options(FILE *stream) {
  print_options(stream, &command_plan, OPTION_COMMON);
}

static void print_planning_options(FILE *stream) {
  print_options(stream, &command_plan, OPTION_PLANNING);
}

static void print_input_options(FILE *stream) {
  print_options(stream, &command_plan, OPTION_INPUT);
}

/* ---------------------------------------------------------------- commands */

static void print_synopsis(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    if (i > 0) fputs(".br\n", stream);
    fprintf(stream, "\\fBneap %s\\fR ", command->name);
    print_line(stream, command->usage);
  }
}

/* Refers to the options that the manual describes below the commands. */
static void print_shared(FILE *stream, const struct command *command) {
  bool reads = command->input == INPUT_GRAPH;
  if (!reads && !command->plans) return;
  fprintf(stream, ".PP\nAlso accepts the %s%s%s options below.\n", reads ? "input" : "",
          reads && command->plans ? " and " : "", command->plans ? "planning" : "");
}

/* A command with some of the input options only, such as check, has them listed as its own. */
static void print_own_options(FILE *stream, const struct command *command) {
  print_options(stream, command, OPTION_OWN);
  if (command->input != INPUT_GRAPH) print_options(stream, command, OPTION_INPUT);
}

static void print_commands(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    fprintf(stream, ".SS neap %s\n", command->name);
    print_line(stream, command->description);
    print_shared(stream, command);
    print_own_options(stream, command);
  }
}

static void print_examples(FILE *stream) {
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    for (size_t j = 0; j < command->example_count; j++) {
      print_tag(stream, command->examples[j].line);
      print_line(stream, command->examples[j].what);
    }
}

/* ---------------------------------------------------------------- topics */

static void print_topic(FILE *stream, const struct topic *topic) {
  struct topic_entry entry;
  if (topic->intro) print_line(stream, topic->intro);
  for (size_t i = 0; topic->entry(i, &entry); i++) {
    if (entry.heading) fprintf(stream, ".PP\n%s:\n", entry.heading);
    print_tag(stream, entry.term);
    print_line(stream, entry.text);
  }
  if (!topic->outro) return;
  fputs(".PP\n", stream);
  print_line(stream, topic->outro);
}

static void print_formats(FILE *stream) {
  neap_format_info info = NEAP_INIT(neap_format_info);
  for (size_t i = 0; neap_format_at(i, &info); i++) {
    fputs(".TP\n", stream);
    print_styled(stream, 'B', info.extensions[0]);
    if (info.writes & (NEAP_CONTENT_PROBLEM | NEAP_CONTENT_PLAN)) {
      fputs(" (\\fB\\-\\-format\\fR ", stream);
      print_text(stream, info.name);
      fputs(")", stream);
    }
    fputs("\n", stream);
    print_text(stream, info.summary);
    fputs(info.reads ? "\n" : " (output only)\n", stream);
  }
}

/* ---------------------------------------------------------------- parts */

static const struct part {
  const char *name;
  void (*print)(FILE *stream);
} parts[] = {
    {.name = "synopsis", .print = print_synopsis},
    {.name = "commands", .print = print_commands},
    {.name = "common-options", .print = print_common_options},
    {.name = "input-options", .print = print_input_options},
    {.name = "planning-options", .print = print_planning_options},
    {.name = "formats", .print = print_formats}, /* in more detail than the topic */
    {.name = "examples", .print = print_examples},
};

/* Prints a part, such as "commands", or a topic; false if there is none of that name. */
static bool manual_print_part(FILE *stream, const char *name) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (strcmp(parts[i].name, name) != 0) continue;
    parts[i].print(stream);
    return true;
  }
  const struct topic *topic = topic_find(name);
  if (topic) print_topic(stream, topic);
  return topic != NULL;
}

/* ---------------------------------------------------------------- options */

static const struct option_row options[] = {
    {.name = "man",
     .kind = OPTION_TEXT,
     .field = OPTION_FIELD(manual),
     .argument = "PART",
     .help = "print a generated part of the manual page in roff, such as commands or a topic; "
             "the build assembles the pages from them"},
    {.name = "completion",
     .kind = OPTION_WORD,
     .name_at = completion_shell_at,
     .field = OPTION_FIELD(completion),
     .argument = "SHELL",
     .help = "print the completion script for SHELL: bash or zsh"},
};

static const char *const brief[] = {"help-all", "completion", NULL};

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
  if (arguments->operand && !arguments->completion)
    return print_operand(arguments->operand, arguments->help_all);
  if (arguments->completion) completion_print(arguments->completion);
  else if (arguments->help_all) help_command(stdout, &command_help, true);
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
        "Shows what COMMAND does and which options it accepts, or explains TOPIC, such as "
        "engines, orders or formats. Without an argument, lists the commands and the topics.",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .brief = brief,
    .examples = examples,
    .example_count = sizeof examples / sizeof *examples,
    .run = run_help,
};
