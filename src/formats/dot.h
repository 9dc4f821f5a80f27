/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DOT, the language of Graphviz: graphs of operators in, graphs of conflicts out.
 *
 * In a graph of operators nodes are operators, and an edge is a tensor that one makes and the
 * other reads; edges of one node with the same port (out_port_id, or tailport) and the same size
 * are one tensor.  What is on no edge a node may say of itself.  By their `type`, some nodes are
 * inputs, outputs or constants of the graph.
 *
 * In a graph of conflicts, which is not directed, nodes are buffers and edges join those that live
 * together.
 */
#ifndef FORMATS_DOT_H
#define FORMATS_DOT_H

#include "neap/neap.h"

/* Whether the text begins as DOT does. */
bool dot_is(const char *text, size_t size);

/* NEAP_ERROR_INPUT says what is wrong, a cycle with the names of its nodes. */
neap_status dot_read(const char *text, size_t size, const neap_reading *reading,
                     neap_graph **graph, neap_error *error);

/* NEAP_ERROR_FORMAT: there are more conflicts than anybody draws. */
neap_status dot_problem_write(const neap_problem *problem, FILE *stream, neap_error *error);
neap_status dot_plan_write(const neap_plan *plan, FILE *stream, neap_error *error);

#endif
