/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about an input that is a graph of operators, besides its buffers. */
#ifndef CLI_OUTPUT_LADDER_H
#define CLI_OUTPUT_LADDER_H

#include <jansson.h>
#include <neap/neap-io.h>
#include <stdio.h>

#include "cli/options/means.h"
#include "neap-tool.h"

/*
 * The ladder of a graph of operators: how much memory its tensors need without reuse, and the bound
 * after each means that lowers it (means.h), from reuse in the given order to the best order with
 * everything that tensors may share, and then in bands.
 */
struct rung {
  const struct means *means;
  char option[MEANS_TEXT]; /* that leads here from the rung before; "": none */
  neap_size bytes;         /* the bound; of the first rung, the sum of sizes */
  neap_size lower_bound; /* of a plan, without search: `bytes`, or more because of alignments */
  neap_size
      order_lower_bound; /* proven for every order of the operators; 0: nothing is proven */
};
#define LADDER_RUNGS 10

struct ladder {
  struct rung rungs[LADDER_RUNGS];
  size_t count;
  bool is_fixed;                                /* the operators cannot be reordered */
  char no_bands[sizeof((neap_error *)0)->text]; /* why bands were not tried, or "" */
};

/*
 * Climbs the ladder of the graph in the operand, from which `problem` was built, with or without
 * bands.  Returns 0, or the exit code of the message it has printed.
 */
int ladder_find(struct ladder *ladder, const struct arguments *arguments,
                const neap_problem *problem, bool has_bands);

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
 * Describes the model in the operand, from which `problem` was built.  Returns 0, or the exit code
 * of the message it has printed.
 */
int model_facts_find(struct model_facts *model, const struct arguments *arguments,
                     const neap_problem *problem);

/* Prints lines with labels of `label_width`; `peak` is that of a plan, or NEAP_UNPLACED. */
void model_facts_print(FILE *stream, const struct model_facts *model, neap_size peak,
                       int label_width);

#endif
