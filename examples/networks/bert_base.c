/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * J. Devlin, M.-W. Chang, K. Lee, K. Toutanova: BERT: Pre-training of Deep Bidirectional
 * Transformers for Language Understanding. NAACL 2019. Section 3 and figure 2: BERT-base, 12
 * layers, 768 features, 12 heads, 3072 features between the two linear maps; 512 tokens, the
 * longest sequence it was trained on (appendix A.2).
 *
 * All heads of a layer stand in one tensor of heads x tokens x tokens. The sum of the three
 * embeddings is one operator; scaling belongs to the scores, the mask to the softmax, GELU and
 * tanh to the linear map before them. The paper leaves out the normalisation after the
 * embeddings, the mask of unused places and the pooled first token; they are described as the
 * authors' own code has them.
 */
#include "network.h"

enum { TOKENS = 512, LAYERS = 12, FEATURES = 768, HEADS = 12, INNER = 3072 };

static tensor_id attention(struct graph *g, tensor_id x, tensor_id mask) {
  tensor_id query = graph_dense(g, "query", x, FEATURES);
  tensor_id key = graph_dense(g, "key", x, FEATURES);
  tensor_id value = graph_dense(g, "value", x, FEATURES);
  tensor_id scores = graph_scores(g, "scores", query, key, HEADS);
  tensor_id weights = graph_operator(g, "softmax", ELEMENT_FLOAT32, graph_shape(g, scores),
                                     (tensor_id[]){scores, mask}, 2);
  tensor_id heads = graph_attend(g, "attend", weights, value);
  return graph_dense(g, "project", heads, FEATURES);
}

static tensor_id encoder_layer(struct graph *g, tensor_id x, tensor_id mask) {
  tensor_id y = attention(g, x, mask);
  y = graph_add(g, "attention_add", x, y);
  x = graph_map(g, "attention_norm", y);
  y = graph_dense(g, "feed_in", x, INNER);
  y = graph_dense(g, "feed_out", y, FEATURES);
  y = graph_add(g, "feed_add", x, y);
  return graph_map(g, "feed_norm", y);
}

static void describe(struct graph *g) {
  struct shape per_token = {1, 1, TOKENS}, sequence = {1, TOKENS, FEATURES};
  tensor_id tokens = graph_input(g, "tokens", ELEMENT_INT32, per_token);
  tensor_id segments = graph_input(g, "segments", ELEMENT_INT32, per_token);
  tensor_id mask = graph_input(g, "mask", ELEMENT_INT32, per_token);
  tensor_id x = graph_operator(g, "embedding", ELEMENT_FLOAT32, sequence,
                               (tensor_id[]){tokens, segments}, 2);
  x = graph_map(g, "embedding_norm", x);
  for (int layer = 1; layer <= LAYERS; layer++) {
    graph_scope(g, "layer%d", layer);
    x = encoder_layer(g, x, mask);
  }
  graph_expect(g, x, sequence);
  graph_output(g, x);
  graph_unscope(g);
  /* Reads the first token only, but of a tensor that is there as a whole. */
  graph_output(
      g, graph_operator(g, "pooled", ELEMENT_FLOAT32, (struct shape){1, 1, FEATURES}, &x, 1));
}

const struct network network_bert_base = {
    .name = "bert_base",
    .summary = "BERT-base, 512 tokens, float32",
    .source = "Devlin et al. 2019, section 3 and appendix A.2",
    .files = "csv dot",
    .alignment = 64,
    .describe = describe,
};
