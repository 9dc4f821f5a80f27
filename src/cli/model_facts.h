/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about an input that is a graph of operators, besides its buffers. */
#ifndef CLI_MODEL_FACTS_H
#define CLI_MODEL_FACTS_H

#include <neap/neap.h>
#include <stdio.h>

struct model_facts {
  size_t operators, tensors;
  neap_left_out left_out;
  bool is_scheduled;        /* reordered by --schedule */
  neap_size min_peak_bound; /* of the best order found */
};

/*
 * Describes a problem that was built from a graph with this liveness.  Returns 0, or the exit
 * code of the message it has printed.
 */
int model_facts_find(struct model_facts *model, const neap_problem *problem,
                     const neap_liveness *liveness);

/*
 * Prints lines with labels of `label_width`.  `total` is the sum of all sizes, `peak` that of a
 * plan, or NEAP_UNPLACED.
 */
void model_facts_print(FILE *stream, const struct model_facts *model, const neap_bound *bound,
                       neap_size total, neap_size peak, int label_width);

#endif
