/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an order of a graph's operators costs: their dependences, and the bytes that each operator
 * allocates and frees.  In-place sharing is not modelled.
 */
#ifndef SCHEDULE_COSTS_H
#define SCHEDULE_COSTS_H

#include "model/graph.h"
#include "schedule/topology.h"

/* A run of numbers per operator: those of operator k end at ends[k]. */
struct schedule_lists {
  size_t *ends, *items;
};

static inline size_t schedule_begin(const struct schedule_lists *lists, size_t k) {
  return k == 0 ? 0 : lists->ends[k - 1];
}

void schedule_lists_clear(struct schedule_lists *lists);

struct schedule {
  size_t count;                  /* operators */
  struct schedule_lists befores; /* per operator: those that must run before it, once each */
  struct schedule_lists afters;  /* per operator: those that must run after it */
  struct schedule_lists
      inputs; /* per operator: tensors that it reads and that end, once each */
  struct schedule_lists readers; /* per tensor: the operators that read it, once each */
  neap_size *sizes;              /* per tensor */
  neap_size *made, *dropped;     /* per operator: all that it makes, and what is never read */
  neap_size at_start;            /* bytes alive before the first operator */
  neap_size unread; /* of these, inputs that are never read: they end with the first operator */
  struct topology_edge *edges; /* the same dependences as in befores */
  size_t edge_count;
};

/* The graph's liveness must have been checked.  Begin with zeroes; clear even on failure. */
neap_status schedule_init(struct schedule *schedule, const struct neap_graph *graph,
                          const neap_liveness *options, neap_error *error);
void schedule_clear(struct schedule *schedule);

/* Begins a walk through an order: sets left[t] to the number of operators that read tensor t. */
void schedule_start(const struct schedule *schedule, size_t *left);

/*
 * Continues the walk with operator k: updates *live, the bytes alive, and *peak, the most so far.
 * After the first operator, the caller subtracts schedule->unread from *live.
 */
void schedule_pass(const struct schedule *schedule, size_t k, size_t *left, neap_size *live,
                   neap_size *peak);

/*
 * Returns the most bytes alive in an order of operators, which is the bound of the problem built
 * without in-place sharing.  `left` has room for a number per tensor.
 */
neap_size schedule_peak(const struct schedule *schedule, const size_t *order, size_t *left);

/* The most bytes that one operator reads and makes.  No order has a lower peak. */
neap_size schedule_least(const struct schedule *schedule);

/*
 * Finds a lower bound on the peak of every order; with `shared`, even if outputs share the bytes of
 * inputs.  There is no search, so the lowest peak may be higher.
 */
neap_status schedule_bound(const struct schedule *schedule, const struct neap_graph *graph,
                           const neap_liveness *options, bool shared, neap_size *bytes,
                           neap_error *error);

/* Whether any output may take the bytes of an input, which `schedule` does not model. */
bool schedule_shares(const struct neap_graph *graph, const neap_liveness *options);

/* Fills `order` depth first, most demanding branch first. */
neap_status schedule_depth_first(const struct schedule *schedule, size_t *order,
                                 neap_error *error);

/*
 * Lowers the peak of `order`, a topological order, by a bounded search.  Raises *least, a lower bound
 * on the peak of every order, to what the search proves: if `order` is proven optimal, its peak.
 */
neap_status schedule_search(const struct schedule *schedule, size_t *order, size_t tensor_count,
                            neap_size *least, neap_error *error);

#endif
