/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NNVM's memory pass, as in TVM up to 0.6 and, with differences, in MXNet. Entries (outputs of
 * nodes) share storage blocks, one after another or in place.
 */
#ifndef RUNTIMES_NNVM_H
#define RUNTIMES_NNVM_H

#include "core/budget.h"
#include "neap/neap.h"

/* Storage ids that do not name a block. */
#define NNVM_NONE (-1)
#define NNVM_EXTERNAL (-2)
#define NNVM_DYNAMIC (-3)

#define NNVM_UNKNOWN (-1) /* the element count of an entry with an unknown shape */

/* Element types, compared by their numbers. Vector types have several lanes. */
struct nnvm_type {
  int code; /* the kind of type: integer, float, ... */
  int bits, lanes;
};

struct nnvm_entry {
  neap_size elements; /* or NNVM_UNKNOWN */
  struct nnvm_type type;
  int64_t storage; /* before planning: NNVM_NONE, NNVM_EXTERNAL or NNVM_DYNAMIC */
};

/* The output may reuse the block of the input. */
struct nnvm_pair {
  size_t input, output; /* positions */
  bool is_identity;
};

struct nnvm_node {
  bool is_variable;
  int device;
  size_t first_entry, output_count; /* a node without outputs only reads */
  const size_t *inputs;             /* entries */
  size_t input_count;
  const struct nnvm_pair *pairs;
  size_t pair_count;
  const size_t *ignored; /* input positions whose contents are not used; no duplicates */
  size_t ignored_count;
};

/* Nodes are in topological order. The caller owns all arrays. */
struct nnvm_graph {
  const struct nnvm_node *nodes;
  size_t node_count;
  const struct nnvm_entry *entries;
  size_t entry_count;
  const size_t *outputs; /* entries */
  size_t output_count;
};

struct nnvm_options {
  /* how many times larger or smaller a reused block may be; 0: no block is reused */
  neap_size match_range;
  bool auto_search; /* try all powers of two up to match_range and keep the best */
  /*
   * The colour of each node: only nodes of one colour share blocks one after another. NULL: all
   * nodes do.
   */
  const size_t *colours;
  bool real_widths; /* MXNet: use the true width of elements; otherwise 4 bytes each */
};

#define NNVM_DEFAULTS \
  { .match_range = 16 }

struct nnvm_plan {
  int64_t *storage; /* per entry */
  /* per entry: the input position whose block it reuses, -1 for none, -2 if never used */
  int64_t *inplace;
  neap_size *blocks;
  size_t block_count;
  neap_size total;
  size_t not_allocated;
  neap_size match_range; /* the chosen one */
};

/*
 * O(runs * (edges + entries log blocks)), and more if devices or colours rule out blocks.
 * NEAP_ERROR_INPUT describes what is wrong with the graph. The caller passes a zeroed plan and
 * clears it, even after an error.
 */
neap_status nnvm_plan(const struct nnvm_graph *graph, const struct nnvm_options *options,
                      struct nnvm_plan *plan, struct budget *budget, neap_error *error);
void nnvm_plan_clear(struct nnvm_plan *plan);

#endif
