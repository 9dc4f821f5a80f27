/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The internals of an operator graph: tensors, and operators in execution order.  Liveness builds a
 * problem from it.
 */
#ifndef MODEL_GRAPH_H
#define MODEL_GRAPH_H

#include "core/checked.h"
#include "core/names.h"
#include "model/runtime_arena.h"
#include "model/shapes.h"
#include "neap/graph.h"

/* A run of the graph's links: tensor numbers. */
struct graph_links {
  size_t begin, end;
};

/* Constraints on the order of an operator beyond the data flow that links show. */
enum graph_keep {
  GRAPH_FREE,
  GRAPH_CHAINED, /* it keeps its order relative to the other chained operators (side effects) */
  GRAPH_KEPT     /* no operator may move across it */
};

struct graph_operator {
  char *name;  /* the operator's type */
  char *label; /* the operator's own name; NULL: none */
  struct graph_links inputs, outputs, temporaries;
  size_t pairs_begin, pairs_end;
  size_t allowances_begin, allowances_end;
  size_t parts_begin, parts_end;
  int device; /* some runtimes do not share memory between devices */
  enum graph_keep keep;
  int64_t duration;   /* GRAPH_UNTIMED: unknown */
  bool is_once;       /* it must not run again */
  size_t body, place; /* the body it was read from, and its index there; or GRAPH_STEP */
};

/* In place of an unknown duration, which counts as 1. */
#define GRAPH_UNTIMED (-1)

/* Instead of a body: the operator only enters, leaves or repeats a body. */
#define GRAPH_STEP SIZE_MAX

/*
 * A lower bound for every order of the operators.  It holds as long as no tensor is alive for
 * less time than assumed.
 */
struct graph_proof {
  neap_size least;      /* 0: nothing is proven */
  unsigned char *lives; /* per tensor: the assumption */
  bool in_place, overlap;
  unsigned aliases;
};

/* The time that the runs of operators take; see neap_operator_order. */
struct graph_times {
  int64_t time, once, least;
  neap_time_unit unit;
};

/* A tensor with a fixed offset inside the buffer of another tensor, its home, or of itself. */
struct graph_pin {
  size_t home;
  neap_offset offset; /* NEAP_UNPLACED: it is not pinned */
};

/* The sizes of a part and its whole when the part was added; a target may round them up later. */
struct graph_extent {
  neap_size bytes, whole;
};

/* An output that is an input of the next run. */
struct graph_state {
  size_t output, input;
};

struct neap_graph {
  struct names names;   /* of tensors */
  neap_tensor *tensors; /* without shape and type, which are in `shapes` */
  size_t tensor_capacity;
  struct shapes shapes;
  struct graph_operator *operators;
  size_t operator_count, operator_capacity;
  size_t step_count; /* operators that enter, leave or repeat a called subgraph */
  size_t *links;
  size_t link_count, link_capacity;
  neap_in_place *pairs;
  size_t pair_count, pair_capacity;
  neap_allowance *allowances;
  size_t allowance_count, allowance_capacity;
  neap_part *parts;
  struct graph_extent *extents; /* per part */
  size_t part_count, part_capacity, extent_capacity;
  size_t *given; /* each operator's index in the original order; NULL before scheduling */
  neap_size given_bound; /* of the original order */
  uint64_t order_ticks;  /* taken to find the order */
  double order_seconds;
  struct graph_proof proof;
  struct graph_times times; /* zeroes: operators do not run again */
  struct graph_pin *pins;   /* one per tensor; NULL: none is pinned */
  struct graph_state *states;
  size_t state_count, state_capacity;
  bool *is_state; /* per tensor below mark_count; further tensors are not states */
  size_t mark_count;
  struct names unknown_scratch; /* neap_problem_unknown_scratch */
  struct names missing;         /* neap_problem_missing */
  struct runtime_arena *arena;  /* neap_problem_arena; NULL: it is unknown */
  bool is_part;                 /* operators outside this graph make its inputs */
  bool is_ordered;              /* pins forbid reordering the operators */
  bool leads_in;                /* inputs exist for a moment before the first operator */
  bool counts_work;             /* durations are NEAP_TIME_WORK */
};

static inline size_t graph_tensor_count(const struct neap_graph *graph) {
  return graph->names.count;
}

/* Whether the caller fills a tensor, so that nothing may lie over it. */
static inline bool graph_is_given(const struct neap_graph *graph, size_t tensor) {
  return graph->tensors[tensor].is_input && !graph->is_part;
}

/* Marks the operator added last as one that must not run again: a second run may differ. */
static inline void graph_run_once(struct neap_graph *graph) {
  graph->operators[graph->operator_count - 1].is_once = true;
}

/* Implements neap_graph_add_state for both libraries. */
neap_status graph_add_state(struct neap_graph *graph, size_t output, size_t input,
                            neap_error *error);

/* Gives a copy with the same tensors the states; false if memory is short. */
bool graph_copy_states(const struct neap_graph *graph, struct neap_graph *copy);

/* Gives all tensors one alignment. */
static inline void graph_align(struct neap_graph *graph, neap_size alignment) {
  for (size_t t = 0; t < graph_tensor_count(graph); t++)
    graph->tensors[t].alignment = alignment;
}

/*
 * Raises alignments to multiples of another, unless they would exceed their range: parts of
 * tensors must suit the alignment that the problem will get.
 */
static inline void graph_raise_alignment(struct neap_graph *graph, neap_size alignment) {
  for (size_t t = 0; t < graph_tensor_count(graph); t++) {
    neap_size *own = &graph->tensors[t].alignment;
    checked_mul(*own, alignment / common_divisor(*own, alignment), own);
  }
}

/* The result of neap_graph_kept_count. */
static inline size_t graph_kept_count(const struct neap_graph *graph) {
  size_t count = 0;
  for (size_t k = 0; k < graph->operator_count; k++)
    count += graph->operators[k].keep != GRAPH_FREE && graph->operators[k].body != GRAPH_STEP;
  return count;
}

/* The number of moments before operator 0 runs: 0 or 1. */
static inline size_t graph_lead(const struct neap_graph *graph) { return graph->leads_in; }

/* How long an operator runs; 1 if neither neap_graph_time_operator nor a model has stated it. */
int64_t graph_operator_duration(const struct neap_graph *graph, size_t index);

/* The unit of durations. */
neap_time_unit graph_time_unit(const struct neap_graph *graph);

/* Whether a tensor stays alive to the end once it exists. */
bool graph_stays(const struct neap_graph *graph, const neap_liveness *options, size_t tensor);

/* The lower bound proven for every order; 0 if it does not hold for `options`. */
neap_size graph_order_bound(const struct neap_graph *graph, const neap_liveness *options);

/* Records `least` as proven for every order with `options`, unless a higher bound is known. */
neap_status graph_prove(struct neap_graph *graph, const neap_liveness *options, neap_size least,
                        neap_error *error);

/* Whether a tensor is planned, provided that it exists. */
bool graph_is_planned(const struct neap_graph *graph, const neap_liveness *options,
                      size_t tensor);

/* Whether an output may take the bytes of an input, in any order of the operators. */
bool graph_may_share(const struct neap_graph *graph, const neap_liveness *options, size_t input,
                     size_t output);

/* Whether a tensor may lie over another, or under it, in any order of the operators. */
bool graph_may_overlap(const struct neap_graph *graph, const neap_liveness *options,
                       size_t tensor);

/* neap_graph_to_problem without its check of pinned offsets. */
neap_status graph_build_problem(const struct neap_graph *graph, const neap_liveness *options,
                                struct neap_problem **problem, neap_error *error);

#endif
