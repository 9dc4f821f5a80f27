/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * C. Szegedy, W. Liu, Y. Jia, P. Sermanet, S. Reed, D. Anguelov, D. Erhan, V. Vanhoucke,
 * A. Rabinovich: Going Deeper with Convolutions. 2014 (CVPR 2015). Table 1; figure 2(b) for the
 * module; figure 3 for the local response normalisations, which the table leaves out.
 *
 * ReLU belongs to the convolution before it. The auxiliary classifiers serve training only and
 * are not described; neither is dropout. A module's branches run one after another, left to
 * right in figure 2(b).
 */
#include "network.h"

/* Table 1, columns "#1x1" to "pool proj", and the output size. */
struct module {
  const char *name;
  int64_t one, reduce3, three, reduce5, five, pool, side, channels;
  bool pooled; /* a line "max pool" follows */
};

static const struct module modules[] = {
    {"3a", 64, 96, 128, 16, 32, 32, 28, 256, false},
    {"3b", 128, 128, 192, 32, 96, 64, 28, 480, true},
    {"4a", 192, 96, 208, 16, 48, 64, 14, 512, false},
    {"4b", 160, 112, 224, 24, 64, 64, 14, 512, false},
    {"4c", 128, 128, 256, 24, 64, 64, 14, 512, false},
    {"4d", 112, 144, 288, 32, 64, 64, 14, 528, false},
    {"4e", 256, 160, 320, 32, 128, 128, 14, 832, true},
    {"5a", 256, 160, 320, 32, 128, 128, 7, 832, false},
    {"5b", 384, 192, 384, 48, 128, 128, 7, 1024, false},
};

static tensor_id inception(struct graph *g, tensor_id x, const struct module *m) {
  struct window point = window_same(1, 1);
  tensor_id one = graph_conv(g, "1x1", x, point, m->one);
  tensor_id three = graph_conv(g, "3x3_reduce", x, point, m->reduce3);
  three = graph_conv(g, "3x3", three, window_same(3, 1), m->three);
  tensor_id five = graph_conv(g, "5x5_reduce", x, point, m->reduce5);
  five = graph_conv(g, "5x5", five, window_same(5, 1), m->five);
  tensor_id pool = graph_pool(g, "pool", x, window_same(3, 1));
  pool = graph_conv(g, "pool_project", pool, point, m->pool);
  return graph_concat(g, "concat", (tensor_id[]){one, three, five, pool}, 4);
}

static tensor_id stem(struct graph *g, tensor_id x) {
  graph_scope(g, "stem");
  x = graph_conv(g, "conv1", x, window_same(7, 2), 64);
  graph_expect(g, x, (struct shape){112, 112, 64});
  x = graph_pool(g, "pool1", x, window_same(3, 2));
  x = graph_map(g, "norm1", x);
  x = graph_conv(g, "conv2_reduce", x, window_same(1, 1), 64);
  x = graph_conv(g, "conv2", x, window_same(3, 1), 192);
  graph_expect(g, x, (struct shape){56, 56, 192});
  x = graph_map(g, "norm2", x);
  return graph_pool(g, "pool2", x, window_same(3, 2));
}

static void describe(struct graph *g) {
  tensor_id x = graph_input(g, "image", ELEMENT_FLOAT32, (struct shape){224, 224, 3});
  x = stem(g, x);
  for (size_t i = 0; i < sizeof modules / sizeof modules[0]; i++) {
    const struct module *m = &modules[i];
    graph_scope(g, "inception_%s", m->name);
    x = inception(g, x, m);
    graph_expect(g, x, (struct shape){m->side, m->side, m->channels});
    if (m->pooled) {
      x = graph_pool(g, "max_pool", x, window_same(3, 2));
    }
  }
  graph_scope(g, "head");
  x = graph_pool_global(g, "pool", x);
  x = graph_dense(g, "classes", x, 1000);
  graph_output(g, graph_map(g, "softmax", x));
}

const struct network network_inception_v1 = {
    .name = "inception_v1",
    .summary = "Inception v1 (GoogLeNet), 224x224 image, float32",
    .source = "Szegedy et al. 2014, table 1 and figures 2(b) and 3",
    .files = "csv dot",
    .alignment = 64,
    .describe = describe,
};
