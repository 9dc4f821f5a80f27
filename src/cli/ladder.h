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

enum rung_kind {
  RUNG_TOTAL,       /* without reuse */
  RUNG_GIVEN_ORDER, /* reuse in the given order */
  RUNG_BEST_ORDER,
  RUNG_IN_PLACE,
  RUNG_OVERLAP,
  RUNG_ALIASES
};
#define LADDER_RUNGS (RUNG_ALIASES + 1)

struct rung {
  enum rung_kind kind;
  /* The option that leads here from the rung before and its value; NULL: none is needed, it has none. */
  const char *option, *value;
  neap_size bytes;       /* the bound; of the first rung, the sum of sizes */
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

/* Makes a reading do what the option of a rung does; false if it does so already, or in another way. */
bool rung_apply(const struct rung *rung, neap_reading *reading);

#define RUNG_OPTION 64

/* "--overlap elementwise".  Returns `text`. */
const char *rung_option(const struct rung *rung, char text[RUNG_OPTION]);

/* Prints a heading and the rungs. */
void ladder_print(FILE *stream, const struct ladder *ladder);

/* A list of the rungs; NULL when memory is short. */
json_t *ladder_json(const struct ladder *ladder);

#endif
