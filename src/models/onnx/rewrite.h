/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an ONNX model in which a list of steps takes the place of the operators. */
#ifndef MODELS_ONNX_REWRITE_H
#define MODELS_ONNX_REWRITE_H

#include "models/bands/rewrite.h"
#include "models/onnx/model.h"
#include "models/onnx/wire.h"
#include "models/operators/steps.h"

/* ---------------------------------------------------------------- messages */

/* The messages of ONNX files, for writers: where the old ones are, and parts of new ones. */

/* Fields of messages, as in onnx.proto. */
enum { MODEL_IR_VERSION = 1, MODEL_GRAPH = 7, MODEL_OPSETS = 8 };
enum {
  GRAPH_NODE = 1,
  GRAPH_INITIALIZER = 5,
  GRAPH_INPUT = 11,
  GRAPH_OUTPUT = 12,
  GRAPH_VALUE = 13
};
enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_TYPE = 4, NODE_ATTRIBUTE = 5 };
enum {
  ATTRIBUTE_NAME = 1,
  ATTRIBUTE_INTEGER = 3,
  ATTRIBUTE_TENSOR = 5,
  ATTRIBUTE_INTEGERS = 8,
  ATTRIBUTE_TYPE = 20
};
enum {
  TENSOR_DIMENSION = 1,
  TENSOR_TYPE = 2,
  TENSOR_INT32 = 5,
  TENSOR_INT64 = 7,
  TENSOR_NAME = 8
};
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TYPE_TENSOR = 1, ELEMENT_TYPE = 1, TYPE_SHAPE = 2 };
enum { SHAPE_DIMENSION = 1, DIMENSION_VALUE = 1 };

enum attribute_type { IS_INTEGER = 2, IS_TENSOR = 4, IS_INTEGERS = 7 };

/* ---------------------------------------------------------------- the old file */

struct onnx_texts {
  struct wire_text file, graph;
  struct wire_text *nodes; /* in the order of the file */
};

/* Finds the messages of an open model; false if memory is short.  Clear even then. */
bool onnx_texts_find(struct onnx_texts *texts, const struct onnx_model *model, const char *text,
                     size_t size);
void onnx_texts_clear(struct onnx_texts *texts);

/* ---------------------------------------------------------------- writing */

void onnx_put_string(struct wire_buffer *buffer, unsigned field, const char *text);

__attribute__((format(printf, 3, 4))) void onnx_put_format(struct wire_buffer *buffer,
                                                           unsigned field, const char *format,
                                                           ...);

/* Begins an attribute; wire_close(buffer, NODE_ATTRIBUTE, ...) ends it. */
size_t onnx_open_attribute(struct wire_buffer *buffer, const char *name,
                           enum attribute_type type);

/* Whether onnx_put_contents also writes the elements of a constant. */
bool onnx_has_integers(const struct onnx_tensor *tensor);

/* Writes type and dimensions of a tensor, and its elements if onnx_has_integers. */
void onnx_put_contents(struct wire_buffer *buffer, const struct onnx_tensor *tensor);

/* ---------------------------------------------------------------- rewrite */

#define MARK_MAX 16

struct onnx_rewriting {
  const struct onnx_model *model;
  const struct onnx_texts *texts;
  struct steps *steps; /* of operators, with the new tensors */
  /*
   * The same steps with the nodes of constants, which are no operators.  `like` is an operator in
   * STEP_BANDED, and otherwise a node.
   */
  const struct steps *nodes;
  const struct band_network *network;  /* of bands; NULL: there are none */
  const size_t *operators;             /* with bands: the node of each operator */
  const char *mark;                    /* in names that bands add; occurs nowhere in the file */
  /* Written alone, as a copy without weights, for measuring; NULL: the whole model is written. */
  const struct band_pieces *pieces;
};

neap_status onnx_rewrite(const struct onnx_rewriting *rewriting, struct wire_buffer *buffer,
                         neap_error *error);

#endif
