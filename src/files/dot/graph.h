/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a graph of operators in DOT, the language of Graphviz.
 *
 * Nodes are operators, and an edge is a tensor that its tail makes and its head reads.  Edges
 * with the same tail, port (out_port_id or tailport) and size are one tensor.  A node may give
 * the size of its tensor if its edges do not.  The attribute `type` marks inputs, outputs and
 * constants of the graph.
 */
#ifndef FILES_DOT_GRAPH_H
#define FILES_DOT_GRAPH_H

#include "neap/neap-io.h"

/* Whether the text begins like DOT. */
bool dot_graph_is(const char *text, size_t size, const neap_reading *reading);

/* NEAP_ERROR_INPUT describes the fault; for a cycle, it names the nodes. */
neap_status dot_graph_read(const char *text, size_t size, const neap_reading *reading,
                           neap_graph **graph, neap_error *error);

#endif
