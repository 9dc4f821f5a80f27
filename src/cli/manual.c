/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/manual.h"

#include "cli/commands.h"
#include "cli/exits.h"

/* ---------------------------------------------------------------- roff */

/*
 * What stands for a character that roff would read or typeset otherwise; NULL for the others.
 */
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

/* Text that does not begin a line with a point; an empty line in it parts paragraphs. */
static void print_text(FILE *stream, const char *text) {
  for (; *text; text++) {
    const char *escape = escape_of(*text);
    if (escape) fputs(escape, stream);
    else if (text[0] == '\n' && text[1] == '\n') fputs("\n.PP", stream);
    else fputc(*text, stream);
  }
}

static void print_line(FILE *stream, const char *text) {
  print_text(stream, text);
  fputc('\n', stream);
}

static void print_styled(FILE *stream, char font, const char *text) {
  fprintf(stream, "\\f%c", font);
  print_text(stream, text);
  fputs("\\fR", stream);
}

/* ---------------------------------------------------------------- options */

static void print_choices(FILE *stream, const neap_option_info *info) {
  if (info->choice_count == 0) return;
  fputs(".RS\n", stream);
  for (size_t i = 0; i < info->choice_count; i++) {
    fputs(".TP\n", stream);
    print_styled(stream, 'B', info->choices[i]);
    fputc('\n', stream);
    print_line(stream, info->summaries[i]);
  }
  fputs(".RE\n", stream);
}

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
  option_remark(view, remark);
  if (*remark) {
    fputs(" (", stream);
    print_text(stream, remark);
    fputc(')', stream);
  }
  fputs(".\n", stream);
  if (!view->row) print_choices(stream, &view->planning);
}

static void print_group(FILE *stream, const struct command *command, enum option_group group) {
  struct option_view views[OPTIONS_MAX];
  size_t count = options_list(command, views);
  for (size_t i = 0; i < count; i++)
    if (views[i].group == group) print_option(stream, &views[i]);
}

/* ---------------------------------------------------------------- commands */

static void print_synopsis(FILE *stream) {
  const struct command *command;
  fputs(".SH SYNOPSIS\n", stream);
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    if (i > 0) fputs(".br\n", stream);
    fputs("\\fBneap ", stream);
    print_text(stream, command->name);
    fputs("\\fR ", stream);
    print_line(stream, command->usage);
  }
}

static void print_commands(FILE *stream) {
  const struct command *command;
  fputs(".SH COMMANDS\n", stream);
  for (size_t i = 0; (command = command_at(i)) != NULL; i++) {
    fprintf(stream, ".SS neap %s\n", command->name);
    print_line(stream, command->description);
    if (command->plans) fputs("Takes the options of planning, below, too.\n", stream);
    print_group(stream, command, OPTION_OWN);
  }
}

static void print_examples(FILE *stream) {
  const struct command *command;
  fputs(".SH EXAMPLES\n", stream);
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    for (size_t j = 0; j < command->example_count; j++) {
      fputs(".TP\n", stream);
      print_styled(stream, 'B', command->examples[j].line);
      fputc('\n', stream);
      print_line(stream, command->examples[j].what);
    }
}

/* ---------------------------------------------------------------- sections */

static void print_options(FILE *stream) {
  fputs(".SH OPTIONS\nAll commands take these:\n", stream);
  print_group(stream, &command_plan, OPTION_COMMON);
  fputs(".PP\n\\fBneap \\-\\-version\\fR (\\fB\\-V\\fR) prints the version.\n"
        "An option\\(aqs name may be cut short where that leaves no doubt.  "
        "Options may stand before, between and behind other arguments.\n"
        ".SS Planning\n",
        stream);
  print_group(stream, &command_plan, OPTION_PLANNING);
}

static void print_formats(FILE *stream) {
  const neap_format_info *info;
  fputs(".SH FILE FORMATS\nA file\\(aqs ending says what it is:\n", stream);
  for (size_t i = 0; (info = neap_format_at(i)) != NULL; i++) {
    fputs(".TP\n", stream);
    print_styled(stream, 'B', info->extension);
    fputs(" (\\fB\\-\\-format\\fR ", stream);
    print_text(stream, info->name);
    fputs(")\n", stream);
    print_text(stream, info->summary);
    fputs(info->reads ? ".\n" : "; it cannot be read.\n", stream);
  }
  fputs(manual_formats, stream);
}

static void print_exits(FILE *stream) {
  const struct exit_meaning *meaning;
  fputs(".SH EXIT STATUS\n", stream);
  for (size_t i = 0; (meaning = exit_meaning_at(i)) != NULL; i++) {
    fprintf(stream, ".TP\n\\fB%d\\fR\n", meaning->code);
    print_line(stream, meaning->meaning);
  }
}

void manual_print(FILE *stream) {
  fprintf(stream,
          ".\\\" Made by 'neap help --man'.\n.TH NEAP 1 \"\" \"neap %s\" \"User "
          "Commands\"\n.nr HY 0\n.nh\n.ad l\n",
          neap_version());
  fputs(".SH NAME\nneap \\- plan memory offline\n", stream);
  print_synopsis(stream);
  fputs(manual_description, stream);
  print_commands(stream);
  print_options(stream);
  fputs(manual_orders, stream);
  fputs(manual_search, stream);
  fputs(manual_runtimes, stream);
  print_formats(stream);
  print_exits(stream);
  fputs(manual_environment, stream);
  print_examples(stream);
  fputs(manual_see_also, stream);
}
