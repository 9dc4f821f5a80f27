/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of a command: those in its own table, the input options, the planning options
 * (which the library lists) and those that all commands have.  They are combined here into the
 * one list from which the command line is read and --help, the manual and shell completion are
 * generated.
 */
#ifndef CLI_OPTIONS_OPTIONS_H
#define CLI_OPTIONS_OPTIONS_H

#include <neap/neap-io.h>
#include <stddef.h>

#include "cli/options/arguments.h"

enum option_kind {
  OPTION_FLAG,        /* a bool */
  OPTION_TEXT,        /* a const char * */
  OPTION_POOLS,       /* a struct texts: one more pool, NAME or NAME=SIZE */
  OPTION_LIST,        /* a struct list_text: values of the planning option of the same name */
  OPTION_NUMBER,      /* an int64_t >= `low` */
  OPTION_BYTES,       /* an int64_t >= `low`; a unit may follow, as in the library's options */
  OPTION_FACTOR,      /* an int64_t: a real number from 1 to 10, in millionths */
  OPTION_ADDRESS,     /* a struct address */
  OPTION_FORMAT,      /* the name of a format that can hold problems or plans */
  OPTION_PLAN_FORMAT, /* one that can hold plans */
  OPTION_PROBLEM_FORMAT, /* one that can hold problems */
  OPTION_ENGINES,        /* `engines`: comma-separated names */
  OPTION_SCHEDULE,       /* a neap_schedule */
  OPTION_TARGET,         /* a const char *: a name that neap_target_at lists */
  OPTION_VARIABLES,      /* a neap_variables */
  OPTION_KERNELS,        /* a neap_kernels */
  OPTION_ALIASES,        /* an unsigned: a sum of neap_alias */
  OPTION_OBJECTIVE,      /* a struct objective */
  OPTION_NAMES,      /* liveness.keep in `reading`, which has no one member for a list ... */
  OPTION_DIMENSIONS, /* ... likewise dimensions ... */
  OPTION_COLUMNS,    /* ... and columns */
  OPTION_WORD,       /* a const char *: a word that name_at lists */
  OPTION_COLOURING,  /* a const char *: a name that neap_colouring_at lists */
  /* Paths, each a const char *.  outputs.h lists their extensions. */
  OPTION_ANY_FILE,         /* any format that can be written */
  OPTION_PROBLEM_FILE,     /* a format that can hold problems */
  OPTION_PLAN_FILE,        /* a format that can hold plans */
  OPTION_PICTURE_FILE,     /* .svg, .png or .pdf */
  OPTION_DRAWING_FILE,     /* a picture or a page */
  OPTION_PAGE_FILE,        /* .html */
  OPTION_TFLITE_FILE,      /* .tflite */
  OPTION_SPLIT_FILE,       /* .tflite or .onnx */
  OPTION_ONNX_FILE,        /* .onnx */
  OPTION_HEADER_FILE,      /* a header of C or C++ */
  OPTION_SOURCE_FILE,      /* a source file of C or C++ */
  OPTION_BUFFER_PLAN_FILE, /* a header of C++ for TensorFlow Lite Micro */
  OPTION_CERTIFICATE_FILE, /* .cert */
  OPTION_INPUT_FILE        /* to read: a plan */
};

/* A row of a command's table. */
struct option_row {
  const char *name;
  const char *heading; /* what help lists it under; NULL: the command's own options */
  char letter;         /* its short form, or '\0' */
  enum option_kind kind;
  size_t field; /* the offset in struct arguments, often in a structure for the library there */
  const char *member;   /* what it sets, as messages of the library name it; or NULL */
  const char *argument; /* the placeholder for its value; NULL for a flag */
  const char *(*name_at)(size_t index); /* of OPTION_WORD: the words; NULL past the last */
  int64_t low;
  bool required;
  bool graphs;      /* an input option that does not apply to plans */
  const char *help; /* a phrase without a full stop; -h shows it up to the first semicolon */
};

/* The value of .field for a member of struct arguments, such as output or reading.replan. */
#define OPTION_FIELD(name) offsetof(struct arguments, name)

/* Which table an option comes from. */
enum option_group {
  OPTION_OWN,
  OPTION_INPUT, /* shared by all commands that read tables and graphs */
  OPTION_PLANNING,
  OPTION_COMMON
};

#define OPTION_HELP_SIZE 256

/* An option of any group. */
struct option_view {
  enum option_group group;
  const struct option_row *row; /* NULL for a planning option */
  const char *name, *heading, *argument;
  const char *help;    /* option_help rewords a planning option's */
  const char *initial; /* a planning option's default here */
  char letter;
  bool is_advanced;
};

#define OPTIONS_MAX 96

struct option_list {
  struct option_view views[OPTIONS_MAX];
  size_t count;
};

/* ---------------------------------------------------------------- commands */

struct example {
  const char *line; /* a command line that works in examples/ */
  const char *what; /* what it does */
};

/* What a command's operand is. */
enum command_input {
  INPUT_NONE,  /* a word, or files that other processes read */
  INPUT_PLAIN, /* a file to read */
  INPUT_TABLE, /* one that may be a table, so that the options for tables apply */
  INPUT_GRAPH  /* one that may also be a graph, so that all input options apply */
};

struct command {
  const char *name;
  const char *summary; /* one line, without a full stop */
  const char *operand; /* what it works on, such as "INPUT" */
  bool operand_optional, takes_many;
  enum command_input input; /* standard input takes the place of a file if it is piped */
  const char *(*operand_at)(size_t index); /* the words to choose from; NULL for files */
  const char *usage;                       /* what follows its name on the command line */
  const char *description;                 /* paragraphs, separated by empty lines */
  const struct option_row *options;
  size_t option_count;
  const char *const *brief; /* the options that -h shows, up to a NULL */
  bool shows_help, rewrites_models; /* --help-all is about its operand, a model is its output */
  bool plans;                       /* accepts the planning options */
  const char *engine; /* the default of --engine if it differs from the library's, or NULL */
  const struct example *examples;
  size_t example_count;
  int (*run)(const struct arguments *arguments); /* returns the exit code */
};

/* ---------------------------------------------------------------- functions */

/* Lists the options of a command, group by group. */
void options_list(const struct command *command, struct option_list *list);

/* Finds an option by its name, without dashes; NULL: there is none. */
const struct option_view *option_find(const struct option_list *list, const char *name);

/* The help on an option in the program's words, in `text` if they differ from the library's. */
const char *option_help(const struct option_view *view, char text[OPTION_HELP_SIZE]);

/* Whether the command line sets the option of a row, a flag, a choice, a factor or a text. */
bool option_is_set(const struct option_view *view, const struct arguments *arguments);

/*
 * Stores a value (NULL for a flag).  Returns 0, or the exit code of the error message it has
 * printed.
 */
int option_set(const struct option_view *view, const char *value, struct arguments *arguments);

/* Describes the planning option of that name, which must exist. */
neap_option_info option_planning(const char *name);

/* Sets a planning option by its name; returns like option_set. */
int option_set_planning(const struct arguments *arguments, const char *name, const char *value);

/* Whether a row of one of the kinds of formats accepts this format. */
bool option_takes_format(const struct option_row *row, const neap_format_info *info);

/* Lists commands; NULL past the last. */
typedef const struct command *command_lister(size_t index);

/*
 * Messages of the library name members of its structs and planning options, such as
 * "neap_reading.model.dimensions[2]" and "option max-ticks".  Replaces these by the options of
 * the commands (NULL: there are none), which are shorter: "--dim", "--max-ticks".
 */
void options_for_members(char *text, command_lister *command_at);

/* Options that several commands have. */
#define OPTION_SWITCH(option, member, text) \
  { .name = option, .kind = OPTION_FLAG, .field = OPTION_FIELD(member), .help = text }
#define OPTION_JSON OPTION_SWITCH("json", json, "print one JSON object")
#define OPTION_HEADER                                                                        \
  {                                                                                          \
    .name = "header", .kind = OPTION_HEADER_FILE, .field = OPTION_FIELD(header),             \
    .argument = "FILE",                                                                      \
    .help = "write a C and C++ header to FILE, for the model that is written"                \
  }
#define OPTION_CSV OPTION_SWITCH("csv", csv, "print comma-separated values")

/* Options of commands that run engines; `words` tells what the option does there. */
#define OPTION_ENGINE_LIST(words)                                                            \
  {                                                                                          \
    .name = "engine", .kind = OPTION_ENGINES, .field = OPTION_FIELD(engines),                \
    .argument = "LIST",                                                                      \
    .help = "comma-separated list of engines, " words " by default; see 'neap help engines'" \
  }
#define OPTION_TIME_LIMIT(words)                                                  \
  {                                                                               \
    .name = "time-limit", .kind = OPTION_TEXT, .field = OPTION_FIELD(time_limit), \
    .argument = "SECONDS", .help = "time limit for each " words                   \
  }
/* Options of commands that draw; `short_name` is a letter, or 0. */
#define OPTION_SVG(short_name, words)                                 \
  {                                                                   \
    .name = "svg", .letter = short_name, .kind = OPTION_PICTURE_FILE, \
    .field = OPTION_FIELD(svg), .argument = "FILE", .help = words     \
  }

/* Ends a search for bands. */
#define OPTION_SPLIT_TIME                                                                    \
  {                                                                                          \
    .name = "time-limit", .kind = OPTION_TEXT, .field = OPTION_FIELD(time_limit),            \
    .argument = "SECONDS",                                                                   \
    .help = "end the search for bands after SECONDS, with the best so far, which depends on " \
            "the machine"                                                                    \
  }

/* An option of commands that split; `group` is a heading or NULL, `words` what it goes with. */
#define OPTION_MAX_WORK(group, words)                                                       \
  {                                                                                         \
    .name = "max-work", .heading = group, .kind = OPTION_FACTOR,                            \
    .field = OPTION_FIELD(max_work), .argument = "FACTOR",                                  \
    .help = words "allow at most FACTOR times the multiply-accumulates of the model, 1 to " \
                  "10; 2 by default"                                                        \
  }

#define OPTION_GOAL(group, words)                                                           \
  {                                                                                         \
    .name = "goal", .heading = group, .kind = OPTION_WORD, .name_at = splits_goal_at,       \
    .field = OPTION_FIELD(goal), .argument = "WHAT",                                        \
    .help = words "look for the smallest arena of the runtime (arena, the default), the "   \
                  "lowest peak (peak), or with --capacity, the least extra work (work)"     \
  }

/* An option of commands that draw; `group` is a heading or NULL, `words` what becomes a figure. */
#define OPTION_FIGURE(group, words)                                                         \
  {                                                                                         \
    .name = "figure", .member = "neap_writing.figure", .heading = group,                    \
    .kind = OPTION_NUMBER, .field = OPTION_FIELD(writing.figure), .argument = "COLUMNS",    \
    .low = 1,                                                                               \
    .help = words " a figure for a paper, 1 or 2 of its columns wide (252 or 516 points), " \
                  "without heading"                                                         \
  }

#define OPTION_REPLAN                                                              \
  {                                                                                \
    .name = "replan", .heading = "Constraints", .kind = OPTION_FLAG,               \
    .field = OPTION_FIELD(reading.replan), .help = "ignore fixed offsets in INPUT" \
  }

/* An option of commands that read plans: what a model does not state about its plan. */
#define OPTION_PLANNED_OVERLAP                                                      \
  {                                                                                 \
    .name = "overlap", .kind = OPTION_FLAG,                                         \
    .field = OPTION_FIELD(reading.graph.liveness.overlap),                          \
    .help = "the plan in a model was made with 'neap plan --overlap'; other files " \
            "contain their overlaps"                                                \
  }

#endif
