/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of published networks that can be generated. */
#ifndef GEN_PUBLISHED_H
#define GEN_PUBLISHED_H

#include "core/random.h"
#include "neap/graph.h"

/* ---------------------------------------------------------------- layers */

/*
 * Describes a convolutional network layer by layer, as a graph of operators.
 *
 * Tensors are float32, batch 1, channels first, so the channels of a concatenation lie one after
 * another.  Batch normalisation belongs to the convolution before it; weights are not tensors of
 * the graph.  Element-wise operators may work in place.  The first failure is kept and makes every
 * later call a no-op, so that a description reads without checks.
 */

/* Square feature maps. */
struct maps {
  size_t tensor;
  int64_t side, channels;
};

struct layers {
  neap_graph *graph;
  size_t tensors; /* in the graph */
  char scope[64]; /* precedes the names of tensors */
  neap_status status;
  neap_error *error;
};

/* Sets the scope, a printf format: "cell3/block1/". */
__attribute__((format(printf, 2, 3))) void layers_scope(struct layers *layers,
                                                        const char *format, ...);

/*
 * Each adds one operator, named as in ONNX, and its output, whose name is the scope followed by
 * `name`.  Windows are padded: a stride of s leaves ceil(side / s).
 */
struct maps layers_input(struct layers *layers, const char *name, int64_t side,
                         int64_t channels);
struct maps layers_conv(struct layers *layers, const char *name, struct maps x, int64_t stride,
                        int64_t channels);
/* `operator` is AveragePool or MaxPool. */
struct maps layers_pool(struct layers *layers, const char *operator, const char * name,
                        struct maps x, int64_t stride);
struct maps layers_relu(struct layers *layers, const char *name, struct maps x);

/* Element-wise, over at least one tensor; `operator` is Add, Sum or Mean. */
struct maps layers_merge(struct layers *layers, const char *operator, const char * name,
                         const struct maps *inputs, size_t count);
struct maps layers_concat(struct layers *layers, const char *name, const struct maps *inputs,
                          size_t count);

/* x, moved by one row and one column: padded at one end and sliced at the other. */
struct maps layers_shift(struct layers *layers, const char *name, struct maps x);

/* A depthwise convolution, which has the stride, then a pointwise one. */
struct maps layers_separable(struct layers *layers, const char *name, struct maps x,
                             int64_t stride, int64_t channels);

/* Pools all of each map into one number and multiplies by a matrix: the graph's output. */
void layers_classify(struct layers *layers, struct maps x, int64_t classes);

/* ---------------------------------------------------------------- published */

/* A network of cells; cells.c has its members. */
struct cells;

struct network {
  neap_network_info info;
  const struct cells *cells; /* NULL: RandWire */
};

/* AmoebaNet-A, DARTS, NASNet-A and PNAS, for CIFAR and ImageNet. */
extern const struct cells cells_amoebanet_cifar, cells_amoebanet_imagenet, cells_darts_cifar,
    cells_darts_imagenet, cells_nasnet_cifar, cells_nasnet_imagenet, cells_pnas_cifar;

void cells_build(const struct cells *cells, struct layers *layers);
void randwire_build(struct layers *layers, struct random *random);

#endif
