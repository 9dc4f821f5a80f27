/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a conflict graph in DOT, the language of Graphviz: an undirected graph, in which nodes are
 * buffers and an edge joins two that are alive together.
 */
#ifndef FILES_DOT_CONFLICTS_H
#define FILES_DOT_CONFLICTS_H

#include <stdio.h>

#include "neap/neap.h"

/* NEAP_ERROR_FORMAT: there are too many conflicts, or DOT cannot hold a name. */
neap_status dot_conflicts_write_problem(const neap_problem *problem, FILE *stream,
                                        neap_error *error);
neap_status dot_conflicts_write_plan(const neap_plan *plan, FILE *stream, neap_error *error);

#endif
