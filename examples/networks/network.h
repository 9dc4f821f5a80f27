/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The networks that this program describes, one to a file. */
#ifndef NETWORKS_NETWORK_H
#define NETWORKS_NETWORK_H

#include "graph.h"

struct network {
  const char *name;    /* also the stem of its files */
  const char *summary; /* what is described: input, elements */
  const char *source;  /* the publication, and where in it */
  const char *files;   /* the formats that --all writes: "csv dot" */
  int64_t alignment;   /* bytes, of every tensor in memory-operation sequences */
  void (*describe)(struct graph *g);
};

extern const struct network network_bert_base;
extern const struct network network_densenet121;
extern const struct network network_inception_v1;
extern const struct network network_mobilenet_v2;
extern const struct network network_resnet50;
extern const struct network network_ssd300;
extern const struct network network_transformer_encoder;
extern const struct network network_unet;

#endif
