/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scratch buffers that the kernels of a runtime request, which a model does not list: a table
 * with the columns `operator` and `bytes`, and perhaps `persistent`.  An operator is its index in
 * subgraph 0, SUBGRAPH:INDEX, or its type if no other operator has that type.  The requests that
 * examples/tflm/neap_recorder.h prints, with the columns `first` and `size`, are such a table, too.
 */
#ifndef MODELS_TFLITE_SCRATCH_H
#define MODELS_TFLITE_SCRATCH_H

#include "models/tflite/model.h"
#include "neap/graph.h"
#include "neap/neap-io.h"

struct tflite_scratch {
  struct tflite_request {
    size_t subgraph, index; /* of the operator */
    size_t tensor;          /* its tensor in the graph */
    neap_size bytes;
    /* What the kernel also keeps in the tail, according to the table; -1: unknown. */
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

#endif
