/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * RandWire: S. Xie, A. Kirillov, R. Girshick, K. He, "Exploring Randomly Wired Neural Networks for
 * Image Recognition", ICCV 2019, in the small computation regime: two convolutions, then three
 * stages, each a random graph, with C, 2 C and 4 C channels.  C is 78.
 *
 * The graph of a stage is that of Watts and Strogatz with 32 nodes, K = 4 and P = 0.75: in a
 * ring, every node is joined to the two nodes on either side; then each edge to the i-th next
 * node clockwise gets a random other end with probability P, first for i = 1, then for i = 2.
 * Edges lead from the lower index to the higher one.
 *
 * A node takes the weighted sum of what it reads, applies ReLU and then a separable convolution.
 * Nodes that read no other node read the stage's input, and halve its sides.  The stage's output is
 * the mean of all nodes that no other node reads.
 */
#include <assert.h>

#include "gen/published.h"

enum { NODES = 32, REACH = 2, CHANNELS = 78, STAGES = 3 };

/* Whether two nodes are joined. */
struct wiring {
  bool edge[NODES][NODES];
};

static void join(struct wiring *wiring, int a, int b, bool is_joined) {
  assert(a != b);
  wiring->edge[a][b] = wiring->edge[b][a] = is_joined;
}

/* The `number`-th node, from 0, that `node` is not joined to; -1 if there are fewer. */
static int stranger(const struct wiring *wiring, int node, uint32_t number) {
  for (int other = 0; other < NODES; other++)
    if (other != node && !wiring->edge[node][other] && number-- == 0) return other;
  return -1;
}

/* Moves the other end of an edge of `node` to a node that it is not joined to. */
static void rewire(struct wiring *wiring, int node, int other, struct random *random) {
  uint32_t strangers = 0;
  for (int i = 0; i < NODES; i++)
    strangers += i != node && !wiring->edge[node][i];
  if (strangers == 0) return;
  int chosen = stranger(wiring, node, random_below(random, strangers));
  assert(chosen >= 0 && wiring->edge[node][other]);
  join(wiring, node, other, false);
  join(wiring, node, chosen, true);
}

static void wire(struct wiring *wiring, struct random *random) {
  *wiring = (struct wiring){0};
  for (int node = 0; node < NODES; node++)
    for (int i = 1; i <= REACH; i++)
      join(wiring, node, (node + i) % NODES, true);
  for (int i = 1; i <= REACH; i++)
    for (int node = 0; node < NODES; node++)
      if (random_below(random, 4) < 3) rewire(wiring, node, (node + i) % NODES, random);
}

/* Adds a node, which reads those before it that it is joined to. */
static struct maps add_node(struct layers *layers, const struct wiring *wiring, int node,
                            const struct maps *nodes, struct maps input, int64_t channels) {
  struct maps reads[NODES] = {input};
  size_t count = 0;
  for (int i = 0; i < node; i++)
    if (wiring->edge[i][node]) reads[count++] = nodes[i];
  struct maps x = count > 1 ? layers_merge(layers, "Sum", "sum", reads, count) : reads[0];
  x = layers_relu(layers, "relu", x);
  return layers_separable(layers, "conv", x, count == 0 ? 2 : 1, channels);
}

static bool is_output(const struct wiring *wiring, int node) {
  for (int i = node + 1; i < NODES; i++)
    if (wiring->edge[node][i]) return false;
  return true;
}

static struct maps add_stage(struct layers *layers, int stage, struct maps x,
                             struct random *random) {
  struct wiring wiring;
  struct maps nodes[NODES], outputs[NODES];
  size_t count = 0;
  wire(&wiring, random);
  for (int node = 0; node < NODES; node++) {
    layers_scope(layers, "stage%d/node%d/", stage + 1, node);
    nodes[node] = add_node(layers, &wiring, node, nodes, x, (int64_t)CHANNELS << stage);
    if (is_output(&wiring, node)) outputs[count++] = nodes[node];
  }
  layers_scope(layers, "stage%d/", stage + 1);
  assert(count > 0);
  return count > 1 ? layers_merge(layers, "Mean", "mean", outputs, count) : outputs[0];
}

void randwire_build(struct layers *layers, struct random *random) {
  struct maps x = layers_input(layers, "image", 224, 3);
  layers_scope(layers, "stem/");
  x = layers_conv(layers, "conv1", x, 2, CHANNELS / 2);
  x = layers_relu(layers, "relu", x);
  x = layers_conv(layers, "conv2", x, 2, CHANNELS);
  for (int stage = 0; stage < STAGES; stage++)
    x = add_stage(layers, stage, x, random);
  layers_scope(layers, "head/");
  x = layers_conv(layers, "conv", x, 1, 1280);
  layers_classify(layers, x, 1000);
}
