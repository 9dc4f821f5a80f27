/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command line says, once it is read. */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <neap/neap.h>

struct address {
  bool given;
  uint64_t value;
};

/* Texts point into argv.  What was not given is false, NULL, or what ARGUMENTS_INIT says. */
struct arguments {
  const char *operand; /* INPUT, PLAN or COMMAND */
  const char *output, *svg, *html;
  const char *convergence;                       /* of plan */
  const char *tflite, *header, *source, *prefix; /* of plan */
  const char *max_rounds, *max_group_rounds;     /* of sweep: lists */
  const char *other;                             /* of draw: the plan to compare with */
  neap_format format;
  int64_t align, capacity;
  int64_t count, seed;        /* of gen */
  int64_t runs, memory_limit; /* of bench; 0: none */
  const char *engines, *time_limit;
  const char *const *operands; /* all of them, `operand` being the first */
  size_t operand_count;
  struct address base;
  const char *keep, *schedule, *dimensions, *dot_size, *dot_order; /* of graphs */
  bool in_place, keep_all, no_inputs, no_outputs;
  bool force;
  bool text;              /* of draw */
  int64_t columns, lines; /* of text; 0: as the terminal */
  bool capacity_from_name, compare, csv, json, manual, replan, retime;
  bool help, help_all, quiet, verbose;
  neap_options *planning;
};

#define ARGUMENTS_INIT                                                                \
  {                                                                                   \
    .format = NEAP_FORMAT_AUTO, .align = 1, .capacity = -1, .count = 1000, .seed = 1, \
    .runs = 1                                                                         \
  }

struct command;

/*
 * Reads the command line of a command, argv[0] being its name.  Returns 0, or the exit code of
 * the message it has printed. Whatever it returns, arguments_clear is due.
 */
int arguments_parse(struct arguments *arguments, const struct command *command, int argc,
                    char **argv);
void arguments_clear(struct arguments *arguments);

#endif
