/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * O. Ronneberger, P. Fischer, T. Brox: U-Net: Convolutional Networks for Biomedical Image
 * Segmentation. MICCAI 2015. Figure 1: the original, whose convolutions are not padded, so that
 * 572x572 pixels give a map of 388x388.
 *
 *     572 ─ conv, conv ───────────────── crop ─ concat ─ conv, conv ─ 388
 *            └ pool                              up ┘
 *              conv, conv ──────── crop ─ concat ─ conv, conv
 *               └ pool                     up ┘
 *                 …        28x28x1024         …
 *
 * ReLU belongs to the convolution before it. The left arm's maps wait whole until the right arm
 * crops them, which makes them the long-lived tensors of this network.
 */
#include "network.h"

enum { DEPTH = 4, CHANNELS = 64 };

/* Figure 1, right arm from the bottom: the side of the maps after each up-convolution. */
static const int64_t up_side[DEPTH] = {392, 200, 104, 56};

static tensor_id conv_twice(struct graph *g, tensor_id x, int64_t channels) {
  x = graph_conv(g, "conv1", x, window_valid(3, 1), channels);
  return graph_conv(g, "conv2", x, window_valid(3, 1), channels);
}

static tensor_id rise(struct graph *g, tensor_id x, tensor_id skip, int64_t channels) {
  tensor_id up = graph_upconv(g, "up", x, 2, channels);
  struct shape s = graph_shape(g, up);
  tensor_id crop = graph_crop(g, "crop", skip, s.rows, s.columns);
  return graph_concat(g, "concat", (tensor_id[]){crop, up}, 2);
}

static void describe(struct graph *g) {
  tensor_id skips[DEPTH];
  tensor_id x = graph_input(g, "image", ELEMENT_FLOAT32, (struct shape){572, 572, 1});
  for (int level = 0; level < DEPTH; level++) {
    graph_scope(g, "down%d", level + 1);
    skips[level] = conv_twice(g, x, CHANNELS << level);
    x = graph_pool(g, "pool", skips[level], window_valid(2, 2));
  }
  graph_scope(g, "bottom");
  x = conv_twice(g, x, CHANNELS << DEPTH);
  graph_expect(g, x, (struct shape){28, 28, 1024});
  for (int level = DEPTH - 1; level >= 0; level--) {
    int64_t channels = CHANNELS << level;
    graph_scope(g, "up%d", level + 1);
    x = rise(g, x, skips[level], channels);
    graph_expect(g, x, (struct shape){up_side[level], up_side[level], 2 * channels});
    x = conv_twice(g, x, channels);
  }
  graph_unscope(g);
  x = graph_conv(g, "segmentation", x, window_valid(1, 1), 2);
  graph_expect(g, x, (struct shape){388, 388, 2});
  graph_output(g, x);
}

const struct network network_unet = {
    .name = "unet",
    .summary = "U-Net, unpadded, 572x572 image, float32",
    .source = "Ronneberger et al. 2015, figure 1",
    .files = "csv dot ops",
    .alignment = 64,
    .describe = describe,
};
