/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PPL.NN's runtime around its buffer managers: the order of nodes, the last consumer of every
 * edge, and a run (doc/pplnn.md, sections 7 to 9). The engines keep the order of the graph that
 * is given, so only the vectors need this.
 */
#ifndef VECTORS_PPLNN_GRAPH_H
#define VECTORS_PPLNN_GRAPH_H

#include "runtimes/pplnn.h"

#define PPLNN_ABSENT (-1)
#define PPLNN_NONE SIZE_MAX

struct pplnn_edges {
  const int64_t *items; /* edges, or PPLNN_ABSENT */
  size_t count;
};

struct pplnn_node {
  struct pplnn_edges inputs, extra_inputs, outputs;
  int64_t transfer;    /* the input position whose buffer the first output takes over, or -1 */
  neap_size temporary; /* bytes needed while the node runs */
};

/* The caller owns all arrays. */
struct pplnn_graph {
  const struct pplnn_node *nodes;
  size_t node_count, edge_count;
  const neap_size *edge_bytes; /* only needed to run */
  struct pplnn_edges inputs, extra_inputs, constants, outputs, reserved;
};

/*
 * Orders the nodes, deepest producer first, and finds for each edge the node after which it is
 * released, or PPLNN_NONE if the run never releases it. `order` has room for node_count nodes;
 * *count of them are used, since nodes that no result depends on are left out.
 */
neap_status pplnn_schedule(const struct pplnn_graph *graph, size_t *order, size_t *count,
                           size_t *last_consumer, neap_error *error);

enum pplnn_event_kind {
  PPLNN_ALLOC,
  PPLNN_FREE,
  PPLNN_TRANSFER,
  PPLNN_TEMPORARY_ALLOC,
  PPLNN_TEMPORARY_FREE
};

struct pplnn_event {
  enum pplnn_event_kind kind;
  size_t edge; /* for a temporary: the node */
  neap_size bytes;
  struct pplnn_handle handle; /* the buffer */
  size_t from;                /* for a transfer: the input edge */
};

typedef neap_status pplnn_observer(const struct pplnn_event *event, void *user,
                                   neap_error *error);

/*
 * Runs the graph once: first the inputs, then one node after another. Calls `observer` for
 * every event.
 */
neap_status pplnn_run(const struct pplnn_graph *graph, struct pplnn_manager *manager,
                      pplnn_observer *observer, void *user, neap_error *error);

#endif
