/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an order of a graph's operators costs: their dependences, and the bytes that each operator
 * allocates and frees.  In-place sharing is not modelled.
 */
#ifndef SCHEDULE_COSTS_H
#define SCHEDULE_COSTS_H

#include "model/graph.h"

/* A run of numbers per operator: those of operator k end at ends[k]. */
struct costs_lists {
  size_t *ends, *items;
};

static inline size_t costs_begin(const struct costs_lists *lists, size_t k) {
  return k == 0 ? 0 : lists->ends[k - 1];
}

void costs_lists_clear(struct costs_lists *lists);

struct costs {
  size_t count; /* operators; their numbers are a topological order */
  /* Per operator: those that must run before it, once each, and those that must run after it. */
  struct costs_lists befores, afters;
  /* Per operator: the tensors that it reads and that end, once each. */
  struct costs_lists inputs;
  /* Per tensor: the operators that read it, once each. */
  struct costs_lists readers;
  neap_size *sizes;   /* per tensor; 0 if it is not planned */
  neap_size *made;    /* per operator: all that it makes */
  neap_size *dropped; /* per operator: of that, what is never read */
  neap_size at_start; /* bytes alive before the first operator */
  neap_size unread; /* of these, inputs that are never read: they end with the first operator */
  size_t edge_count; /* dependences: the items of befores */
  size_t tensor_count;
};

/* The graph's liveness must have been checked.  Begin with zeroes; clear even on failure. */
neap_status costs_init(struct costs *costs, const struct neap_graph *graph,
                       const neap_liveness *options, neap_error *error);
void costs_clear(struct costs *costs);

/* Begins a walk through an order: sets left[t] to the number of operators that read tensor t. */
void costs_start(const struct costs *costs, size_t *left);

/*
 * Continues the walk with operator k: updates *live, the bytes alive, and *peak, the most so far.
 * After the first operator, the caller subtracts costs->unread from *live.
 */
void costs_pass(const struct costs *costs, size_t k, size_t *left, neap_size *live,
                neap_size *peak);

/*
 * Returns the most bytes alive in an order of operators, which is the bound of the problem built
 * without in-place sharing.  `left` has room for a number per tensor.
 */
neap_size costs_peak(const struct costs *costs, const size_t *order, size_t *left);

/* The most bytes that one operator reads and makes.  No order has a lower peak. */
neap_size costs_least(const struct costs *costs);

#endif
