/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model that is to be split: split.c reads it, split_write.c writes it in bands. */
#ifndef MODELS_ONNX_SPLIT_PARTS_H
#define MODELS_ONNX_SPLIT_PARTS_H

#include "models/onnx/messages.h"
#include "models/onnx/model.h"
#include "models/onnx/wire.h"
#include "models/bands/rewrite.h"

#define MARK_MAX 16

/* A constant node, and the operator of the network before which it can be. */
struct constant {
  size_t node, ready;
  size_t place; /* in the order of nodes */
};

struct splitter {
  struct onnx_model model;
  struct onnx_texts texts;
  size_t *nodes; /* that of each operator of the network */
  struct constant *constants; /* the first to be ready first */
  size_t constant_count;
  char mark[MARK_MAX];
};

/* What is written: a copy that is to be measured, without weights, or the model. */
struct onnx_form {
  bool is_copy;
  struct wire_buffer *buffer;
};

/* Writes a model in which pieces are computed in bands, and counts its operators. */
neap_status onnx_split_write(const struct splitter *splitter,
                             const struct split_network *network,
                             const struct split_pieces *pieces, const struct onnx_form *form,
                             size_t *operators, neap_error *error);

#endif
