/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes an ONNX model in which a list of steps takes the place of the operators. */
#ifndef MODELS_ONNX_REWRITE_H
#define MODELS_ONNX_REWRITE_H

#include "models/bands/rewrite.h"
#include "models/onnx/messages.h"
#include "models/onnx/model.h"
#include "models/onnx/wire.h"
#include "models/operators/steps.h"

#define MARK_MAX 16

struct onnx_rewriting {
  const struct onnx_model *model;
  const struct onnx_texts *texts;
  struct steps *steps; /* of operators, with the new tensors */
  /*
   * The same with the nodes that no operator has, because they make constants.  `like` is the
   * operator of a band, and otherwise a node.
   */
  const struct steps *nodes;
  const struct split_network *network; /* of bands; NULL: there are none */
  const size_t *operators;             /* with bands: the node of each operator */
  const char *mark;                    /* in names that bands add; occurs nowhere in the file */
  /* Only these, as a copy without weights that is to be measured; NULL: the model. */
  const struct split_pieces *pieces;
};

neap_status onnx_rewrite(const struct onnx_rewriting *rewriting, struct wire_buffer *buffer,
                         neap_error *error);

#endif
