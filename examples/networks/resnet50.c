/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * K. He, X. Zhang, S. Ren, J. Sun: Deep Residual Learning for Image Recognition. 2015 (CVPR
 * 2016). Table 1, column 50-layer; figure 5, right, for the bottleneck.
 *
 * Batch normalisation belongs to the convolution before it, ReLU to that or to the addition.
 * The first 1x1 convolution of conv3_1, conv4_1 and conv5_1 has the stride of two. Where shapes
 * change, the shortcut is a 1x1 projection (section 3.3, option B), run after the other branch.
 */
#include "network.h"

static const struct {
  int64_t blocks, channels, side;
} stages[] = {{3, 64, 56}, {4, 128, 28}, {6, 256, 14}, {3, 512, 7}};

static tensor_id bottleneck(struct graph *g, tensor_id input, int64_t channels,
                            int64_t stride) {
  tensor_id x = graph_conv(g, "reduce", input, window_same(1, stride), channels);
  x = graph_conv(g, "conv", x, window_same(3, 1), channels);
  x = graph_conv(g, "expand", x, window_same(1, 1), 4 * channels);
  tensor_id shortcut = input;
  if (graph_shape(g, input).channels != 4 * channels) {
    shortcut = graph_conv(g, "project", input, window_same(1, stride), 4 * channels);
  }
  return graph_add(g, "add", shortcut, x);
}

static void describe(struct graph *g) {
  tensor_id x = graph_input(g, "image", ELEMENT_FLOAT32, (struct shape){224, 224, 3});
  x = graph_conv(g, "conv1", x, window_same(7, 2), 64);
  graph_expect(g, x, (struct shape){112, 112, 64});
  x = graph_pool(g, "pool1", x, window_same(3, 2));
  for (int i = 0; i < 4; i++) {
    for (int block = 1; block <= stages[i].blocks; block++) {
      graph_scope(g, "conv%d_%d", i + 2, block);
      x = bottleneck(g, x, stages[i].channels, i > 0 && block == 1 ? 2 : 1);
    }
    graph_expect(g, x, (struct shape){stages[i].side, stages[i].side, 4 * stages[i].channels});
  }
  graph_scope(g, "head");
  x = graph_pool_global(g, "pool", x);
  x = graph_dense(g, "classes", x, 1000);
  graph_output(g, graph_map(g, "softmax", x));
}

const struct network network_resnet50 = {
    .name = "resnet50",
    .summary = "ResNet-50, 224x224 image, float32",
    .source = "He et al. 2015, table 1",
    .files = "csv dot",
    .alignment = 64,
    .describe = describe,
};
