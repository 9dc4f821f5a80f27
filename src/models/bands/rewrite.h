/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operators of a network in which pieces are computed in bands:
 *
 *     x - slice - conv - depthwise - slice - conv -+
 *     x - slice - conv - depthwise - slice - conv -+- concatenation - y
 *     x - slice - conv - depthwise - slice - conv -+
 *
 * Rows that a band keeps for the next one are a slice of what an operator has made there:
 *
 *     conv -+------------------ depthwise
 *           +- slice -+
 *     conv -----------+- concatenation - depthwise
 *
 * No file formats: each of them writes these steps as its own operators.
 */
#ifndef MODELS_BANDS_REWRITE_H
#define MODELS_BANDS_REWRITE_H

#include "models/bands/pieces.h"

/* Pieces that follow each other. */
struct split_pieces {
  struct split_piece *const *items;
  size_t count;
};

/* Rows or channels of a tensor of the network. */
struct split_new_tensor {
  size_t like;
  int64_t rows;
  enum split_axis axis;
};

enum split_step_kind {
  SPLIT_STEP_OLD,    /* operator `like`, as it is */
  SPLIT_STEP_BANDED, /* operator `like`, on the rows `rows.given`, which makes rows.made */
  SPLIT_STEP_SLICE,  /* rows rows.given of its only input */
  SPLIT_STEP_CONCATENATION
};

/* A step.  Tensors from network->tensor_count on are new ones. */
struct split_step {
  enum split_step_kind kind;
  enum split_axis axis;
  size_t like;
  size_t links, link_count, output; /* not of an old one; inputs as in split_operator */
  struct split_rows rows;
};

struct split_rewriting {
  const struct split_network *network;
  struct split_new_tensor *tensors;
  struct split_step *steps;
  size_t *links;
  size_t *vanished; /* old tensors that no step makes any more */
  size_t tensor_count, step_count, link_count, vanished_count;
  size_t tensor_capacity, step_capacity, link_capacity;
};

/*
 * At most `parts_max` tensors are concatenated at once.  False if memory is short; call
 * split_rewriting_clear in every case.
 */
bool split_rewrite(const struct split_network *network, const struct split_pieces *pieces,
                   size_t parts_max, struct split_rewriting *rewriting);
void split_rewriting_clear(struct split_rewriting *rewriting);

/* Whether the pieces are the whole network. */
bool split_pieces_cover(const struct split_pieces *pieces, const struct split_network *network);

#endif
