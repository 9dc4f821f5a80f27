/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is to say of an input that is a graph of operators, beside its buffers. */
#ifndef CLI_MODEL_H
#define CLI_MODEL_H

#include <neap/neap.h>

struct model {
  size_t operators, tensors;
  neap_left_out left_out;
  bool is_scheduled;        /* the order is not the graph's own */
  neap_size min_peak_bound; /* of the best order that is found */
};

/*
 * Fills what there is to say of a problem that was read as a graph, with this liveness.
 * Returns 0, or the exit code of the message that it has printed.
 */
int model_find(struct model *model, const neap_problem *problem, const neap_liveness *liveness);

/*
 * For people: lines with labels of `label_width`.  `total` bytes are all buffers together, `peak`
 * those of a plan, or NEAP_UNPLACED.
 */
void model_print(const struct model *model, const neap_bound *bound, neap_size total,
                 neap_size peak, int label_width);

#endif
