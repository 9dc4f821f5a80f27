/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An operator graph as JSON.
 *
 *     {
 *       "format": "neap-graph",
 *       "version": 1,
 *       "tensors": [
 *         {
 *           "name": "conv1",             unique
 *           "bytes": 4096,               or "shape": [1, 32, 32], "dtype": "f32"; or all three, and
 *                                        then -1 is an unknown dimension and any text is a dtype
 *           "kind": "activation",        optional; or "constant", "variable", "external"
 *           "alignment": 64,             optional; 1 without it
 *           "keep": true                 optional: it stays alive to the end
 *         }, ...
 *       ],
 *       "operators": [                   in the order of execution
 *         {
 *           "name": "CONV_2D",           optional: its type
 *           "label": "block1/conv",      optional: its own name
 *           "inputs": ["x", "w"],
 *           "outputs": ["conv1"],
 *           "temporaries": ["scratch"],  optional
 *           "in_place": [[0, 0]],        optional: input and output positions that may share
 *           "views": [[0, 0]],           optional: the output is the input, under another shape
 *           "overlap": [[0, 0, 64]],     optional: the output may lie over the input if it begins at
 *                                        least 64 bytes lower
 *           "concat": [[0, 0, 1024]],    optional: the input is this output's bytes from 1024 on
 *           "split": [[0, 0, 1024]],     optional: the output is this input's bytes from 1024 on
 *           "device": 0,                 optional
 *           "duration": 12               optional: how long it runs, in any unit; 1 without it
 *         }, ...
 *       ],
 *       "inputs": ["x"],                 of the graph
 *       "outputs": ["y"]
 *     }
 *
 * Other keys are errors.  Types: i, u, f or bf and a number of bits, c with those of a pair, bool.  Node-link
 * JSON (below) is read, too.
 */
#ifndef FORMATS_JSON_GRAPH_H
#define FORMATS_JSON_GRAPH_H

#include "formats/json/document.h"
#include "formats/json/json.h"
#include "neap/graph.h"
#include "neap/neap-io.h"

/* Whether a document is a graph of either form. */
bool json_graph_is(json_t *root);

neap_status json_graph_from(const struct json_document *document, neap_graph **graph,
                            neap_error *error);

neap_status json_graph_read(const char *text, size_t size, const neap_reading *reading,
                            neap_graph **graph, neap_error *error);

/* NEAP_ERROR_FORMAT: the graph has properties that JSON cannot hold. */
neap_status json_graph_write(const neap_graph *graph, FILE *stream, neap_error *error);

/* ---------------------------------------------------------------- node link */

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

/* Whether a document is one. */
bool node_link_is(json_t *root);

/*
 * The operators are in the order that the document gives, or else in that of the nodes, each moved behind
 * all that it depends on.  A tensor that no operator reads is an output of the graph.
 */
neap_status node_link_from(const struct json_document *document, neap_graph **graph,
                           neap_error *error);

#endif
