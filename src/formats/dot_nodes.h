/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The nodes and edges of a DOT file as operators and tensors, before they are a graph. */
#ifndef FORMATS_DOT_NODES_H
#define FORMATS_DOT_NODES_H

#include "formats/dot_library.h"

enum dot_role { DOT_OPERATOR, DOT_INPUT, DOT_OUTPUT, DOT_CONSTANT };

struct dot_node {
  Agnode_t *node;
  enum dot_role role;
  int64_t key;         /* what the order goes by */
  neap_size own_bytes; /* what the node says of its tensor, or NEAP_UNPLACED */
};

/* An edge; its tensor is known once all are sorted by maker, port and size. */
struct dot_edge {
  size_t from, to; /* nodes */
  const char *port;
  neap_size bytes;
  size_t number; /* in the file's order */
  size_t tensor;
};

struct dot_nodes {
  struct dot_node *nodes;
  size_t count;
  struct dot_edge *edges;
  size_t edge_count;
};

/* Begin with a zeroed struct; clear it whatever comes of it. */
neap_status dot_nodes_read(struct dot_nodes *nodes, Agraph_t *graph,
                           const neap_reading *reading, neap_error *error);
void dot_nodes_clear(struct dot_nodes *nodes);

/*
 * Fills `order` with all nodes, each after those whose tensors it reads; *error says what stands
 * against it.
 */
neap_status dot_nodes_order(const struct dot_nodes *nodes, const neap_reading *reading,
                            size_t *order, neap_error *error);

/* What it is called, for messages and as a name; never empty. */
const char *dot_node_name(const struct dot_node *node);

/* What it does: its type, if it says one, otherwise its name. */
const char *dot_node_type(const struct dot_node *node);

#endif
