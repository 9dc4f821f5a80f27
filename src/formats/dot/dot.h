/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DOT, the language of Graphviz: reads graphs of operators, writes conflict graphs.
 *
 * In a graph of operators, nodes are operators, and an edge is a tensor that its tail makes and its
 * head reads.  Edges with the same tail, port (out_port_id or tailport) and size are one tensor.  A
 * node may give the size of its tensor if its edges do not.  The attribute `type` marks inputs,
 * outputs and constants of the graph.
 *
 * In a conflict graph, which is undirected, nodes are buffers and an edge joins two that are alive
 * together.
 */
#ifndef FORMATS_DOT_DOT_H
#define FORMATS_DOT_DOT_H

#include "neap/neap.h"

/* Whether the text begins like DOT. */
bool dot_is(const char *text, size_t size);

/* NEAP_ERROR_INPUT describes the fault; for a cycle, it names the nodes. */
neap_status dot_read(const char *text, size_t size, const neap_reading *reading,
                     neap_graph **graph, neap_error *error);

/* NEAP_ERROR_FORMAT: there are too many conflicts, or a name that DOT cannot hold. */
neap_status dot_problem_write(const neap_problem *problem, FILE *stream, neap_error *error);
neap_status dot_plan_write(const neap_plan *plan, FILE *stream, neap_error *error);

#endif
