/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NNVM's colouring, for operators that run in parallel (doc/nnvm.md, section 6). The engines plan
 * for one operator at a time, as NNVM does by default, so only the vectors need this.
 */
#ifndef UNIT_NNVM_COLOUR_H
#define UNIT_NNVM_COLOUR_H

#include "runtimes/nnvm.h"

/*
 * Colours the nodes so that all nodes of a colour lie on one path. `colours` has one element
 * per node.
 */
neap_status nnvm_colour(const struct nnvm_graph *graph, size_t max_colours, size_t *colours,
                        size_t *count, neap_error *error);

#endif
