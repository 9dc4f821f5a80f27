/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads ONNX models. */
#ifndef MODELS_ONNX_ONNX_H
#define MODELS_ONNX_ONNX_H

#include "model/graph.h"
#include "models/bands/format.h"
#include "models/onnx/model.h"
#include "neap/neap-io.h"

/* Whether the bytes begin like an ONNX model: its fields, up to a version and a graph. */
bool onnx_is(const char *text, size_t size, const neap_reading *reading);

/*
 * Reads the model's graph.  Shapes are inferred; declared ones count where that is impossible.  A
 * free dimension gets the value in `reading->model.dimensions` for its name or for its place,
 * TENSOR:INDEX.  Operators that depend only on constants or shapes are omitted; their outputs
 * are constants.  Operators keep their order if each comes after those it depends on; otherwise
 * they are sorted.  Outer tensors that an operator's subgraphs read are its inputs.  Subgraphs are
 * planned (subgraph_calls.h); those whose shapes cannot be inferred are left out and reported.
 *
 * NEAP_ERROR_INPUT: for example, a free dimension has no value, or the shape of an output cannot be
 * inferred.  Time and memory are linear in the file's size, whatever it holds.
 */
neap_status onnx_read(const char *text, size_t size, const neap_reading *reading,
                      neap_graph **graph, neap_error *error);

/* Orders the operators of an open model, and infers its shapes. */
neap_status onnx_model_prepare(struct onnx_model *model, neap_error *error);

/*
 * The graph of a model that has been prepared: its tensors, and the nodes that are not
 * constant, in their order.
 */
neap_status onnx_graph_build(const struct onnx_model *model, neap_graph **graph,
                             neap_error *error);

/* ---------------------------------------------------------------- split */

/*
 * ONNX models in which segments are computed in bands.  Free dimensions are written with the values
 * given for them.  A copy to be measured has no weights.
 */

extern const struct band_format onnx_bands;

/* ---------------------------------------------------------------- order */

/* The order in which the operators of a model run. */

/*
 * Fills model->order: the order of the file if every operator comes after those it depends on, a
 * sorted one otherwise.  NEAP_ERROR_INPUT names an operator on a cycle.
 */
neap_status onnx_order_nodes(struct onnx_model *model, neap_error *error);

#endif
