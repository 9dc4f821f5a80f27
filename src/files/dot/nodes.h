/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes and edges of a DOT file, before a graph is built from them. */
#ifndef FILES_DOT_NODES_H
#define FILES_DOT_NODES_H

#include "files/dot/library.h"
#include "files/dot/size.h"

enum dot_role { DOT_OPERATOR, DOT_INPUT, DOT_OUTPUT, DOT_CONSTANT };

struct dot_node {
  Agnode_t *node;
  enum dot_role role;
  int64_t key;         /* sorts the execution order */
  struct dot_size own; /* the size of its tensor, if the node gives one */
};

/* An edge; its tensor is known once all are sorted by tail, port and size. */
struct dot_edge {
  size_t from, to; /* nodes */
  const char *port;
  struct dot_size size;
  size_t number; /* in the order of the file */
  size_t tensor;
};

struct dot_nodes {
  struct dot_node *nodes;
  size_t count;
  struct dot_edge *edges;
  size_t edge_count;
};

/* Begin with a zeroed struct; clear it even on failure. */
neap_status dot_nodes_read(struct dot_nodes *nodes, Agraph_t *graph,
                           const struct dot_reading *reading, neap_error *error);
void dot_nodes_clear(struct dot_nodes *nodes);

/*
 * Fills `order` with all nodes, each after the nodes whose tensors it reads.  NEAP_ERROR_INPUT: a
 * cycle.
 */
neap_status dot_nodes_order(const struct dot_nodes *nodes, const struct dot_reading *reading,
                            size_t *order, neap_error *error);

/* The node's name, never empty. */
const char *dot_node_name(const struct dot_node *node);

/* The node's type, or its name if it has no type. */
const char *dot_node_type(const struct dot_node *node);

#endif
