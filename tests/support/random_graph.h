/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random graphs of operators. */
#ifndef SUPPORT_RANDOM_GRAPH_H
#define SUPPORT_RANDOM_GRAPH_H

#include "model/graph.h"
#include "tests/support/random_problem.h"

#define RANDOM_GRAPH_MAX 40

/*
 * Of 1 to `operators_max` operators, each of which reads up to three existing tensors and makes one
 * or two, perhaps with a temporary.  Released with neap_graph_free.
 */
neap_graph *random_graph(struct dice *dice, size_t operators_max);

#endif
