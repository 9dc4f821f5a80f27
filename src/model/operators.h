/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators that a problem's buffers come from, where it was made of a graph: what the
 * planners of some runtimes go by.  Tensors that share a buffer in place are that buffer; what
 * is not planned is left out.
 */
#ifndef MODEL_OPERATORS_H
#define MODEL_OPERATORS_H

#include "neap/neap.h"

/* Of each operator a run of buffers: those of operator k end at ends[k]. */
struct operator_lists {
  size_t *ends, *items;
};

struct operators {
  size_t count, buffer_count;
  struct operator_lists inputs, outputs, temporaries; /* an output is made here, not shared */
  int *devices;
  unsigned char *roles; /* of each buffer: a set of operators_role */
};

enum operators_role {
  OPERATORS_INPUT = 1,    /* of the graph: there from the beginning */
  OPERATORS_VARIABLE = 2, /* the same, and it stays */
  OPERATORS_STAYS = 4     /* needed after the last operator */
};

static inline size_t operators_begin(const struct operator_lists *lists, size_t k) {
  return k == 0 ? 0 : lists->ends[k - 1];
}

/* Room for `links` buffers in each list; NULL when memory is short. */
struct operators *operators_new(size_t count, size_t buffer_count, size_t links);
void operators_free(struct operators *operators);

#endif
