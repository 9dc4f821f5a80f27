/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/manual.h"

#include <string.h>

#include "cli/commands.h"
#include "cli/problems.h"
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

/* Options of all commands that read problems; the manual describes them once. */
static const struct option_row input_rows[] = {PROBLEMS_OPTIONS};

static bool is_input_option(const struct option_view *view) {
  for (size_t i = 0; i < sizeof input_rows / sizeof *input_rows; i++)
    if (strcmp(input_rows[i].name, view->name) == 0) return true;
  return false;
}

/* How many input options a command has. */
static size_t count_input_options(const struct command *command) {
  struct option_view views[OPTIONS_MAX];
  size_t count = options_list(command, views), found = 0;
  for (size_t i = 0; i < count; i++)
    found += is_input_option(&views[i]);
  return found;
}

static bool has_input_options(const struct command *command) {
  return count_input_options(command) == sizeof input_rows / sizeof *input_rows;
}

/* Prints the options of a group, either with the input options or without. */
static void print_options(FILE *stream, const struct command *command, enum option_group group,
                          bool of_input) {
  struct option_view views[OPTIONS_MAX];
  size_t count = options_list(command, views);
  for (size_t i = 0; i < count; i++)
    if (views[i].group == group && is_input_option(&views[i]) == of_input)
      print_option(stream, &views[i]);
}

static void print_common_options(FILE *stream) {
  print_options(stream, &command_plan, OPTION_COMMON, false);
}

static void print_planning_options(FILE *stream) {
  print_options(stream, &command_plan, OPTION_PLANNING, false);
}

static void print_input_options(FILE *stream) {
  print_options(stream, &command_plan, OPTION_OWN, true);
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
  bool reads = has_input_options(command);
  if (!reads && !command->plans) return;
  fprintf(stream, ".PP\nAlso accepts the %s%s%s options below.\n", reads ? "input" : "",
          reads && command->plans ? " and " : "", command->plans ? "planning" : "");
}

/* A command with some of the input options only, such as check, has them listed as its own. */
static void print_own_options(FILE *stream, const struct command *command) {
  print_options(stream, command, OPTION_OWN, false);
  if (!has_input_options(command)) print_options(stream, command, OPTION_OWN, true);
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
  const neap_format_info *info;
  for (size_t i = 0; (info = neap_format_at(i)) != NULL; i++) {
    fputs(".TP\n", stream);
    print_styled(stream, 'B', info->extension);
    fputs(" (\\fB\\-\\-format\\fR ", stream);
    print_text(stream, info->name);
    fputs(")\n", stream);
    print_text(stream, info->summary);
    fputs(info->reads ? "\n" : " (output only)\n", stream);
  }
}

/* ---------------------------------------------------------------- parts */

static const struct part {
  const char *name;
  void (*print)(FILE *stream);
} parts[] = {
    {"synopsis", print_synopsis},
    {"commands", print_commands},
    {"common-options", print_common_options},
    {"input-options", print_input_options},
    {"planning-options", print_planning_options},
    {"formats", print_formats}, /* in more detail than the topic */
    {"examples", print_examples},
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
