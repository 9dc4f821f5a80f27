/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A graph as what orders of its operators cost: what must come before what, and which bytes every
 * operator makes and is the last to read.  Nothing is shared in place here.
 */
#ifndef MODEL_SCHEDULE_H
#define MODEL_SCHEDULE_H

#include "model/graph.h"
#include "model/topology.h"

/* Of each operator a run of numbers: those of operator k end at ends[k]. */
struct schedule_lists {
  size_t *ends, *items;
};

static inline size_t schedule_begin(const struct schedule_lists *lists, size_t k) {
  return k == 0 ? 0 : lists->ends[k - 1];
}

void schedule_lists_clear(struct schedule_lists *lists);

struct schedule {
  size_t count;                  /* operators */
  struct schedule_lists befores; /* of each operator: who must come before it, once each */
  struct schedule_lists afters;  /* and after it */
  struct schedule_lists inputs;  /* tensors that it reads, once each, if they end at all */
  struct schedule_lists readers; /* of each tensor: the operators that read it, once each */
  neap_size *sizes;              /* of each tensor */
  neap_size *made, *dropped;     /* by each operator: all of it, and what nobody reads */
  neap_size at_start;            /* bytes alive throughout, or from the beginning */
  struct topology_edge *edges;   /* the same as befores */
  size_t edge_count;
};

/* A graph whose liveness has been seen to be sound.  Begin with zeroes; clear in any case. */
neap_status schedule_init(struct schedule *schedule, const struct neap_graph *graph,
                          const neap_liveness *options, neap_error *error);
void schedule_clear(struct schedule *schedule);

/* Going through an order: how many still read each tensor, before the first operator. */
void schedule_start(const struct schedule *schedule, size_t *left);

/* And from one operator to the next: *live before and after it, *peak the most so far. */
void schedule_pass(const struct schedule *schedule, size_t k, size_t *left, neap_size *live,
                   neap_size *peak);

/* The most bytes alive in an order of operators; `left` has room for a number per tensor. */
neap_size schedule_peak(const struct schedule *schedule, const size_t *order, size_t *left);

/* No order has a lower peak: the most that one operator reads and makes. */
neap_size schedule_least(const struct schedule *schedule);

/* Fills `order`: from what nobody comes after down, first what takes most room beyond its result. */
neap_status schedule_depth_first(const struct schedule *schedule, size_t *order,
                                 neap_error *error);

/*
 * Betters `order`, a topological order, by a bounded search; it stays where nothing better is
 * found.
 */
neap_status schedule_search(const struct schedule *schedule, size_t *order, size_t tensor_count,
                            neap_error *error);

#endif
