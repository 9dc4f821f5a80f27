/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds plans that own their problems, and problems that own their graphs. */
#ifndef FILES_OWNED_H
#define FILES_OWNED_H

#include "neap/neap-io.h"

/* Builds a plan from a problem and one offset per buffer; owns both, even on failure. */
neap_status adopt_plan(neap_problem *problem, neap_offset *offsets, neap_plan **plan,
                       neap_error *error);

/* Implements neap_graph_prepare for both libraries. */
neap_status adopt_prepare(neap_graph *graph, const neap_reading *reading,
                          neap_liveness *liveness, neap_error *error);

/* Builds a problem from a graph prepared for `reading`; takes the graph. */
neap_status adopt_prepared(neap_graph *graph, const neap_liveness *liveness,
                           const neap_reading *reading, neap_problem **problem,
                           neap_error *error);

/* Prepares a graph and builds a problem from it; takes the graph. */
neap_status adopt_graph(neap_graph *graph, const neap_reading *reading, neap_problem **problem,
                        neap_error *error);

#endif
