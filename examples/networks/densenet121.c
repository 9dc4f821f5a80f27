/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * G. Huang, Z. Liu, L. van der Maaten, K. Q. Weinberger: Densely Connected Convolutional
 * Networks. CVPR 2017. Table 1, column DenseNet-121: growth rate 32, bottlenecks of four times
 * that, compression 0.5 (section 3).
 *
 * Every layer of a dense block reads what all layers before it in the block have made, so the
 * maps of a block live until its end. They are kept apart and joined anew for each reader, as
 * the paper's equation 2 has it. Batch normalisation and ReLU come before the convolution here:
 * over a concatenation they are an operator of their own ("norm"), since each reader normalises
 * the same maps differently; between a bottleneck's two convolutions they belong to the first.
 */
#include "network.h"

enum { GROWTH = 32, LAYERS_MAX = 24 };

static const struct {
  int layers;
  int64_t side;
} blocks[] = {{6, 56}, {12, 28}, {24, 14}, {16, 7}};

enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

/* The maps so far as one tensor; the first alone needs no joining. */
static tensor_id joined(struct graph *g, const tensor_id *maps, size_t count) {
  return count == 1 ? maps[0] : graph_concat(g, "concat", maps, count);
}

static tensor_id dense_block(struct graph *g, tensor_id x, int block) {
  tensor_id maps[1 + LAYERS_MAX] = {x};
  size_t count = 1;
  for (int layer = 1; layer <= blocks[block].layers; layer++) {
    graph_scope(g, "dense%d/layer%d", block + 1, layer);
    tensor_id y = graph_map(g, "norm", joined(g, maps, count));
    y = graph_conv(g, "bottleneck", y, window_same(1, 1), 4 * GROWTH);
    maps[count++] = graph_conv(g, "grow", y, window_same(3, 1), GROWTH);
  }
  graph_scope(g, "dense%d", block + 1);
  return joined(g, maps, count);
}

static tensor_id transition(struct graph *g, tensor_id x, int block) {
  graph_scope(g, "transition%d", block + 1);
  x = graph_map(g, "norm", x);
  x = graph_conv(g, "conv", x, window_same(1, 1), graph_shape(g, x).channels / 2);
  return graph_pool(g, "pool", x, window_valid(2, 2));
}

static void describe(struct graph *g) {
  tensor_id x = graph_input(g, "image", ELEMENT_FLOAT32, (struct shape){224, 224, 3});
  x = graph_conv(g, "conv", x, window_same(7, 2), 2 * GROWTH);
  graph_expect(g, x, (struct shape){112, 112, 2 * GROWTH});
  x = graph_pool(g, "pool", x, window_same(3, 2));
  for (int block = 0; block < BLOCKS; block++) {
    int64_t channels = graph_shape(g, x).channels + GROWTH * blocks[block].layers;
    x = dense_block(g, x, block);
    graph_expect(g, x, (struct shape){blocks[block].side, blocks[block].side, channels});
    if (block + 1 < BLOCKS) {
      x = transition(g, x, block);
    }
  }
  graph_scope(g, "head");
  x = graph_pool_global(g, "pool", x);
  x = graph_dense(g, "classes", x, 1000);
  graph_output(g, graph_map(g, "softmax", x));
}

const struct network network_densenet121 = {
    .name = "densenet121",
    .summary = "DenseNet-121, growth rate 32, 224x224 image, float32",
    .source = "Huang et al. 2017, table 1 and section 3",
    .files = "csv dot",
    .alignment = 64,
    .describe = describe,
};
