/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A. Vaswani, N. Shazeer, N. Parmar, J. Uszkoreit, L. Jones, A. N. Gomez, L. Kaiser,
 * I. Polosukhin: Attention Is All You Need. NIPS 2017. Figure 1, left half; section 3.2.2;
 * table 3, line "base": 6 layers, 512 features, 8 heads, 2048 features between the two linear
 * maps. The sequence length of 512 tokens is ours.
 *
 * Heads run one after another, each with projections of its own, as the formula in
 * section 3.2.2 has them; compare bert_base, which keeps them in one tensor. Scaling belongs to
 * the scores, ReLU to the linear map before it; layer normalisation follows each addition.
 */
#include "network.h"

enum { TOKENS = 512, LAYERS = 6, FEATURES = 512, HEADS = 8, INNER = 2048 };

static tensor_id head(struct graph *g, tensor_id x) {
  tensor_id query = graph_dense(g, "query", x, FEATURES / HEADS);
  tensor_id key = graph_dense(g, "key", x, FEATURES / HEADS);
  tensor_id scores = graph_scores(g, "scores", query, key, 1);
  tensor_id weights = graph_map(g, "softmax", scores);
  tensor_id value = graph_dense(g, "value", x, FEATURES / HEADS);
  return graph_attend(g, "attend", weights, value);
}

static tensor_id encoder_layer(struct graph *g, tensor_id x, int layer) {
  tensor_id heads[HEADS];
  for (int i = 0; i < HEADS; i++) {
    graph_scope(g, "layer%d/head%d", layer, i + 1);
    heads[i] = head(g, x);
  }
  graph_scope(g, "layer%d", layer);
  tensor_id y = graph_concat(g, "concat", heads, HEADS);
  y = graph_dense(g, "project", y, FEATURES);
  y = graph_add(g, "attention_add", x, y);
  x = graph_map(g, "attention_norm", y);
  y = graph_dense(g, "feed_in", x, INNER);
  y = graph_dense(g, "feed_out", y, FEATURES);
  y = graph_add(g, "feed_add", x, y);
  return graph_map(g, "feed_norm", y);
}

static void describe(struct graph *g) {
  struct shape sequence = {1, TOKENS, FEATURES};
  tensor_id tokens = graph_input(g, "tokens", ELEMENT_INT32, (struct shape){1, 1, TOKENS});
  tensor_id x = graph_operator(g, "embedding", ELEMENT_FLOAT32, sequence, &tokens, 1);
  x = graph_map(g, "position", x);
  for (int layer = 1; layer <= LAYERS; layer++) {
    x = encoder_layer(g, x, layer);
  }
  graph_expect(g, x, sequence);
  graph_output(g, x);
}

const struct network network_transformer_encoder = {
    .name = "transformer_encoder",
    .summary = "Transformer encoder, base model, 512 tokens, float32",
    .source = "Vaswani et al. 2017, figure 1, section 3.2.2, table 3",
    .files = "csv dot",
    .alignment = 64,
    .describe = describe,
};
