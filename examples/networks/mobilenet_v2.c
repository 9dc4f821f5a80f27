/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * M. Sandler, A. Howard, M. Zhu, A. Zhmoginov, L.-C. Chen: MobileNetV2: Inverted Residuals and
 * Linear Bottlenecks. CVPR 2018. Tables 1 (bottleneck) and 2 (whole), width multiplier 1.
 *
 * Batch normalisation and ReLU6 belong to the convolution before them. The first bottleneck has
 * an expansion factor of 1; as in the authors' code it then has no expanding convolution.
 */
#include "network.h"

/* Table 2, its bottleneck lines, and the side of their output: the input of the line after. */
static const struct {
  int64_t expansion, channels, repeats, stride, side;
} stages[] = {
    {1, 16, 1, 1, 112}, {6, 24, 2, 2, 56}, {6, 32, 3, 2, 28}, {6, 64, 4, 2, 14},
    {6, 96, 3, 1, 14},  {6, 160, 3, 2, 7}, {6, 320, 1, 1, 7},
};

static tensor_id bottleneck(struct graph *g, tensor_id input, int64_t expansion,
                            int64_t channels, int64_t stride) {
  int64_t narrow = graph_shape(g, input).channels;
  tensor_id x = input;
  if (expansion > 1) {
    x = graph_conv(g, "expand", x, window_same(1, 1), expansion * narrow);
  }
  x = graph_depthwise(g, "depthwise", x, window_same(3, stride));
  x = graph_conv(g, "project", x, window_same(1, 1), channels);
  return stride == 1 && narrow == channels ? graph_add(g, "add", input, x) : x;
}

static void describe(struct graph *g) {
  tensor_id x = graph_input(g, "image", ELEMENT_INT8, (struct shape){224, 224, 3});
  x = graph_conv(g, "conv", x, window_same(3, 2), 32);
  int block = 0;
  for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
    for (int64_t repeat = 0; repeat < stages[i].repeats; repeat++) {
      graph_scope(g, "block%d", ++block);
      x = bottleneck(g, x, stages[i].expansion, stages[i].channels,
                     repeat == 0 ? stages[i].stride : 1);
    }
    graph_expect(g, x, (struct shape){stages[i].side, stages[i].side, stages[i].channels});
  }
  graph_scope(g, "head");
  x = graph_conv(g, "conv", x, window_same(1, 1), 1280);
  x = graph_pool_global(g, "pool", x);
  x = graph_conv(g, "classes", x, window_same(1, 1), 1000);
  graph_output(g, x);
}

const struct network network_mobilenet_v2 = {
    .name = "mobilenet_v2",
    .summary = "MobileNetV2, width 1.0, 224x224 image, int8",
    .source = "Sandler et al. 2018, tables 1 and 2",
    .files = "csv dot ops",
    .alignment = 16,
    .describe = describe,
};
