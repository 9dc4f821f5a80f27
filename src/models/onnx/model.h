/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ONNX model on its way to a graph: opened, sorted, its shapes inferred, then converted.
 */
#ifndef MODELS_ONNX_MODEL_H
#define MODELS_ONNX_MODEL_H

#include "models/onnx/infer.h"
#include "model/graph.h"
#include "neap/neap-io.h"

#define ONNX_NONE SIZE_MAX

struct onnx_tensor {
  struct onnx_shape shape;
  struct onnx_values *values;      /* NULL: unknown */
  const Onnx__Tensor *initializer; /* NULL: none */
  const Onnx__Value *declaration;  /* NULL: none */
  size_t maker;                    /* a node; ONNX_NONE: none */
  bool is_input, is_output, is_constant;
  bool is_captured; /* a body of an operator reads it */
  bool is_other;    /* no tensor, but a sequence, for example */
};

/*
 * An operator.  Its links are its inputs, then the tensors that its bodies read, then its outputs;
 * ONNX_NONE for an absent one.
 */
struct onnx_node {
  const Onnx__Node *message;
  const struct onnx_rule *rule; /* NULL: unknown; set once shapes are inferred */
  size_t inputs, within, outputs, end;
  size_t body; /* the first that it runs; ONNX_NONE: none */
  bool is_constant;
};

/*
 * A graph: the main one, which is body 0, or one that an operator runs.  Its tensors and nodes
 * follow each other, and its inputs are the first of its tensors.
 */
struct onnx_body {
  Onnx__Graph *graph;
  const char *role;   /* the attribute of the operator, such as then_branch */
  size_t parent;      /* the body around it; ONNX_NONE: it is the main one */
  size_t next;        /* of the same operator; ONNX_NONE: none */
  struct names names; /* of its tensors; those of the main body are in model->names */
  size_t tensors, tensor_count, nodes, node_count;
  size_t outputs, outputs_end; /* links */
  size_t *captured;            /* tensors of enclosing bodies that it reads */
  size_t captured_count, captured_capacity;
  bool is_planned; /* its shapes are known, and it may run */
};

struct onnx_model {
  Onnx__Model *message;
  const Onnx__Graph *graph;
  const neap_reading *reading;
  int64_t opset;      /* version of the standard operators */
  struct names names; /* of tensors */
  struct onnx_tensor *tensors;
  size_t tensor_capacity;
  struct onnx_node *nodes; /* the main body's first, in the order of the file */
  size_t node_count;       /* of the main body */
  size_t all_nodes, node_capacity;
  struct onnx_body *bodies;
  size_t body_count, body_capacity;
  size_t *links;
  size_t link_count, link_capacity;
  size_t *order;        /* nodes in the order of execution */
  size_t allowance;     /* elements that folds may still compute */
  struct names open;    /* dimensions without a value */
  struct names missing; /* bodies that are left out, and why */
};

/* Close the model even if opening it fails.  `reading` must outlive it. */
neap_status onnx_model_open(struct onnx_model *model, const char *text, size_t size,
                            const neap_reading *reading, neap_error *error);
void onnx_model_close(struct onnx_model *model);

/* Adds the tensors and nodes of the model's graph, and of all graphs in it; for onnx_model_open. */
neap_status onnx_bodies_open(struct onnx_model *model, neap_error *error);
void onnx_bodies_close(struct onnx_model *model);

/* What messages call a node: "operator 7, 'Conv' named 'conv1'". */
#define ONNX_NODE_TEXT 272
const char *onnx_model_node(const struct onnx_model *model, size_t node,
                            char text[ONNX_NODE_TEXT]);

/* What messages call a tensor: its name, in quotes. */
const char *onnx_model_tensor(const struct onnx_model *model, size_t tensor, char text[64]);

/* Whether a tensor has no fixed size, so that no arena holds it. */
static inline bool onnx_is_elsewhere(const struct onnx_tensor *tensor) {
  return !tensor->is_constant && (tensor->is_other || tensor->shape.type == ONNX_STRING);
}

/* Appends a link; false if memory is short. */
bool onnx_model_link(struct onnx_model *model, size_t tensor);

#endif
