/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of a command line. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <neap/neap-io.h>

struct command;

struct address {
  bool given;
  uint64_t value;
};

/* A list of values of a planning option. */
struct list_text {
  const char *text;
  int place; /* among the lists on the command line, from 1 */
};

/* The values of an option that may be repeated. */
#define TEXTS_MAX 64
struct texts {
  const char *items[TEXTS_MAX];
  size_t count;
};

/* Texts point into argv.  Options that are not given are false, NULL or as in ARGUMENTS_INIT. */
struct arguments {
  const struct command *command;
  int word_count;      /* of the command line, from the command's name on */
  char **words;        /* options first */
  const char *operand; /* INPUT, PLAN or COMMAND */
  const char *output, *svg, *html;
  const char *convergence, *certificate;                       /* of plan */
  const char *tflite, *header, *source, *buffer_plan, *prefix; /* of plan */
  /* Of sweep. */
  struct list_text max_rounds, max_group_rounds, group_size, group_overlap, rearrange, order;
  int lists; /* how many of these have been read */
  const char *seeds;
  const char *other; /* of draw: the plan to compare with */
  const char *format;
  int64_t align; /* 0: not given */
  int64_t capacity;
  int64_t count;          /* of gen; 0: not given */
  int64_t seed;           /* of gen and sweep */
  int64_t runs;           /* of bench */
  int64_t fixes;          /* of explain */
  int64_t memory_limit;   /* of bench and of --schedule optimal; 0: none */
  const char *manual;     /* of help: a part of the manual */
  const char *completion; /* of help: a shell */
  const char *engines, *time_limit;
  const char *const *operands; /* all of them; the first is `operand` */
  size_t operand_count;
  struct address base;
  struct texts pools;
  int64_t max_chunk;                                                       /* 0: not given */
  const char *keep, *alias, *schedule, *dimensions, *dot_size, *dot_order; /* of graphs */
  const char *target, *variables, *scratch, *overlap;                      /* of inputs */
  const char *column_names, *conflicts;                                    /* of tables */
  const char *objective;
  const char *near; /* of plan */
  struct texts move_costs;
  bool keep_peak;
  bool in_place, keep_all, no_inputs, no_outputs;
  bool inclusive;
  bool force;
  bool text;              /* of draw */
  bool draw;              /* of info */
  const char *colour_by;  /* of drawings */
  int64_t columns, lines; /* of a drawing as text; 0: those of the terminal */
  bool capacity_from_name, compare, merge, csv, json, replan, retime;
  bool help, help_brief, help_all, quiet, verbose; /* -h sets both help and help_brief */
  neap_options *planning;
};

#define ARGUMENTS_INIT \
  { .align = 0, .capacity = -1, .seed = 1, .runs = 1, .fixes = NEAP_FIXES_DEFAULT }

/*
 * Reads the command line of a command, whose name is argv[0].  Returns 0, or the exit code of the
 * message it has printed.  The caller calls arguments_clear in both cases.
 */
int arguments_parse(struct arguments *arguments, const struct command *command, int argc,
                    char **argv);
/* Whether to show help on the command instead of running it. */
bool arguments_ask_help(const struct arguments *arguments, const struct command *command);

void arguments_clear(struct arguments *arguments);

/*
 * A command line for a shell: " INPUT OPTION..." with the options that were given and that change what
 * `other` finds out, too.  Release it with free(); NULL when memory was short.
 */
char *arguments_for(const struct arguments *arguments, const struct command *other);

#endif
