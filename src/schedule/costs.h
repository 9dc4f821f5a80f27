/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The costs of orders of a graph's operators: dependences, and the bytes that each operator
 * allocates, shares and frees.  Bytes are counted per value (model/values), so views and other
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

/*
 * Copies the lists of `owners` owners, at least one, with room for `more` items.  False if memory is short;
 * clear even then.
 */
bool costs_lists_copy(struct costs_lists *copy, const struct costs_lists *lists, size_t owners,
                      size_t more);

/* Copies the lists to others, which have room for them. */
void costs_lists_assign(struct costs_lists *to, const struct costs_lists *from, size_t owners);

/* Makes operator `after` depend on `before`, in the lists of `count` operators, which have room for it. */
void costs_lists_depend(struct costs_lists *befores, struct costs_lists *afters, size_t count,
                        size_t before, size_t after);

void costs_lists_clear(struct costs_lists *lists);

enum costs_life {
  COSTS_STARTS = 1, /* alive before the first operator */
  COSTS_STAYS = 2   /* alive after the last operator */
};

#define COSTS_NONE SIZE_MAX

struct costs {
  size_t count; /* operators; their numbers are a topological order */
  /*
   * Per operator, each once: the operators that must run before it, and those that must run
   * after it.
   */
  struct costs_lists befores, afters;
  /* Per operator, each once: the values that it reads and that can end. */
  struct costs_lists inputs;
  /* Per value, each once: the operators that read it, also if it stays. */
  struct costs_lists readers;
  struct shares shares;
  neap_size *sizes;     /* per value; 0 if it is not planned */
  size_t *maker;        /* per value: an operator or COSTS_NONE */
  unsigned char *lives; /* per value: a sum of costs_life */
  neap_size *made;      /* per operator: the bytes of all that it makes */
  neap_size *dropped;   /* per operator: the bytes of its outputs that are never read */
  neap_size at_start;   /* bytes alive before the first operator */
  neap_size unread; /* the most outputs with shares of one operator */
  size_t edge_count; /* the number of dependences, which is the length of befores */
  size_t value_count, share_count;
  size_t output_count; /* the largest number of outputs with shares of one operator */
};

/* The graph's liveness must have been checked.  Begin with zeroes; clear even on failure. */
neap_status costs_init(struct costs *costs, const struct neap_graph *graph,
                       const neap_liveness *options, neap_error *error);
void costs_clear(struct costs *costs);

/* A walk through an order, which tracks the bytes alive. */
struct costs_walk {
  const struct costs *costs;
  size_t *left; /* per value that can end: the operators that still have to read it */
  struct share_uses uses;
  neap_size live, peak; /* the bytes alive now, and their maximum so far */
  size_t passed;        /* the operators passed */
};

/* False if memory is short; clear even then. */
bool costs_walk_init(struct costs_walk *walk, const struct costs *costs);
void costs_walk_clear(struct costs_walk *walk);

/* Restarts the walk. */
void costs_walk_start(struct costs_walk *walk);

/* Continues the walk with operator k. */
void costs_walk_pass(struct costs_walk *walk, size_t k);

/* Restarts the walk and passes the first `count` operators of an order. */
void costs_walk_to(struct costs_walk *walk, const size_t *order, size_t count);

/*
 * The maximum of bytes alive over an order of all operators, which is the bound of the
 * resulting problem.
 */
neap_size costs_walk_peak(struct costs_walk *walk, const size_t *order);

#endif
