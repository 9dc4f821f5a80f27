/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * W. Liu, D. Anguelov, D. Erhan, C. Szegedy, S. Reed, C.-Y. Fu, A. C. Berg: SSD: Single Shot
 * MultiBox Detector. ECCV 2016. Figure 2 and section 3: SSD300 for the 20 classes of Pascal VOC
 * and background. Its base is configuration D of K. Simonyan, A. Zisserman: Very Deep
 * Convolutional Networks for Large-Scale Image Recognition. 2014 (ICLR 2015), table 1.
 *
 * ReLU belongs to the convolution before it. The detectors run when all feature maps are there,
 * in the order of the maps, so six maps of very different sizes wait for their readers.
 * Decoding of boxes and non-maximum suppression are not described: their sizes depend on the
 * image.
 */
#include "network.h"

enum { CLASSES = 21, COORDINATES = 4, MAPS = 6 };

/* Simonyan and Zisserman, table 1, D; the last pooling is SSD's own (section 3). */
static const struct {
  int convs;
  int64_t channels;
  struct window pool;
} stages[] = {
    {2, 64, {2, 2, true}},  {2, 128, {2, 2, true}}, {3, 256, {2, 2, true}},
    {3, 512, {2, 2, true}}, {3, 512, {3, 1, true}},
};

enum { STAGES = sizeof stages / sizeof stages[0], TAPPED = 3 };

/* Figure 2, extra feature layers: a 1x1 convolution, then a 3x3 one. */
static const struct {
  int64_t narrow, channels;
  struct window window;
} extras[] = {
    {256, 512, {3, 2, true}},
    {128, 256, {3, 2, true}},
    {128, 256, {3, 1, false}},
    {128, 256, {3, 1, false}},
};

enum { EXTRAS = sizeof extras / sizeof extras[0] };

/* Figure 2: the maps that are read, and section 3.1: default boxes at each of their places. */
static const struct {
  struct shape shape;
  int64_t boxes;
} published[MAPS] = {
    {{38, 38, 512}, 4}, {{19, 19, 1024}, 6}, {{10, 10, 512}, 6},
    {{5, 5, 256}, 6},   {{3, 3, 256}, 4},    {{1, 1, 256}, 4},
};

/* Returns what the base hands on; *tap is conv4_3, before its pooling. */
static tensor_id base(struct graph *g, tensor_id x, tensor_id *tap) {
  for (int i = 0; i < STAGES; i++) {
    graph_scope(g, "conv%d", i + 1);
    for (int conv = 0; conv < stages[i].convs; conv++) {
      const char *const names[] = {"1", "2", "3"};
      x = graph_conv(g, names[conv], x, window_same(3, 1), stages[i].channels);
    }
    if (i == TAPPED) {
      *tap = x;
    }
    x = graph_pool(g, "pool", x, stages[i].pool);
  }
  return x;
}

/* The convolutions that stand in for VGG's fully connected layers, and the extra ones. */
static void pyramid(struct graph *g, tensor_id x, tensor_id *maps) {
  graph_unscope(g);
  x = graph_conv(g, "conv6", x, window_same(3, 1), 1024);
  x = graph_conv(g, "conv7", x, window_same(1, 1), 1024);
  maps[0] = x;
  for (int i = 0; i < EXTRAS; i++) {
    graph_scope(g, "conv%d", i + 8);
    x = graph_conv(g, "1", x, window_same(1, 1), extras[i].narrow);
    x = graph_conv(g, "2", x, extras[i].window, extras[i].channels);
    maps[i + 1] = x;
  }
}

static void describe(struct graph *g) {
  tensor_id maps[MAPS], boxes[MAPS], classes[MAPS];
  tensor_id x = graph_input(g, "image", ELEMENT_FLOAT32, (struct shape){300, 300, 3});
  tensor_id tap = x;
  x = base(g, x, &tap);
  pyramid(g, x, maps + 1);
  graph_scope(g, "conv4");
  maps[0] = graph_map(g, "norm", tap); /* L2, section 3.1 */
  for (int i = 0; i < MAPS; i++) {
    graph_expect(g, maps[i], published[i].shape);
    graph_scope(g, "detect%d", i + 1);
    boxes[i] =
        graph_conv(g, "boxes", maps[i], window_same(3, 1), published[i].boxes * COORDINATES);
    classes[i] =
        graph_conv(g, "classes", maps[i], window_same(3, 1), published[i].boxes * CLASSES);
  }
  graph_scope(g, "detections");
  tensor_id all = graph_flatten(g, "boxes", boxes, MAPS, COORDINATES);
  graph_expect(g, all, (struct shape){1, 8732, COORDINATES});
  graph_output(g, all);
  all = graph_flatten(g, "classes", classes, MAPS, CLASSES);
  graph_output(g, graph_map(g, "softmax", all));
}

const struct network network_ssd300 = {
    .name = "ssd300",
    .summary = "SSD300 on VGG-16, 21 classes, 300x300 image, float32",
    .source = "Liu et al. 2016, figure 2 and section 3",
    .files = "csv dot",
    .alignment = 64,
    .describe = describe,
};
