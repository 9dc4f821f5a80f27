/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading problems and plans with a command's options.  Functions that return an int return 0, or
 * the exit code of the message they have printed.
 */
#ifndef CLI_PROBLEMS_H
#define CLI_PROBLEMS_H

#include <neap/neap.h>
#include <stddef.h>

#include "cli/arguments.h"
#include "cli/model.h"

/* Reads the problem in a command's operand with the options below. */
int problems_read(const struct arguments *arguments, neap_problem **problem);

/* Reads a plan with the options for tables below; it is not verified. */
int problems_read_plan(const struct arguments *arguments, const char *path, neap_plan **plan);

/*
 * Reads the operand, which has been read as a problem, as a plan: prints nothing, unless an option
 * is wrong, and sets error->status.  *plan is NULL unless that is NEAP_OK.
 */
int problems_try_plan(const struct arguments *arguments, neap_plan **plan, neap_error *error);

/* Options for an operand that may be a table. */
#define PROBLEMS_TABLE_OPTIONS                                                             \
  {"columns",   '\0',                                                                      \
   OPTION_TEXT, offsetof(struct arguments, column_names),                                  \
   "ROLE=NAME", 0,                                                                         \
   false,       "comma-separated names of a table's columns, such as id=buf,size=nbytes"}, \
  {                                                                                        \
    "inclusive", '\0', OPTION_FLAG, offsetof(struct arguments, inclusive), NULL, 0, false, \
        "a table's lifetimes include their end: upper is the last moment alive"            \
  }

/* Options for an operand that may be a table or a graph. */
#define PROBLEMS_OPTIONS                                                                       \
  PROBLEMS_TABLE_OPTIONS,                                                                      \
      {"schedule",                                                                             \
       '\0',                                                                                   \
       OPTION_SCHEDULE,                                                                        \
       offsetof(struct arguments, schedule),                                                   \
       "ORDER",                                                                                \
       0,                                                                                      \
       false,                                                                                  \
       "order of a graph's operators: keep (the default), depth-first, or min-peak, which "    \
       "searches "                                                                             \
       "for the lowest bound"},                                                                \
      {"in-place",  '\0',                                                                      \
       OPTION_FLAG, offsetof(struct arguments, in_place),                                      \
       NULL,        0,                                                                         \
       false,       "let a graph's operators write outputs over their inputs where they can"}, \
      {"keep",      '\0',                                                                      \
       OPTION_TEXT, offsetof(struct arguments, keep),                                          \
       "NAMES",     0,                                                                         \
       false,       "comma-separated list of a graph's tensors that stay alive to the end"},   \
      {"keep-all", '\0', OPTION_FLAG, offsetof(struct arguments, keep_all),                    \
       NULL,       0,    false,       "keep every tensor of a graph alive to the end"},        \
      {"no-inputs", '\0',                                                                      \
       OPTION_FLAG, offsetof(struct arguments, no_inputs),                                     \
       NULL,        0,                                                                         \
       false,       "do not plan a graph's inputs; they are stored elsewhere"},                \
      {"no-outputs", '\0',                                                                     \
       OPTION_FLAG,  offsetof(struct arguments, no_outputs),                                   \
       NULL,         0,                                                                        \
       false,        "do not plan a graph's outputs; they are stored elsewhere"},              \
      {"dim",       '\0',                                                                      \
       OPTION_TEXT, offsetof(struct arguments, dimensions),                                    \
       "NAME=N",    0,                                                                         \
       false,       "comma-separated values for a model's free dimensions, such as batch=1"},  \
      {"dot-size",                                                                             \
       '\0',                                                                                   \
       OPTION_TEXT,                                                                            \
       offsetof(struct arguments, dot_size),                                                   \
       "NAME",                                                                                 \
       0,                                                                                      \
       false,                                                                                  \
       "attribute that holds a size or shape in a DOT file (default: the first of bytes, "     \
       "size, shape and label)"},                                                              \
  {                                                                                            \
    "dot-order", '\0', OPTION_TEXT, offsetof(struct arguments, dot_order), "NAME", 0, false,   \
        "attribute that holds the execution order in a DOT file (default: topological)"        \
  }

/* Describes the model that problems_read has built a problem from. */
int problems_describe_model(const struct arguments *arguments, const neap_problem *problem,
                            struct model *model);

/*
 * Raises alignments so that every offset is a multiple of `alignment` (>= 1), too.  Errors begin
 * with `path` and end in `hint`.
 */
int problems_align(neap_problem *problem, neap_size alignment, const char *path,
                   const char *hint);

/*
 * Lists the buffers alive at a moment, or all of them for moment NEAP_UNPLACED: largest first, those
 * of one size in the problem's order.  Returns *count indices, released with free(); NULL if memory
 * is short.
 */
size_t *problems_by_size(const neap_problem *problem, neap_time moment, size_t *count);

#endif
