/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tensors that are contiguous in other tensors, as in concatenations, splits and slices. */
#ifndef MODELS_OPERATORS_TENSOR_SLICES_H
#define MODELS_OPERATORS_TENSOR_SLICES_H

#include "neap/graph.h"

struct parts_shape {
  size_t rank;
  const int64_t *dims;
};

/* The number of elements; false if it exceeds 2^63 - 1 or a dimension is negative. */
bool parts_elements(const struct parts_shape *shape, int64_t *elements);

/*
 * The graph's last operator, whose inputs are side by side in its output along one axis
 * (NEAP_ALIAS_CONCAT), or whose outputs are side by side in an input (NEAP_ALIAS_SPLIT).
 */
struct parts {
  neap_graph *graph;
  neap_alias alias;
  size_t whole;          /* a tensor */
  size_t whole_position; /* among the operator's outputs or inputs */
  struct parts_shape whole_shape;
  int64_t element;  /* bytes */
  int64_t elements; /* of the parts so far */
  size_t linked;    /* links of parts so far */
};

/*
 * Begins with the whole.  False if it can have no parts: it is not linked, or its bytes do not
 * divide by its number of elements.
 */
bool parts_begin(struct parts *parts, neap_graph *graph, neap_alias alias, size_t whole,
                 const struct parts_shape *shape);

/*
 * Continues with the tensor beside the last one.  It becomes a part if it is linked and its
 * elements are contiguous in the whole.
 */
neap_status parts_add(struct parts *parts, size_t tensor, const struct parts_shape *shape,
                      neap_error *error);

#endif
