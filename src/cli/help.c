/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/help.h"

#include "cli/wrap.h"

/* Where the texts about commands, options and choices begin. */
#define COMMAND_COLUMN 11
#define OPTION_COLUMN 26
#define CHOICE_COLUMN 42

/* Text from `column` on, beside what `used` columns are taken of, or below it. */
static void print_beside(FILE *stream, const char *text, int used, int column) {
  if (used + 2 > column) {
    fputc('\n', stream);
    used = 0;
  }
  wrap_pad(stream, column - used);
  wrap(stream, text, column, column);
}

static void print_choices(FILE *stream, const neap_option_info *info) {
  for (size_t i = 0; i < info->choice_count; i++) {
    wrap_pad(stream, OPTION_COLUMN + 2);
    int used = OPTION_COLUMN + 2 + fprintf(stream, "%s", info->choices[i]);
    print_beside(stream, info->summaries[i], used, CHOICE_COLUMN);
  }
}

static void print_option(FILE *stream, const struct option_view *view) {
  char remark[OPTION_REMARK_SIZE], text[1024];
  int used = view->letter ? fprintf(stream, "  -%c, --%s", view->letter, view->name)
                          : fprintf(stream, "      --%s", view->name);
  if (view->argument) used += fprintf(stream, " %s", view->argument);
  option_remark(view, remark);
  if (*remark) snprintf(text, sizeof text, "%s (%s)", view->help, remark);
  else snprintf(text, sizeof text, "%s", view->help);
  print_beside(stream, text, used, OPTION_COLUMN);
  if (!view->row) print_choices(stream, &view->planning);
}

static void print_options(FILE *stream, const struct command *command, bool all) {
  struct option_view views[OPTIONS_MAX];
  size_t count = options_list(command, views);
  for (size_t i = 0; i < count; i++) {
    if (views[i].planning.is_advanced && !all) continue;
    if (i == 0 || views[i].group != views[i - 1].group)
      fprintf(stream, "\n%s:\n", option_group_title(views[i].group));
    print_option(stream, &views[i]);
  }
}

static void print_examples(FILE *stream, const struct command *command) {
  if (command->example_count > 0) fputs("\nExamples:\n", stream);
  for (size_t i = 0; i < command->example_count; i++) {
    fprintf(stream, "  %s\n      ", command->examples[i].line);
    wrap(stream, command->examples[i].what, 6, 6);
  }
}

void help_command(FILE *stream, const struct command *command, bool all) {
  int used = fprintf(stream, "Usage: neap %s ", command->name);
  wrap(stream, command->usage, used, used);
  fputc('\n', stream);
  wrap(stream, command->description, 0, 0);
  print_options(stream, command, all);
  print_examples(stream, command);
}

void help_program(FILE *stream) {
  fputs("Usage: neap COMMAND [ARGUMENT...]\n\n", stream);
  wrap(stream,
       "neap plans memory offline: given buffers, how large each is and when it is alive, it "
       "gives each an offset in one arena so that no two that are alive together share a byte, "
       "and the arena's peak is as low as can be.",
       0, 0);
  fputs("\nCommands:\n", stream);
  const struct command *command;
  for (size_t i = 0; (command = command_at(i)) != NULL; i++)
    print_beside(stream, command->summary, fprintf(stream, "  %s", command->name),
                 COMMAND_COLUMN);
  fputs("\nOptions:\n"
        "  -h, --help     say this, and stop\n"
        "  -V, --version  say the version, and stop\n"
        "\n"
        "'neap help COMMAND' says more about a command, 'man neap' about all of them.\n",
        stream);
}
