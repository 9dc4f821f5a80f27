/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operators that run bodies, such as If, Loop and CALL_ONCE.  A graph has one sequence of
 * operators, in which a call looks like this:
 *
 *     call        reads the operator's inputs, makes its outputs
 *     enter       makes the inputs of the first body
 *     ...         the operators of the first body
 *     leave       reads the outputs of the first body
 *     enter, ..., leave   likewise for the second body
 *     return      reads the operator's inputs and outputs
 *
 * So the operator's own tensors outlive the call; they hold the state of a loop between two turns.
 * Bodies of one operator may use the same bytes.  No operator may move across a call.
 *
 * If several operators call a body, it is in the sequence once per call.  From the second call
 * on, its tensors already exist and are only read, so they live from the first call to the
 * last.  Such a body also keeps its order; no other is better, because all its tensors are
 * alive at the end of the first call.
 */
#ifndef MODELS_OPERATORS_SUBGRAPH_CALLS_H
#define MODELS_OPERATORS_SUBGRAPH_CALLS_H

#include "neap/graph.h"

/* A body in the sequence. */
struct calls_visit {
  size_t body;
  bool is_again;      /* its tensors exist from an earlier call */
  const char *caller; /* the type of the operator that calls it; NULL: it is the main one */
};

/* The functions by which a format adds to the graph. */
struct calls_format {
  /* The operators of a body, in their order. */
  neap_status (*operators)(void *user, const struct calls_visit *visit, neap_error *error);
  /* The links of the step that enters a body, and of the one that leaves it. */
  neap_status (*enter)(void *user, const struct calls_visit *visit, neap_error *error);
  neap_status (*leave)(void *user, const struct calls_visit *visit, neap_error *error);
};

struct calls_span;

struct calls {
  neap_graph *graph;
  const struct calls_format *format;
  void *user;
  size_t body_count;
  unsigned char *states;    /* of each body */
  struct calls_span *spans; /* of each body that has run */
  size_t depth;             /* of calls within calls */
};

/* Makes room for body_count bodies; false if memory is short.  Clear even then. */
bool calls_init(struct calls *calls);
void calls_clear(struct calls *calls);

/* Adds a body that an operator of the type `caller` calls; NULL: the main one. */
neap_status calls_run(struct calls *calls, size_t body, const char *caller, neap_error *error);

/* Whether a body is in the sequence. */
bool calls_has_run(const struct calls *calls, size_t body);

/* Adds a step of a call, which is no operator of the model. */
neap_status calls_add_step(struct calls *calls, const char *name, neap_error *error);

#endif
