/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ladder of a graph of operators: how much memory its tensors need without reuse, and the bound
 * after each thing that lowers it, from reuse in the given order to the best order with everything
 * that tensors may share.
 */
#ifndef CLI_LADDER_H
#define CLI_LADDER_H

#include <jansson.h>
#include <neap/neap-io.h>
#include <stdio.h>

#define LADDER_RUNGS 6

struct rung {
  const char *key; /* in JSON */
  const char
      *option;     /* the option that leads here from the rung before; NULL: none is needed */
  char value[64];  /* of the option; "": it has none */
  neap_size bytes; /* the bound; of the first rung, the sum of sizes */
  neap_size lower_bound; /* of a plan, without search: `bytes`, or more because of alignments */
  neap_size
      order_lower_bound; /* proven for every order of the operators; 0: nothing is proven */
};

struct ladder {
  struct rung rungs[LADDER_RUNGS];
  size_t count;
  bool is_fixed; /* the operators cannot be reordered */
};

/*
 * Climbs the ladder of the graph at `path`, or of that of `problem` if `path` can be read only once.
 * What `reading` says about sharing and about the order is not used, except the profile of kernels.
 * Returns 0, or the exit code of the message it has printed.
 */
int ladder_climb(struct ladder *ladder, const char *path, const neap_problem *problem,
                 const neap_reading *reading);

/* Prints a heading and the rungs. */
void ladder_print(FILE *stream, const struct ladder *ladder);

/* A list of the rungs; NULL when memory is short. */
json_t *ladder_json(const struct ladder *ladder);

#endif
