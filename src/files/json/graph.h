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
 *           "overlap": [[0, 0, 64]],     optional: the output may lie over the input if it
 *                                        begins at least 64 bytes lower
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
 * Other keys are errors.  Types: i, u, f or bf and a number of bits, c with those of a pair, bool.
 */
#ifndef FILES_JSON_GRAPH_H
#define FILES_JSON_GRAPH_H

#include "files/json/document.h"
#include "files/json/json.h"
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

#endif
