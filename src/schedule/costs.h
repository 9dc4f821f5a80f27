/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an order of a graph's operators costs: their dependences, and the bytes that each operator
 * allocates, shares and frees.  Bytes are those of values (model/values), so that views and other
 * aliases cost nothing.
 */
#ifndef SCHEDULE_COSTS_H
#define SCHEDULE_COSTS_H

#include "model/graph.h"
#include "schedule/shares.h"

/* A run of numbers per operator: those of operator k end at ends[k]. */
struct costs_lists {
  size_t *ends, *items;
};

static inline size_t costs_begin(const struct costs_lists *lists, size_t k) {
  return k == 0 ? 0 : lists->ends[k - 1];
}

void costs_lists_clear(struct costs_lists *lists);

enum costs_life {
  COSTS_STARTS = 1, /* alive before the first operator */
  COSTS_STAYS = 2   /* alive after the last */
};

#define COSTS_NONE SIZE_MAX

struct costs {
  size_t count; /* operators; their numbers are a topological order */
  /* Per operator: those that must run before it, once each, and those that must run after it. */
  struct costs_lists befores, afters;
  /* Per operator: the values that it reads and that end, once each. */
  struct costs_lists inputs;
  /* Per value: the operators that read it, once each; of those that stay, too. */
  struct costs_lists readers;
  struct shares shares;
  neap_size *sizes;     /* per value; 0 if it is not planned */
  size_t *maker;        /* per value: an operator or COSTS_NONE */
  unsigned char *lives; /* per value: a sum of costs_life */
  neap_size *made;      /* per operator: all that it makes */
  neap_size *dropped;   /* per operator: of that, what is never read */
  neap_size at_start;   /* bytes alive before the first operator */
  neap_size unread; /* of these, inputs that are never read: they end with the first operator */
  size_t edge_count; /* dependences: the items of befores */
  size_t value_count, share_count;
  size_t output_count; /* the most outputs with shares that an operator has */
};

/* The graph's liveness must have been checked.  Begin with zeroes; clear even on failure. */
neap_status costs_init(struct costs *costs, const struct neap_graph *graph,
                       const neap_liveness *options, neap_error *error);
void costs_clear(struct costs *costs);

/* A walk through an order. */
struct costs_walk {
  const struct costs *costs;
  size_t *left; /* per value that ends: the operators that still have to read it */
  struct share_uses uses;
  neap_size live, peak; /* the bytes alive now, and the most so far */
  size_t passed;        /* operators */
};

/* False if memory is short; clear even then. */
bool costs_walk_init(struct costs_walk *walk, const struct costs *costs);
void costs_walk_clear(struct costs_walk *walk);

/* Begins the walk again. */
void costs_walk_start(struct costs_walk *walk);

/* Continues the walk with operator k. */
void costs_walk_pass(struct costs_walk *walk, size_t k);

/* Begins the walk again, and passes the first `count` operators of an order. */
void costs_walk_to(struct costs_walk *walk, const size_t *order, size_t count);

/* The most bytes alive in an order of all operators: the bound of the problem that it makes. */
neap_size costs_walk_peak(struct costs_walk *walk, const size_t *order);

#endif
