/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * getopt_long goes by structures made of the list of options; what is wrong is said here, since
 * getopt cannot say which option may have been meant.
 */
#include "cli/arguments.h"

#include <getopt.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "cli/suggest.h"

/* What getopt_long returns for option i of the list: beyond all letters. */
#define FIRST_VALUE 256

struct parser {
  const struct command *command;
  struct option_view views[OPTIONS_MAX];
  size_t count;
  struct option longs[OPTIONS_MAX + 1];
  char shorts[2 * OPTIONS_MAX + 2];
};

static void parser_init(struct parser *parser, const struct command *command) {
  *parser = (struct parser){.command = command};
  parser->count = options_list(command, parser->views);
  char *shorts = parser->shorts;
  *shorts++ = ':'; /* a missing value is told from an unknown option */
  for (size_t i = 0; i < parser->count; i++) {
    const struct option_view *view = &parser->views[i];
    parser->longs[i] =
        (struct option){.name = view->name,
                        .has_arg = view->argument ? required_argument : no_argument,
                        .val = FIRST_VALUE + (int)i};
    if (!view->letter) continue;
    *shorts++ = view->letter;
    if (view->argument) *shorts++ = ':';
  }
}

/* The option that getopt_long's value stands for, or NULL. */
static const struct option_view *view_of(const struct parser *parser, int value) {
  if (value >= FIRST_VALUE) return &parser->views[value - FIRST_VALUE];
  for (size_t i = 0; i < parser->count; i++)
    if (value != 0 && parser->views[i].letter == value) return &parser->views[i];
  return NULL;
}

/* An option not known, or short for several. */
static int refuse_long(const struct parser *parser, const char *word) {
  int length = (int)strcspn(word, "=");
  char name[64];
  snprintf(name, sizeof name, "%.*s", length, word);
  struct suggestion suggestion = suggestion_for(name);
  const char *extended = NULL;
  for (size_t i = 0; i < parser->count; i++) {
    const char *candidate = parser->views[i].name;
    suggestion_offer(&suggestion, candidate);
    if (strncmp(candidate, name, strlen(name)) != 0) continue;
    if (extended)
      return message_usage("option '--%s' is short for both --%s and --%s", name, extended,
                           candidate);
    extended = candidate;
  }
  if (suggestion.nearest)
    return message_usage("unknown option '--%s'; did you mean --%s?", name, suggestion.nearest);
  return message_usage("unknown option '--%s'; 'neap %s --help' lists the options", name,
                       parser->command->name);
}

/* What getopt_long did not accept; `word` is the argument it was at. */
static int refuse(const struct parser *parser, int value, const char *word) {
  const struct option_view *view = view_of(parser, optopt);
  if (view && value == ':')
    return message_usage("option %s: expected a value, %s, found none", view->name,
                         view->argument);
  if (view) return message_usage("option %s: expected no value, found one", view->name);
  if (optopt == 0) return refuse_long(parser, word + 2);
  return message_usage("unknown option '-%c'; 'neap %s --help' lists the options", optopt,
                       parser->command->name);
}

static int read_options(const struct parser *parser, struct arguments *arguments, int argc,
                        char **argv) {
  int value;
  optind = 1;
  opterr = 0;
  while ((value = getopt_long(argc, argv, parser->shorts, parser->longs, NULL)) != -1) {
    if (value == '?' || value == ':') return refuse(parser, value, argv[optind - 1]);
    int code = option_set(view_of(parser, value), optarg, arguments);
    if (code != 0) return code;
  }
  return 0;
}

static int read_operand(const struct command *command, struct arguments *arguments, int argc,
                        char **argv) {
  int count = argc - optind;
  if (count > 1 && !command->takes_many)
    return message_usage("%s: expected one %s, found another: '%s'", command->name,
                         command->operand, argv[optind + 1]);
  if (count == 0 && !command->operand_optional)
    return message_usage("%s: expected %s; see 'neap %s --help'", command->name,
                         command->operand, command->name);
  arguments->operands = (const char *const *)argv + optind;
  arguments->operand_count = (size_t)count;
  arguments->operand = count >= 1 ? argv[optind] : NULL;
  if (arguments->operand && !*arguments->operand)
    return message_usage("%s: expected %s, found an empty name", command->name,
                         command->operand);
  return 0;
}

/* A text option that must be there, or one that must not be empty. */
static int check_required(const struct parser *parser, const struct arguments *arguments) {
  for (size_t i = 0; i < parser->count; i++) {
    const struct option_row *row = parser->views[i].row;
    if (!row || row->kind != OPTION_TEXT) continue;
    const char *text = *(const char *const *)((const char *)arguments + row->field);
    if (!text && row->required)
      return message_usage("%s: expected --%s %s", parser->command->name, row->name,
                           row->argument);
    if (text && !*text)
      return message_usage("option %s: expected %s, found ''", row->name, row->argument);
  }
  return 0;
}

static int check(const struct parser *parser, struct arguments *arguments, int argc,
                 char **argv) {
  if (arguments->quiet && arguments->verbose)
    return message_usage("--quiet and --verbose exclude each other");
  messages_init(arguments->quiet     ? MESSAGES_QUIET
                : arguments->verbose ? MESSAGES_VERBOSE
                                     : MESSAGES_NORMAL);
  if (arguments->help || arguments->help_all) return 0;
  int code = read_operand(parser->command, arguments, argc, argv);
  return code != 0 ? code : check_required(parser, arguments);
}

int arguments_parse(struct arguments *arguments, const struct command *command, int argc,
                    char **argv) {
  struct parser parser;
  *arguments = (struct arguments)ARGUMENTS_INIT;
  arguments->planning = neap_options_new();
  if (!arguments->planning) return message_memory();
  neap_error error;
  if (command->engine &&
      neap_options_set(arguments->planning, "engine", command->engine, &error) != NEAP_OK)
    return message_error(&error);
  parser_init(&parser, command);
  int code = read_options(&parser, arguments, argc, argv);
  return code != 0 ? code : check(&parser, arguments, argc, argv);
}

void arguments_clear(struct arguments *arguments) {
  neap_options_free(arguments->planning);
  arguments->planning = NULL;
}
