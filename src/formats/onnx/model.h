/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ONNX model on its way to a graph: opened, sorted, its shapes inferred, then converted.
 */
#ifndef FORMATS_ONNX_MODEL_H
#define FORMATS_ONNX_MODEL_H

#include "formats/onnx/infer.h"
#include "model/graph.h"

#define ONNX_NONE SIZE_MAX

struct onnx_tensor {
  struct onnx_shape shape;
  struct onnx_values *values;      /* NULL: unknown */
  const Onnx__Tensor *initializer; /* NULL: none */
  const Onnx__Value *declaration;  /* NULL: none */
  size_t maker;                    /* a node; ONNX_NONE: none */
  bool is_input, is_output, is_constant;
};

/*
 * An operator.  Its links are its inputs, then the tensors that its subgraphs read, then its outputs;
 * ONNX_NONE for an absent one.
 */
struct onnx_node {
  const Onnx__Node *message;
  const struct onnx_rule *rule; /* NULL: unknown; set once shapes are inferred */
  size_t inputs, within, outputs, end;
  bool is_constant;
};

struct onnx_model {
  Onnx__Model *message;
  const Onnx__Graph *graph;
  const neap_reading *reading;
  int64_t opset;      /* version of the standard operators */
  struct names names; /* of tensors */
  struct onnx_tensor *tensors;
  size_t tensor_capacity;
  struct onnx_node *nodes; /* in the order of the file */
  size_t node_count;
  size_t *links;
  size_t link_count, link_capacity;
  size_t *order;    /* nodes in the order of execution */
  size_t allowance; /* elements that folds may still compute */
};

/* Close the model even if opening it fails.  `reading` must outlive it. */
neap_status onnx_model_open(struct onnx_model *model, const char *text, size_t size,
                            const neap_reading *reading, neap_error *error);
void onnx_model_close(struct onnx_model *model);

/* NEAP_ERROR_ARGUMENT: `reading` has a value for a dimension that the model does not have. */
neap_status onnx_model_check_dimensions(const struct onnx_model *model, neap_error *error);

/* Sorts the operators, by the file if possible.  NEAP_ERROR_INPUT names an operator on a cycle. */
neap_status onnx_model_order(struct onnx_model *model, neap_error *error);

/* Infers the shapes of all tensors, in order. */
neap_status onnx_model_infer(struct onnx_model *model, neap_error *error);

neap_status onnx_model_graph(const struct onnx_model *model, neap_graph **graph,
                             neap_error *error);

/* ---------------------------------------------------------------- among themselves */

/* "operator 7, 'Conv' named 'conv1'". */
#define ONNX_WHO 160
const char *onnx_who(const struct onnx_model *model, size_t node, char text[ONNX_WHO]);

/* A tensor's name for messages. */
const char *onnx_name(const struct onnx_model *model, size_t tensor, char text[64]);

/* Adds links to the tensors of the outer graph that the subgraphs of the node read. */
neap_status onnx_model_capture(struct onnx_model *model, const Onnx__Node *node,
                               neap_error *error);
bool onnx_model_link(struct onnx_model *model, size_t tensor);

/* A dimension that a declaration leaves free. */
struct onnx_open {
  size_t index;     /* ONNX_NONE: the whole shape is missing */
  const char *name; /* NULL: it has none */
};

/*
 * Reads the declared shape of a tensor.  shape->is_known is false if it is incomplete, and *open is
 * then its first free dimension.
 */
neap_status onnx_declared(const struct onnx_model *model, size_t tensor,
                          struct onnx_shape *shape, struct onnx_open *open, neap_error *error);

/* Reports a tensor with a free dimension, and why its shape could not be inferred. */
neap_status onnx_open_error(const struct onnx_model *model, size_t tensor,
                            const struct onnx_open *open, const char *why, neap_error *error);

#endif
