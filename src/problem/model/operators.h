/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators of the graph that a problem was built from, which the planners of some runtimes
 * need.  A tensor is represented by its buffer, which several tensors may share; tensors that
 * are not planned are omitted.
 */
#ifndef MODEL_OPERATORS_H
#define MODEL_OPERATORS_H

#include "neap/neap.h"

/* A run of buffers per operator: those of operator k end at ends[k]. */
struct operator_lists {
  size_t *ends, *items;
};

struct operators {
  size_t count, buffer_count;
  struct operator_lists inputs, outputs, temporaries; /* outputs shared in place are omitted */
  int *devices;
  unsigned char *roles; /* per buffer: a set of operators_role */
};

enum operators_role {
  OPERATORS_INPUT = 1,    /* of the graph: exists from the beginning */
  OPERATORS_VARIABLE = 2, /* exists from the beginning and stays */
  OPERATORS_STAYS = 4,    /* needed after the last operator */
  OPERATORS_UNUSED = 8    /* neap_problem_is_unused */
};

/* Whether all `count` buffers of a problem come from a graph, in which `buffer` is unused. */
static inline bool operators_is_unused(const struct operators *operators, size_t count,
                                       size_t buffer) {
  return operators && operators->buffer_count == count &&
         (operators->roles[buffer] & OPERATORS_UNUSED) != 0;
}

static inline size_t operators_begin(const struct operator_lists *lists, size_t k) {
  return k == 0 ? 0 : lists->ends[k - 1];
}

/* Creates lists with room for `links` buffers each; NULL if memory is short. */
struct operators *operators_new(size_t count, size_t buffer_count, size_t links);
void operators_free(struct operators *operators);

#endif
