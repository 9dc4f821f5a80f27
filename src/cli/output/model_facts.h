/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about an input that is a graph of operators, besides its buffers. */
#ifndef CLI_OUTPUT_MODEL_FACTS_H
#define CLI_OUTPUT_MODEL_FACTS_H

#include "neap-tool.h"
#include <jansson.h>
#include <neap/neap-io.h>
#include <stdio.h>

/*
 * The ladder of a graph of operators: how much memory its tensors need without reuse, and the bound
 * after each thing that lowers it, from reuse in the given order to the best order with everything
 * that tensors may share.
 */
enum rung_kind {
  RUNG_TOTAL,       /* without reuse */
  RUNG_GIVEN_ORDER, /* reuse in the given order */
  RUNG_BEST_ORDER,
  RUNG_IN_PLACE,
  RUNG_OVERLAP,
  RUNG_ALIASES,
  RUNG_BANDS /* which compute what the model computes in another way */
};
#define LADDER_RUNGS (RUNG_BANDS + 1)

struct rung {
  enum rung_kind kind;
  /* The option that leads here from the rung before and its value; NULL: none is needed, it has none. */
  const char *option, *value;
  neap_kernels kernels;  /* to name as well, or NEAP_KERNELS_DEFAULT */
  neap_size bytes;       /* the bound; of the first rung, the sum of sizes */
  neap_size lower_bound; /* of a plan, without search: `bytes`, or more because of alignments */
  neap_size
      order_lower_bound; /* proven for every order of the operators; 0: nothing is proven */
};

struct ladder {
  struct rung rungs[LADDER_RUNGS];
  size_t count;
  bool is_fixed;                                /* the operators cannot be reordered */
  char no_bands[sizeof((neap_error *)0)->text]; /* why bands were not tried, or "" */
};

/* Makes a reading, or the schedule, do what the option of a rung does; false if it does so already, or in another way. */
bool rung_apply(const struct rung *rung, neap_reading *reading, neap_schedule *schedule);

#define RUNG_OPTION 64

/* "--kernels elementwise --overlap".  Returns `text`. */
const char *rung_option(const struct rung *rung, char text[RUNG_OPTION]);

/* Prints a heading and the rungs. */
void ladder_print(FILE *stream, const struct ladder *ladder);

/* A list of the rungs; NULL when memory is short. */
json_t *ladder_json(const struct ladder *ladder);

struct model_facts {
  size_t operators, tensors;
  neap_left_out left_out;
  bool is_scheduled;        /* reordered by --schedule */
  const char *missing;      /* the first part of the model that is left out; NULL: none */
  neap_size min_peak_bound; /* of the order of --schedule min-peak; only for JSON */
  struct ladder ladder;
};

/*
 * Describes a problem that was read from the graph at `path`.  Returns 0, or the exit code of the
 * message it has printed.
 */
int model_facts_find(struct model_facts *model, const char *path, const neap_problem *problem,
                     const neap_reading *reading, bool for_json);

/* Prints lines with labels of `label_width`; `peak` is that of a plan, or NEAP_UNPLACED. */
void model_facts_print(FILE *stream, const struct model_facts *model, neap_size peak,
                       int label_width);

#endif
