/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the operators of a TensorFlow Lite model. */
#ifndef MODELS_TFLITE_TFLITE_H
#define MODELS_TFLITE_TFLITE_H

#include "model/graph.h"
#include "models/bands/format.h"
#include "models/tflite/model.h"
#include "neap/graph.h"
#include "neap/neap-io.h"

/* ---------------------------------------------------------------- scratch */

/*
 * The scratch buffers that a runtime's kernels request, which a model does not list.  They come in
 * a table with the columns `operator` and `bytes`, and perhaps `persistent`.  An operator is its
 * index in subgraph 0, SUBGRAPH:INDEX, or its type if no other operator has that type.  The
 * requests that examples/tflm/neap_recorder.h prints, with the columns `first` and `size`, are also
 * such a table.
 */

struct tflite_scratch {
  struct tflite_request {
    size_t subgraph, index; /* of the operator */
    size_t tensor;          /* its tensor in the graph */
    neap_size bytes;
    /* Bytes that the kernel also keeps in the tail, according to the table; -1: unknown. */
    neap_size persistent;
  } * requests; /* sorted by operator, those of one operator in the order of the table */
  size_t count, capacity;
  bool is_given; /* there was a file, so there are no other requests */
};

/*
 * Reads the file at `path`, and adds a tensor to the graph for each request, in the order of the
 * table.  NULL stands for no requests.  Call tflite_scratch_clear in every case.
 */
neap_status tflite_scratch_read(struct tflite_scratch *scratch, const char *path,
                                const struct tflite_model *model, neap_graph *graph,
                                neap_error *error);

/*
 * Adds the requests of known kernels instead, in the runtime's order.
 * Call tflite_scratch_clear in every case.
 */
neap_status tflite_scratch_predict(struct tflite_scratch *scratch,
                                   const struct tflite_model *model,
                                   const neap_reading *reading, neap_graph *graph,
                                   neap_error *error);
void tflite_scratch_clear(struct tflite_scratch *scratch);

/* The first request of this operator or of a later one. */
size_t tflite_scratch_find(const struct tflite_scratch *scratch, size_t subgraph, size_t index);

/* ---------------------------------------------------------------- tflite */

/* Whether the bytes have the identifier of a TensorFlow Lite model. */
bool tflite_is(const char *text, size_t size, const neap_reading *reading);

/* NEAP_ERROR_INPUT: the bytes do not have the identifier. */
neap_status tflite_check(const char *text, size_t size, const neap_reading *reading,
                         neap_error *error);

/*
 * Reads all subgraphs, as one graph.  Tensors without a name, or with a duplicate one, get a name
 * with their number: `tensor 3`, `conv#7`.  NEAP_ERROR_INPUT: the model is broken, a tensor has no
 * fixed shape, or a subgraph calls itself.  Unless several operators call one subgraph, time and
 * memory are linear in the file's size, whatever it holds.
 */
neap_status tflite_read(const char *text, size_t size, const neap_reading *reading,
                        neap_graph **graph, neap_error *error);

/*
 * Like tflite_read, for a model that was just opened.  `offsets`: of the plan that the runtime will
 * use, one per tensor of the model; NULL: `reading` determines which variables the runtime
 * allocates.
 */
neap_status tflite_read_model(struct tflite_model *model, const neap_reading *reading,
                              const int32_t *offsets, neap_graph **graph, neap_error *error);

/* Whether operators have been compiled for offsets that their tensors must keep. */
neap_status tflite_has_compiled(const struct tflite_model *model, bool *found,
                                neap_error *error);

/* ---------------------------------------------------------------- split */

/*
 * TensorFlow Lite models in which segments are computed in bands.  A copy drops the plan of the old
 * model, which does not fit it, and keeps only offsets that operators were compiled for.
 */

extern const struct band_format tflite_bands;

/* ---------------------------------------------------------------- free dims */

/* The dimensions of a model's inputs that their shape_signature leaves free. */

/*
 * Sets model->shapes by the values given for free dimensions.  If no values are given, warns and
 * keeps the shapes in the file.  NEAP_ERROR_ARGUMENT: a value is for no free dimension, or shapes
 * that follow from it cannot be worked out.
 */
neap_status tflite_free_dims_read(struct tflite_model *model, const neap_reading *reading,
                                  neap_error *error);

/* ---------------------------------------------------------------- arena */

/* Predicts what else TensorFlow Lite Micro keeps in its arena, apart from the planned buffers. */

/*
 * Sets graph->arena of a graph with its operators, before a target changes sizes.
 * `offsets` are those of tflite_read_model.
 */
neap_status tflite_arena_predict(const struct tflite_model *model, const neap_reading *reading,
                                 const struct tflite_scratch *scratch, const int32_t *offsets,
                                 neap_graph *graph, neap_error *error);

/* ---------------------------------------------------------------- flow */

/* Reads the operators of a TensorFlow Lite model, in the order in which they run. */

/*
 * Adds the operators of subgraph 0 to a graph that has the tensors; after each operator that calls
 * subgraphs, adds theirs.  An operator's scratch buffers live while it runs.  If the reading asks
 * for overlaps, outputs may lie over inputs as its kernels allow.  Subgraphs that nothing calls are
 * noted as missing, unless the target runs subgraph 0 alone.  NEAP_ERROR_INPUT: a subgraph calls
 * itself.
 */
neap_status tflite_read_flow(struct tflite_model *model, const struct tflite_scratch *scratch,
                             const neap_reading *reading, neap_graph *graph, neap_error *error);

#endif
