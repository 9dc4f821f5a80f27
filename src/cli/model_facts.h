/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about an input that is a graph of operators, besides its buffers. */
#ifndef CLI_MODEL_FACTS_H
#define CLI_MODEL_FACTS_H

#include "neap-tool.h"
#include <neap/neap-io.h>
#include <stdio.h>

#include "cli/ladder.h"

struct model_facts {
  size_t operators, tensors;
  neap_left_out left_out;
  bool is_scheduled;        /* reordered by --schedule */
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
