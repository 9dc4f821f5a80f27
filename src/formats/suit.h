/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of operators that suit layouts. */
#ifndef FORMATS_SUIT_H
#define FORMATS_SUIT_H

#include "neap/graph.h"

/*
 * Where a short search finds no layout at the bound of the graph's problem, tries other orders of the
 * same bound, and replaces both by the graph and problem with the lowest layout.  On failure the
 * problem is released.
 */
neap_status suit_layout(neap_graph **graph, const neap_liveness *liveness,
                        neap_problem **problem, neap_error *error);

#endif
