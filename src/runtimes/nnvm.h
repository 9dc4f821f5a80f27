/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NNVM's memory pass, as TVM up to 0.6 and, with differences, MXNet have it: storage blocks that
 * entries (outputs of nodes) share one after another, or in place.
 */
#ifndef RUNTIMES_NNVM_H
#define RUNTIMES_NNVM_H

#include "core/budget.h"
#include "neap/neap.h"

/* Storage ids that are no blocks. */
#define NNVM_NONE (-1)
#define NNVM_EXTERNAL (-2)
#define NNVM_DYNAMIC (-3)

#define NNVM_UNKNOWN (-1) /* the elements of an entry whose shape is not known */

/* Element types: equal numbers are equal types.  Wide types have several lanes. */
struct nnvm_type {
  int code; /* of the kind: integer, float, ... */
  int bits, lanes;
};

struct nnvm_entry {
  neap_size elements; /* or NNVM_UNKNOWN */
  struct nnvm_type type;
  int64_t storage; /* before planning: NNVM_NONE, NNVM_EXTERNAL or NNVM_DYNAMIC */
};

/* The output may take the block of the input. */
struct nnvm_pair {
  size_t input, output; /* positions */
  bool is_identity;
};

struct nnvm_node {
  bool is_variable;
  int device;
  size_t first_entry, output_count; /* without outputs it only reads */
  const size_t *inputs;             /* entries */
  size_t input_count;
  const struct nnvm_pair *pairs;
  size_t pair_count;
  const size_t *ignored; /* input positions whose contents are of no account; none twice */
  size_t ignored_count;
};

/* In topological order; all belongs to the caller. */
struct nnvm_graph {
  const struct nnvm_node *nodes;
  size_t node_count;
  const struct nnvm_entry *entries;
  size_t entry_count;
  const size_t *outputs; /* entries */
  size_t output_count;
};

struct nnvm_options {
  neap_size
      match_range;    /* how many times larger or smaller a block may be; 0: none is shared */
  bool auto_search;   /* try the powers of two up to it, and keep the best */
  size_t max_colours; /* 1: no colouring */
  bool real_widths;   /* MXNet: sizes by the element's width; otherwise four bytes each */
};

#define NNVM_DEFAULTS \
  { 16, false, 1, false }

struct nnvm_plan {
  int64_t *storage; /* per entry */
  int64_t *inplace; /* per entry: the input position it took, -1 none, -2 never used */
  neap_size *blocks;
  size_t block_count;
  neap_size total;
  size_t not_allocated;
  neap_size match_range; /* the one that was chosen */
};

/*
 * O(runs * (edges + entries log blocks)), but where devices or colours make blocks be passed over.
 * NEAP_ERROR_INPUT names what is wrong with the graph.  The plan is zeroed, and cleared by the
 * caller whatever comes of it.
 */
neap_status nnvm_plan(const struct nnvm_graph *graph, const struct nnvm_options *options,
                      struct nnvm_plan *plan, struct budget *budget, neap_error *error);
void nnvm_plan_clear(struct nnvm_plan *plan);

/* Colours nodes so that those of one colour lie on a path.  `colours` has one place per node. */
neap_status nnvm_colour(const struct nnvm_graph *graph, size_t max_colours, size_t *colours,
                        size_t *count, neap_error *error);

/* What is special about a node that writes its second input into the variable that is its first.
 */
enum nnvm_assign {
  NNVM_NO_ASSIGN,
  NNVM_ASSIGN,          /* it copies */
  NNVM_ASSIGN_COLLAPSED /* its second input is written right into the variable */
};

/*
 * Gives variables storage of their own, and assignments that of their variable.
 * NEAP_ERROR_INPUT when an entry has no storage, or when a collapsed assignment would be wrong:
 * its second input shares a block with another entry, or the variable's old value is still read.
 */
neap_status nnvm_decorate(const struct nnvm_graph *graph, const enum nnvm_assign *assigns,
                          int64_t *storage, neap_error *error);

/*
 * The pool that the runtime makes: for each storage id the bytes of the largest entry, by true
 * widths; it is allocated in units of four.  *bytes is released with free().
 */
neap_status nnvm_pool(const struct nnvm_graph *graph, const int64_t *storage, neap_size **bytes,
                      size_t *count, neap_error *error);

#endif
