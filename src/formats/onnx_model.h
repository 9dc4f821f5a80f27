/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ONNX model on its way to a graph: opened, put in order, its shapes inferred, then made a
 * graph.
 */
#ifndef FORMATS_ONNX_MODEL_H
#define FORMATS_ONNX_MODEL_H

#include "formats/onnx_infer.h"
#include "model/graph.h"

#define ONNX_NONE SIZE_MAX

struct onnx_tensor {
  struct onnx_shape shape;
  struct onnx_values *values;      /* NULL: not known */
  const Onnx__Tensor *initializer; /* NULL: none */
  const Onnx__Value *declaration;  /* NULL: none */
  size_t maker;                    /* a node; ONNX_NONE: none */
  bool is_input, is_output, is_constant;
};

/*
 * Its links: inputs, then what the graphs within it read, then outputs.  ONNX_NONE stands for
 * one that is not given.
 */
struct onnx_node {
  const Onnx__Node *message;
  const struct onnx_rule *rule; /* NULL: not known; set once shapes are inferred */
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
  struct onnx_node *nodes; /* as in the file */
  size_t node_count;
  size_t *links;
  size_t link_count, link_capacity;
  size_t *order;    /* nodes in the order of execution */
  size_t allowance; /* elements that may still be computed with */
};

/* The model must be closed even where it could not be opened.  `reading` must outlive it. */
neap_status onnx_model_open(struct onnx_model *model, const char *text, size_t size,
                            const neap_reading *reading, neap_error *error);
void onnx_model_close(struct onnx_model *model);

/* In file order where that will do.  NEAP_ERROR_INPUT names an operator on a cycle. */
neap_status onnx_model_order(struct onnx_model *model, neap_error *error);

/* Finds every tensor's shape, in order. */
neap_status onnx_model_infer(struct onnx_model *model, neap_error *error);

neap_status onnx_model_graph(const struct onnx_model *model, neap_graph **graph,
                             neap_error *error);

/* ---------------------------------------------------------------- among themselves */

/* "Conv 'conv1', operator 7". */
#define ONNX_WHO 160
const char *onnx_who(const struct onnx_model *model, size_t node, char text[ONNX_WHO]);

/* A tensor's name for messages. */
const char *onnx_name(const struct onnx_model *model, size_t tensor, char text[64]);

/* Adds to the links what the graphs within the node read of the outer graph. */
neap_status onnx_model_capture(struct onnx_model *model, const Onnx__Node *node,
                               neap_error *error);
bool onnx_model_link(struct onnx_model *model, size_t tensor);

/* A dimension that a declaration leaves open. */
struct onnx_open {
  size_t index;     /* ONNX_NONE: the whole shape is */
  const char *name; /* NULL: it has none */
};

/*
 * The shape that a tensor's declaration says.  shape->is_known is false where it leaves
 * something open, which *open then says.
 */
neap_status onnx_declared(const struct onnx_model *model, size_t tensor,
                          struct onnx_shape *shape, struct onnx_open *open, neap_error *error);

/* The error of a tensor whose declaration leaves something open, and why it was not inferred. */
neap_status onnx_open_error(const struct onnx_model *model, size_t tensor,
                            const struct onnx_open *open, const char *why, neap_error *error);

#endif
