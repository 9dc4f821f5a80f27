/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading problems and plans with a command's options.  Functions that return an int return 0, or
 * the exit code of the message they have printed.
 */
#ifndef CLI_INPUT_PROBLEMS_H
#define CLI_INPUT_PROBLEMS_H

#include <neap/neap.h>
#include <stddef.h>

#include "cli/options/arguments.h"

/* A complete reading, and what it points to besides the arguments. */
struct completed {
  neap_reading reading;
  char *scratch; /* released with free() */
};

/* Adds the settings that no option makes by itself; the functions below do so. */
void problems_complete(const struct arguments *arguments, struct completed *completed);

/* Reads the problem in a command's operand with the options below. */
int problems_read(const struct arguments *arguments, neap_problem **problem);

/*
 * Reads the problem again, with other options, and prints nothing about the input.  NULL if the
 * input does not allow these options, or memory is short.
 */
neap_problem *problems_read_again(const struct arguments *arguments);

/* Reads a plan with the options for tables below; it is not verified. */
int problems_read_plan(const struct arguments *arguments, const char *path, neap_plan **plan);

/*
 * Reads the operand, which has been read as a problem, as a plan; prints nothing, and sets
 * error->status.  *plan is NULL unless that is NEAP_OK.
 */
void problems_try_plan(const struct arguments *arguments, neap_plan **plan, neap_error *error);

/*
 * Raises alignments so that every offset is also a multiple of `alignment` (>= 1).  Errors
 * begin with `path` and end in `hint`.
 */
int problems_align(neap_problem *problem, neap_size alignment, const char *path,
                   const char *hint);

/* The earlier plan of --previous whose order a search begins with, or NULL. */
const char *problems_previous_order(const struct arguments *arguments);

/* The earlier plan of --previous near whose layout the new plan stays, or NULL. */
const char *problems_previous_layout(const struct arguments *arguments);

/*
 * If a plan is to stay near an earlier one, tells the problem where that one has its buffers,
 * what moves cost, and whether they come before the peak.  Returns 0, or the exit code of the
 * message it has printed.
 */
int problems_apply_previous(const struct arguments *arguments, neap_problem *problem);

/*
 * Splits NAME or NAME=SIZE of --pool; *capacity is -1 without SIZE, and *name is released with
 * free().
 */
int problems_parse_pool(const char *text, char **name, neap_size *capacity);

#endif
