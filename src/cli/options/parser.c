/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * getopt_long reads the options from structures built from a command's list of options.  Its own
 * messages are off: those printed here suggest the option that may have been meant.
 */
#include "cli/options/parser.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/outputs.h"
#include "cli/options/retired.h"
#include "cli/output/messages.h"
#include "cli/output/suggest.h"

/* Added to the index of an option, so that getopt_long returns a value above all letters. */
#define FIRST_VALUE 256

struct parser {
  const struct command *command;
  struct option_list options;
  struct option longs[2 * OPTIONS_MAX + 1]; /* two spellings of an option at most */
  char american[32];                        /* the other spelling of an option */
  char shorts[2 * OPTIONS_MAX + 2];
};

/* "color-by" for "colour-by"; one option of a command may have such a name. */
static bool spell_american(const char *name, char spelling[32]) {
  const char *found = strstr(name, "colour");
  if (!found) return false;
  snprintf(spelling, 32, "%.*scolor%s", (int)(found - name), name, found + strlen("colour"));
  return true;
}

static void parser_init(struct parser *parser, const struct command *command) {
  *parser = (struct parser){.command = command};
  options_list(command, &parser->options);
  char *shorts = parser->shorts;
  size_t longs = 0;
  *shorts++ = ':'; /* makes getopt_long return ':' for a missing value */
  for (size_t i = 0; i < parser->options.count; i++) {
    const struct option_view *view = &parser->options.views[i];
    parser->longs[longs++] =
        (struct option){.name = view->name,
                        .has_arg = view->argument ? required_argument : no_argument,
                        .val = FIRST_VALUE + (int)i};
    if (spell_american(view->name, parser->american)) {
      parser->longs[longs] = parser->longs[longs - 1];
      parser->longs[longs++].name = parser->american;
    }
    if (!view->letter) continue;
    *shorts++ = view->letter;
    if (view->argument) *shorts++ = ':';
  }
}

/* The option of a value that getopt_long returned, or NULL. */
static const struct option_view *view_of(const struct parser *parser, int value) {
  if (value >= FIRST_VALUE) return &parser->options.views[value - FIRST_VALUE];
  for (size_t i = 0; i < parser->options.count; i++)
    if (value != 0 && parser->options.views[i].letter == value)
      return &parser->options.views[i];
  return NULL;
}

/* Lists the options that begin like `name`. */
static int refuse_ambiguous(const struct parser *parser, const char *name) {
  struct listing listing;
  const char *before = "--";
  listing_begin(&listing);
  for (size_t i = 0; i < parser->options.count; i++) {
    const char *candidate = parser->options.views[i].name;
    if (strncmp(candidate, name, strlen(name)) != 0) continue;
    listing_add(&listing, before, candidate);
    before = ", --";
  }
  char *list = listing_end(&listing);
  int code = list ? message_usage("option '--%s' is ambiguous; use one of %s", name, list)
                  : message_memory();
  free(list);
  return code;
}

/* An unknown option, or an abbreviation of several. */
static int refuse_long(const struct parser *parser, const char *word) {
  int length = (int)strcspn(word, "=");
  char name[64];
  snprintf(name, sizeof name, "%.*s", length, word);
  int code = retired_refuse(name, word[length] == '=' ? word + length + 1 : NULL);
  if (code != 0) return code;
  struct suggestion suggestion = suggestion_for(name);
  for (size_t i = 0; i < parser->options.count; i++) {
    const char *candidate = parser->options.views[i].name;
    suggestion_offer(&suggestion, candidate);
    if (*name && strncmp(candidate, name, strlen(name)) == 0)
      return refuse_ambiguous(parser, name);
  }
  if (suggestion.nearest)
    return message_usage("unknown option '--%s'; did you mean --%s?", name, suggestion.nearest);
  return message_usage("unknown option '--%s'; 'neap %s --help' lists the options", name,
                       parser->command->name);
}

/* A flag with "=value". */
static int refuse_value(const struct option_view *view, const char *value) {
  int code = retired_refuse(view->name, value ? value + 1 : NULL);
  return code != 0 ? code : message_usage("option '--%s' takes no value", view->name);
}

/* Prints why getopt_long did not accept an option; `word` is the argument it was at. */
static int refuse_option(const struct parser *parser, int value, const char *word) {
  const struct option_view *view = view_of(parser, optopt);
  if (view && value == ':')
    return message_usage("option '--%s' needs a value: %s", view->name, view->argument);
  if (view) return refuse_value(view, strchr(word, '='));
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
    if (value == '?' || value == ':') return refuse_option(parser, value, argv[optind - 1]);
    int code = option_set(view_of(parser, value), optarg, arguments);
    if (code != 0) return code;
    if (value == 'h') arguments->help_brief = true;
  }
  return 0;
}

/*
 * Whether standard input is a pipe, a socket or a file.  It is a terminal or /dev/null if the
 * caller has forgotten the input.
 */
static bool is_fed(void) {
  struct stat found;
  return fstat(STDIN_FILENO, &found) == 0 &&
         (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode) || S_ISREG(found.st_mode));
}

static int refuse_no_operand(const struct command *command) {
  if (command->input != INPUT_NONE)
    return message_usage("%s needs %s, a file or '-' for standard input; see 'neap %s --help'",
                         command->name, command->operand, command->name);
  return message_usage("%s needs %s; see 'neap %s --help'", command->name, command->operand,
                       command->name);
}

static int read_operand(const struct command *command, struct arguments *arguments, int argc,
                        char **argv) {
  int count = argc - optind;
  for (int i = optind; i < argc && arguments->reading.graph.liveness.overlap; i++) {
    int code = retired_refuse("overlap", argv[i]); /* a value that --overlap had */
    if (code != 0) return code;
  }
  if (count > 1 && !command->takes_many)
    return message_usage("%s: expected one %s, found a second: '%s'%s", command->name,
                         command->operand, argv[optind + 1],
                         arguments->reading.graph.liveness.overlap
                             ? "; --overlap takes no value, --kernels names the kernels"
                             : "");
  bool is_piped = count == 0 && command->input != INPUT_NONE && is_fed();
  if (count == 0 && !is_piped && !command->operand_optional) return refuse_no_operand(command);
  arguments->operands = (const char *const *)argv + optind;
  arguments->operand_count = (size_t)count;
  arguments->operand = is_piped ? "-" : count >= 1 ? argv[optind] : NULL;
  if (arguments->operand && !*arguments->operand)
    return message_usage("%s needs %s, found an empty name", command->name, command->operand);
  return 0;
}

/* Required options must be given; they all write files. */
static int check_required(const struct parser *parser, const struct arguments *arguments) {
  for (size_t i = 0; i < parser->options.count; i++) {
    const struct option_row *row = parser->options.views[i].row;
    if (row && row->required && !outputs_path(row, arguments))
      return message_usage("%s needs --%s %s", parser->command->name, row->name, row->argument);
  }
  return 0;
}

static int check_arguments(const struct parser *parser, struct arguments *arguments, int argc,
                           char **argv) {
  if (arguments->quiet && arguments->verbose)
    return message_usage("--quiet and --verbose cannot be combined");
  messages_init(arguments->quiet     ? MESSAGES_QUIET
                : arguments->verbose ? MESSAGES_VERBOSE
                                     : MESSAGES_NORMAL);
  if (arguments_ask_help(arguments, parser->command)) return 0;
  int code = read_operand(parser->command, arguments, argc, argv);
  if (code == 0) code = check_required(parser, arguments);
  return code != 0 ? code
                   : outputs_check(parser->options.views, parser->options.count, arguments);
}

bool arguments_ask_help(const struct arguments *arguments, const struct command *command) {
  return arguments->help || (arguments->help_all && !command->shows_help);
}

int arguments_parse(struct arguments *arguments, const struct command *command, int argc,
                    char **argv) {
  struct parser parser;
  *arguments = (struct arguments)ARGUMENTS_INIT;
  arguments->command = command;
  arguments->word_count = argc;
  arguments->words = argv;
  arguments->planning = neap_options_new();
  if (!arguments->planning) return message_memory();
  neap_error error;
  if (command->engine &&
      neap_options_set(arguments->planning, "engine", command->engine, &error) != NEAP_OK)
    return message_error(&error);
  parser_init(&parser, command);
  int code = read_options(&parser, arguments, argc, argv);
  return code != 0 ? code : check_arguments(&parser, arguments, argc, argv);
}

/* ---------------------------------------------------------------- another command line */

/* Whether an option of `other` changes what it finds out, and not only what it prints. */
static bool changes_results(const struct option_view *view) {
  if (view->group != OPTION_OWN) return view->group != OPTION_COMMON;
  return view->row->kind == OPTION_BYTES || strcmp(view->name, "replan") == 0;
}

/* Quotes a word where a shell would read it as something else. */
static void add_word(struct listing *listing, const char *before, const char *word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+@%-";
  listing_add(listing, before, "");
  if (*word && word[strspn(word, plain)] == '\0') {
    listing_add(listing, "", word);
    return;
  }
  listing_add(listing, "", "'");
  for (; *word; word++) {
    const char letter[] = {*word, '\0'};
    listing_add(listing, "", *word == '\'' ? "'\\''" : letter);
  }
  listing_add(listing, "", "'");
}

char *arguments_for(const struct arguments *arguments, const struct command *other) {
  struct parser parser;
  struct option_list options;
  struct listing listing;
  int value;
  parser_init(&parser, arguments->command);
  options_list(other, &options);
  listing_begin(&listing);
  add_word(&listing, " ", arguments->operand);
  optind = 0; /* begins again */
  while ((value = getopt_long(arguments->word_count, arguments->words, parser.shorts,
                              parser.longs, NULL)) != -1) {
    const struct option_view *view = option_find(&options, view_of(&parser, value)->name);
    if (!view || !changes_results(view)) continue;
    listing_add(&listing, " --", view->name);
    if (view->argument) add_word(&listing, " ", optarg);
  }
  return listing_end(&listing);
}
