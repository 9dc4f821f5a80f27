/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of an operator graph: tensors, operators in the order of execution, and liveness,
 * which makes a problem of them.
 */
#ifndef MODEL_GRAPH_H
#define MODEL_GRAPH_H

#include "core/names.h"
#include "neap/neap.h"

enum graph_kind {
  GRAPH_ACTIVATION, /* made by an operator, or an input of the graph */
  GRAPH_CONSTANT,   /* weights: not planned */
  GRAPH_VARIABLE,   /* keeps its contents from run to run: alive throughout */
  GRAPH_EXTERNAL    /* lies elsewhere: not planned */
};

struct graph_tensor {
  neap_size bytes, alignment;
  enum graph_kind kind;
  bool is_input, is_output, is_kept; /* kept: alive to the end once it is made */
};

/* A run of the graph's links: tensor numbers. */
struct graph_links {
  size_t begin, end;
};

/* An output that may take the place of an input. */
struct graph_pair {
  size_t input, output; /* positions among the operator's */
  bool is_view;         /* the output is the input's data, under another shape */
};

struct graph_operator {
  char *name;
  struct graph_links inputs, outputs, temporaries;
  size_t pairs_begin, pairs_end;
  int device; /* tensors on different devices do not share memory in runtimes that know of them */
};

struct neap_graph {
  struct names names; /* of tensors */
  struct graph_tensor *tensors;
  size_t tensor_capacity;
  struct graph_operator *operators;
  size_t operator_count, operator_capacity;
  size_t *links;
  size_t link_count, link_capacity;
  struct graph_pair *pairs;
  size_t pair_count, pair_capacity;
  /* Once it is scheduled: where each operator was in the order given, and the bound of that. */
  size_t *given;
  neap_size given_bound;
};

static inline size_t graph_tensor_count(const struct neap_graph *graph) {
  return graph->names.count;
}

/* NULL when memory is short. */
struct neap_graph *graph_new(void);

/* NEAP_ERROR_INPUT: the name is taken, or empty, or the bytes or the alignment out of range. */
neap_status graph_add_tensor(struct neap_graph *graph, const char *name,
                             const struct graph_tensor *tensor, neap_error *error);

/*
 * Adds an operator to the end.  Its inputs, outputs, temporaries and pairs are added after it, in
 * this order.
 */
neap_status graph_add_operator(struct neap_graph *graph, const char *name, neap_error *error);

enum graph_role { GRAPH_INPUT, GRAPH_OUTPUT, GRAPH_TEMPORARY };

/* To the last operator. */
neap_status graph_add_link(struct neap_graph *graph, enum graph_role role, size_t tensor,
                           neap_error *error);
neap_status graph_add_pair(struct neap_graph *graph, const struct graph_pair *pair,
                           neap_error *error);

/* Whether a tensor lives on to the end once it is there. */
bool graph_stays(const struct neap_graph *graph, const neap_liveness *options, size_t tensor);

/* Whether it is the planner's, provided that anything makes it. */
bool graph_is_planned(const struct neap_graph *graph, const neap_liveness *options,
                      size_t tensor);

#endif
