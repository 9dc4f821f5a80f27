/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contents of a command line. */
#ifndef CLI_OPTIONS_ARGUMENTS_H
#define CLI_OPTIONS_ARGUMENTS_H

#include <neap/neap-io.h>
#include <neap/relations.h>

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

/* The terms of an objective. */
struct objective {
  bool given;
  neap_term order[NEAP_TERM_COUNT];
};

/*
 * Options that the library takes are in its own structures.  Texts point into argv.  Options
 * that are not given are false, NULL or as in ARGUMENTS_INIT.
 */
struct arguments {
  const struct command *command;
  int word_count;              /* of the command line, from the command's name on */
  char **words;                /* options first */
  const char *operand;         /* INPUT, PLAN or COMMAND */
  const char *const *operands; /* all of them; the first is `operand` */
  size_t operand_count;
  neap_options *planning;
  neap_reading reading; /* problems_read and the like complete it */
  neap_scheduling scheduling; /* of a graph */
  struct {
    void *keep, *dimensions, *columns, *engines;
  } lists; /* what other members point to, released with free() */
  struct objective objective;
  struct texts pools;
  int64_t memory_limit; /* 0: none */
  neap_writing writing; /* results_writing completes it */
  const char *output, *format, *svg, *html;
  /* Of plan. */
  const char *certificate, *tflite, *onnx, *header, *source, *buffer_plan;
  struct address base;
  int64_t max_chunk; /* 0: not given */
  bool own_chunks;
  const char *previous;
  struct texts move_costs;
  bool keep_peak;
  /* Of sweep. */
  struct list_text max_rounds, max_group_rounds, group_size, group_overlap, rearrange, order;
  int list_count; /* how many of these have been read */
  const char *seeds;
  /* Of other commands. */
  const char *const *engines; /* of bench and compare; NULL: not given */
  size_t engine_count;
  const char *time_limit;                  /* of bench and compare */
  int64_t runs;                            /* of bench */
  bool capacity_from_name;                  /* of bench */
  int64_t count;                           /* of gen; 0: not given */
  int64_t seed;                            /* of gen and sweep */
  int64_t fixes;                           /* of explain */
  int64_t capacity;                        /* of check, draw, split and fit; -1: not given */
  int64_t max_work; /* of those that split, in millionths; 0: not given */
  const char *goal; /* of those that split; NULL: not given */
  bool split;       /* of plan */
  const char *other;                       /* of draw: the plan to compare with */
  bool text;                               /* of draw */
  int64_t columns, lines;                  /* of a drawing as text; 0: those of the terminal */
  bool draw;                               /* of info */
  bool retime;                             /* of convert */
  const char *manual, *completion;         /* of help: a part of the manual, a shell */
  bool csv, json, quiet, verbose;
  bool help, help_brief, help_all; /* -h sets both help and help_brief */
};

#define ARGUMENTS_INIT                                                                      \
  {                                                                                         \
    .reading = NEAP_INIT(neap_reading), .writing = NEAP_INIT(neap_writing), .capacity = -1, \
    .seed = 1, .runs = 1, .fixes = NEAP_FIXES_DEFAULT                                       \
  }

/* Releases what parser.h has read. */
void arguments_clear(struct arguments *arguments);

#endif
