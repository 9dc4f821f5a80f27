/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gen/published.h"

#include <string.h>

#include "core/error.h"
#include "core/sized.h"
#include "core/text.h"

#define AMOEBANET "Real et al., Regularized Evolution for Image Classifier Architecture Search"
#define DARTS "Liu et al., DARTS: Differentiable Architecture Search"
#define NASNET "Zoph et al., Learning Transferable Architectures"
#define PNAS "Liu et al., Progressive Neural Architecture Search"
#define RANDWIRE "Xie et al., Exploring Randomly Wired Neural Networks"

static const struct network networks[] = {
    {{sizeof(neap_network_info), "amoebanet-a-cifar",
      "32x32 images, 18 normal cells of 36 channels; " AMOEBANET, false},
     &cells_amoebanet_cifar},
    {{sizeof(neap_network_info), "amoebanet-a-imagenet",
      "224x224 images, 12 normal cells of 50 channels; " AMOEBANET, false},
     &cells_amoebanet_imagenet},
    {{sizeof(neap_network_info), "darts-cifar",
      "32x32 images, 18 normal cells of 36 channels; " DARTS, false},
     &cells_darts_cifar},
    {{sizeof(neap_network_info), "darts-imagenet",
      "224x224 images, 12 normal cells of 48 channels; " DARTS, false},
     &cells_darts_imagenet},
    {{sizeof(neap_network_info), "nasnet-a-cifar",
      "32x32 images, 18 normal cells of 32 channels; " NASNET, false},
     &cells_nasnet_cifar},
    {{sizeof(neap_network_info), "nasnet-a-imagenet",
      "224x224 images, 12 normal cells of 44 channels; " NASNET, false},
     &cells_nasnet_imagenet},
    {{sizeof(neap_network_info), "pnas-cifar",
      "32x32 images, 18 normal cells of 36 channels; " PNAS, false},
     &cells_pnas_cifar},
    {{sizeof(neap_network_info), "randwire",
      "224x224 images, three random graphs of 32 nodes, another network for each "
      "seed; " RANDWIRE,
      true},
     NULL},
};

static const struct network *network_at(size_t index) {
  return index < sizeof networks / sizeof networks[0] ? &networks[index] : NULL;
}

bool neap_network_at(size_t index, neap_network_info *info) {
  const struct network *network = network_at(index);
  return network && SIZED_FILL(info, network->info);
}

static const struct network *find_network(const char *name) {
  const struct network *network;
  for (size_t i = 0; (network = network_at(i)) != NULL; i++)
    if (strcmp(network->info.name, name) == 0) return network;
  return NULL;
}

static neap_status refuse_network(const char *name, neap_error *error) {
  char excerpt[TEXT_EXCERPT];
  error_set(error, NEAP_ERROR_ARGUMENT, "unknown network %s; use one of",
            text_excerpt(excerpt, name, strlen(name)));
  for (size_t i = 0; network_at(i); i++)
    error_append(error, i > 0 ? ", " : " ", network_at(i)->info.name);
  return NEAP_ERROR_ARGUMENT;
}

static neap_status build(const struct network *network, uint64_t seed, neap_graph *graph,
                         neap_error *error) {
  struct layers layers = {.graph = graph, .status = NEAP_OK, .error = error};
  struct random random;
  if (network->cells) {
    cells_build(network->cells, &layers);
    return layers.status;
  }
  if (!random_init(&random, seed)) return error_memory(error);
  randwire_build(&layers, &random);
  random_clear(&random);
  return layers.status;
}

neap_status neap_graph_generate(const char *name, uint64_t seed, neap_graph **graph,
                                neap_error *error) {
  const struct network *network = find_network(name);
  if (!network) return refuse_network(name, error);
  neap_graph *made = neap_graph_new();
  if (!made) return error_memory(error);
  neap_status status = build(network, seed, made, error);
  if (status == NEAP_OK) *graph = made;
  else neap_graph_free(made);
  return status;
}
