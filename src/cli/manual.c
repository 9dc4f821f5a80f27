/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/manual.h"

#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/topics.h"

/* ---------------------------------------------------------------- roff */

/* How to write a character that roff would interpret or typeset otherwise; NULL for others. */
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
 * Text with options in bold.  Each sentence begins a line, for roff sets the space between
 * sentences; an empty line begins a paragraph.
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
    } else if (at[0] == ' ' && at > text && at[-1] == '.') {
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
  char remark[OPTION_REMARK_SIZE];
  fputs(".TP\n", stream);
  if (view->letter) fprintf(stream, "\\fB\\-%c\\fR, ", view->letter);
  fputs("\\fB\\-\\-\\fR", stream);
  print_styled(stream, 'B', view->name);
  if (view->argument) {
    fputc(' ', stream);
    print_styled(stream, 'I', view->argument);
  }
  fputc('\n', stream);
  print_text(stream, view->help);
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
  options_list(command, &options);
  for (size_t i = 0; i < options.count; i++)
    if (options.views[i].group == group) print_option(stream, &options.views[i]);
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
  neap_format_info info;
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

bool manual_print_part(FILE *stream, const char *name) {
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    if (strcmp(parts[i].name, name) != 0) continue;
    parts[i].print(stream);
    return true;
  }
  const struct topic *topic = topic_find(name);
  if (topic) print_topic(stream, topic);
  return topic != NULL;
}
