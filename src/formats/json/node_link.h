/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A graph of operators as node-link JSON, which NetworkX writes and the planners of recomputation
 * Checkmate (P. Jain et al., 2020) and Moccasin (B. Bartan et al., 2023) exchange.  Each node is an operator that
 * makes one tensor, and each link goes from it to an operator that reads this tensor:
 *
 *     {
 *       "directed": true,
 *       "graph": {
 *         "node_output_cost_tag": "out_cost",        optional: the key of the bytes; else "cost_ram"
 *         "node_duration_tag": "duration",           optional: the key of the duration; else "cost_cpu"
 *         "order": [0, 2, 1]                         optional: of execution
 *       },
 *       "nodes": [{"id": 0, "name": "conv1", "cost_ram": 4096, "cost_cpu": 12}, ...],
 *       "links": [{"source": 0, "target": 1}, ...]   or "edges"; or with the keys "0" and "1"
 *     }
 *
 * Durations are optional; fractions are rounded.  Nodes without `id` are identified by `name`.  Identifiers are numbers or strings.  Other keys of a node or a
 * link are ignored.
 */
#ifndef FORMATS_JSON_NODE_LINK_H
#define FORMATS_JSON_NODE_LINK_H

#include "formats/json/document.h"
#include "neap/graph.h"

/* Whether a document is one. */
bool node_link_is(json_t *root);

/*
 * The operators are in the order that the document gives, or else in that of the nodes, each moved behind
 * all that it depends on.  A tensor that no operator reads is an output of the graph.
 */
neap_status node_link_from(const struct json_document *document, neap_graph **graph,
                           neap_error *error);

#endif
