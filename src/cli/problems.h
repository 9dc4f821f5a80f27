/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Problems as commands want them.  Functions that return an int return 0, or the exit code of
 * the message they have printed.
 */
#ifndef CLI_PROBLEMS_H
#define CLI_PROBLEMS_H

#include <neap/neap.h>
#include <stddef.h>

#include "cli/arguments.h"
#include "cli/model.h"

/* Reads a plan, which is not verified. */
int problems_read_plan(const char *path, neap_plan **plan);

/* Reads the problem that a command works on, as its options say. */
int problems_read(const struct arguments *arguments, neap_problem **problem);

/* The rows of these options, of an operand that may be a graph. */
#define PROBLEMS_OPTIONS                                                                     \
  {"schedule",                                                                               \
   '\0',                                                                                     \
   OPTION_TEXT,                                                                              \
   offsetof(struct arguments, schedule),                                                     \
   "ORDER",                                                                                  \
   0,                                                                                        \
   false,                                                                                    \
   "of a graph: the order of its operators: keep (the default), depth-first, or min-peak, "  \
   "which searches for the lowest bound"},                                                   \
      {"in-place",                                                                           \
       '\0',                                                                                 \
       OPTION_FLAG,                                                                          \
       offsetof(struct arguments, in_place),                                                 \
       NULL,                                                                                 \
       0,                                                                                    \
       false,                                                                                \
       "of a graph: let outputs take the bytes of inputs where operators allow it"},         \
      {"keep",      '\0',                                                                    \
       OPTION_TEXT, offsetof(struct arguments, keep),                                        \
       "NAMES",     0,                                                                       \
       false,       "of a graph: let these tensors, parted by commas, live to the end"},     \
      {"keep-all", '\0', OPTION_FLAG, offsetof(struct arguments, keep_all),                  \
       NULL,       0,    false,       "of a graph: let every tensor live to the end"},       \
      {"no-inputs", '\0',                                                                    \
       OPTION_FLAG, offsetof(struct arguments, no_inputs),                                   \
       NULL,        0,                                                                       \
       false,       "of a graph: do not plan its inputs, which lie elsewhere"},              \
      {"no-outputs", '\0', OPTION_FLAG, offsetof(struct arguments, no_outputs),              \
       NULL,         0,    false,       "of a graph: do not plan its outputs"},              \
      {"dim",       '\0',                                                                    \
       OPTION_TEXT, offsetof(struct arguments, dimensions),                                  \
       "NAME=N",    0,                                                                       \
       false,       "of a model: what free dimensions are taken for; parted by commas"},     \
      {"dot-size",                                                                           \
       '\0',                                                                                 \
       OPTION_TEXT,                                                                          \
       offsetof(struct arguments, dot_size),                                                 \
       "NAME",                                                                               \
       0,                                                                                    \
       false,                                                                                \
       "of DOT: the attribute that says bytes or a shape; otherwise bytes, size, shape or "  \
       "label"},                                                                             \
  {                                                                                          \
    "dot-order", '\0', OPTION_TEXT, offsetof(struct arguments, dot_order), "NAME", 0, false, \
        "of DOT: the attribute that says the order of execution; otherwise topological"      \
  }

/* Finds what there is to say of the model that a problem was read as, by problems_read. */
int problems_describe_model(const struct arguments *arguments, const neap_problem *problem,
                            struct model *model);

/* Makes every offset a multiple of `alignment` (>= 1), too.  `path` names the problem in errors. */
int problems_align(neap_problem *problem, neap_size alignment, const char *path);

/*
 * Which buffers are alive at a moment, or all of them for moment NEAP_UNPLACED, the largest
 * first and those of one size in the problem's order.  Returns their numbers, *count of them,
 * to be released with free(); NULL when memory is short.
 */
size_t *problems_by_size(const neap_problem *problem, neap_time moment, size_t *count);

#endif
