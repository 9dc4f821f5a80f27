/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of neap that lower the memory of a graph and cost its user nothing: another order of
 * operators, and tensors that share bytes.
 */
#ifndef CLI_LEVERS_H
#define CLI_LEVERS_H

#include "cli/arguments.h"

#define LEVERS_MOST 8
#define LEVER_TEXT 160

struct lever {
  char options[LEVER_TEXT]; /* "--schedule optimal --in-place" */
  neap_size bound, peak;    /* of a verified plan with them */
};

struct levers {
  struct lever items[LEVERS_MOST];
  size_t count;
};

/*
 * Plans the graph in the operand with combinations of these options, and lists those with which the
 * peak is at most `wanted`.  Finds none for inputs that are no graphs, and for standard input.
 * Returns 0, or the exit code of the message it has printed.
 */
int levers_find(struct levers *levers, const struct arguments *arguments,
                const neap_problem *problem, neap_size wanted);

#endif
